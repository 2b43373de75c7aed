//! Secrets put back where marks stand.

use super::{MARK_BEGIN, MARK_END, Secret, mark};
use crate::place::{Place, Sink};
use crate::syntax::Name;
use url::Url;

/// What is stored under the name of a statement.
pub(super) struct Stored<'a> {
    pub(super) name: &'a str,
    pub(super) is_there: bool,
    pub(super) secrets: Vec<(Place, Secret)>,
}

/// Why a mark stands for nothing: what is wrong, and what to write instead.
pub(super) struct Refusal {
    message: String,
    help: String,
}

impl Stored<'_> {
    /// Puts the secret into `name` if it has a mark; false: it could not be, which is reported.
    pub(super) fn put_back(
        &self,
        name: &mut Name,
        how: fn(&Self, &str) -> Result<String, Refusal>,
        sink: &mut Sink,
    ) -> bool {
        if !name.text.contains(MARK_BEGIN) {
            return true;
        }
        match how(self, &name.text) {
            Ok(full) => {
                name.text = full;
                true
            }
            Err(Refusal { message, help }) => {
                sink.value(name.place, message, &help);
                false
            }
        }
    }

    pub(super) fn source(&self, text: &str) -> Result<String, Refusal> {
        let Mark { before, number, after } = self.mark_in(text)?;
        let Secret::Credentials(stored) = self.secret(number)? else {
            return Err(misplaced(number));
        };
        let userinfo = stored.credentials().expect("a secret of this kind has them");
        if !before.ends_with("://") || !after.starts_with('@') || after.contains(MARK_BEGIN) {
            return Err(misplaced(number));
        }
        let full = format!("{before}{userinfo}{after}");
        let origin = |url: &str| Url::parse(url).ok().map(|url| url.origin());
        if origin(&full) != origin(stored.reveal()) {
            return Err(elsewhere(number, &stored.shown()));
        }
        Ok(full)
    }

    pub(super) fn receiver(&self, text: &str) -> Result<String, Refusal> {
        let number = self.mark_in(text)?.number;
        let Secret::Receiver(stored) = self.secret(number)? else { return Err(misplaced(number)) };
        if text == stored.marked(&mark(number)).unwrap_or_default() {
            return Ok(stored.reveal().to_owned());
        }
        Err(elsewhere(number, &stored.marked("").unwrap_or_default()))
    }

    fn mark_in<'t>(&self, text: &'t str) -> Result<Mark<'t>, Refusal> {
        let (before, rest) = text.split_once(MARK_BEGIN).expect("the caller has seen one");
        let number = rest.split_once(MARK_END).and_then(|(number, after)| {
            let number = number.parse().ok()?;
            Some(Mark { before, number, after })
        });
        number.ok_or_else(|| {
            let message = format!("`{MARK_BEGIN}` begins a mark that is not complete");
            Refusal { message, help: format!("leave `{}` as it was shown", mark(1)) }
        })
    }

    fn secret(&self, number: usize) -> Result<&Secret, Refusal> {
        let found = number.checked_sub(1).and_then(|index| self.secrets.get(index));
        found.map(|(_, secret)| secret).ok_or_else(|| {
            let (mark, name) = (mark(number), self.name);
            let message = if self.is_there {
                format!("the stored `{name}` has no `{mark}`")
            } else {
                format!("`{mark}` stands for what a stored `{name}` has; there is none")
            };
            Refusal { message, help: "write the address with its secret".to_owned() }
        })
    }
}

/// A mark and what stands around it.
struct Mark<'t> {
    before: &'t str,
    number: usize,
    after: &'t str,
}

fn misplaced(number: usize) -> Refusal {
    let message = format!("`{}` does not stand where its secret stood", mark(number));
    let help = "leave it where it was shown, or write the address with its secret".to_owned();
    Refusal { message, help }
}

fn elsewhere(number: usize, shown: &str) -> Refusal {
    let place = Url::parse(shown).map(|url| url.origin().ascii_serialization());
    let place = place.unwrap_or_else(|_| "its place".to_owned());
    let message = format!("`{}` belongs to {place} alone", mark(number));
    let help = "for another address, write it with its own secret".to_owned();
    Refusal { message, help }
}
