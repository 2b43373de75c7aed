//! Changes of the channels that people make, while the server runs.

use crate::book::Book;
use crate::clock::Clock;
use kernel::ChannelBook;
use kernel::io::{Actor, Command};
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use web::{ChannelWish, Desk, NamedChannel, Refused};

/// Makes, changes and removes channels, one at a time.
#[derive(Clone)]
pub struct Roster {
    pub book: Arc<Book>,
    pub desk: Desk,
    pub clock: Arc<Clock>,
    /// Held while the store, the book and the kernel are told of one change.
    pub turn: Arc<Mutex<()>>,
}

impl Roster {
    /// Does `work` on the channel `name` of the book, then tells the kernel what the book says.
    /// Goes on to its end also when nobody waits for it any more.
    async fn change<T: Send + 'static>(
        &self,
        actor: Actor,
        name: &str,
        work: impl FnOnce(&Book) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Refused> {
        let (own, name) = (self.clone(), name.trim().to_lowercase());
        let done = tokio::spawn(async move {
            let _turn = own.turn.lock().await;
            let book = Arc::clone(&own.book);
            let done = tokio::task::spawn_blocking(move || work(&book)).await;
            let done = done.unwrap_or_else(|_| Err(broken()))?;
            own.tell(actor, &name).await;
            Ok(done)
        });
        done.await.unwrap_or_else(|_| Err(broken()))
    }

    /// Tells the kernel what the book says, in which `name` is new.
    async fn tell(&self, actor: Actor, name: &str) {
        let book = ChannelBook { renewed: vec![name.into()], ..self.book.known() };
        let known = Command::KnowChannels(Box::new(book));
        // A server that stops, or waits for its clock, reads the book when it starts.
        let _ = self.desk.ask(actor, known).await;
    }

    /// Has the kernel told of channels that can be read again.
    pub fn follow_book(self: &Arc<Roster>, runtime: Handle) {
        let own = Arc::downgrade(self);
        self.book.listen(move |name| {
            let (own, name) = (own.clone(), name.to_owned());
            runtime.spawn(async move {
                let Some(own) = own.upgrade() else { return };
                let _turn = own.turn.lock().await;
                own.tell(Actor::SYSTEM, &name).await;
            });
        });
    }
}

fn broken() -> Refused {
    Refused::Failed("It was cut off; the server's log says why.".to_owned())
}

impl web::Roster for Roster {
    fn all(&self) -> Vec<NamedChannel> {
        self.book.all()
    }

    fn preview(&self, template: &str, body: &[u8]) -> Result<String, String> {
        let template = deliver::Template::parse(template).map_err(|error| error.to_string())?;
        template.render(body, &self.book.zone).map(|lines| lines.join("\n"))
    }

    fn put(&self, actor: Actor, wish: ChannelWish) -> web::Change<bool> {
        let (own, now) = (self.clone(), self.clock.now());
        let name = wish.name.clone();
        Box::pin(async move { own.change(actor, &name, move |book| book.put(&wish, now)).await })
    }

    fn remove(&self, actor: Actor, name: String) -> web::Change<()> {
        let (own, named) = (self.clone(), name.clone());
        Box::pin(async move { own.change(actor, &named, move |book| book.remove(&name)).await })
    }
}
