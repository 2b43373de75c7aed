//! One page of ours on a listener, to be changed by a test; it knows how often it was asked for.

use crate::wire::{Listener, Reply};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

pub struct Page {
    listener: Listener,
    content: Arc<Mutex<Vec<u8>>>,
    requests: Arc<AtomicUsize>,
}

impl Page {
    /// HTML at `/`.
    pub fn of(content: impl Into<Vec<u8>>) -> Page {
        let content = Arc::new(Mutex::new(content.into()));
        let requests: Arc<AtomicUsize> = Arc::default();
        let (shown, count) = (Arc::clone(&content), Arc::clone(&requests));
        let listener = Listener::start(move |_| {
            count.fetch_add(1, Ordering::SeqCst);
            let body = shown.lock().expect("no panic").clone();
            let headers = vec![("content-type", "text/html; charset=utf-8".to_owned())];
            Reply::Answer { status: 200, headers, body }
        });
        Page { listener, content, requests }
    }

    pub fn url(&self) -> String {
        self.listener.url(1, "/")
    }

    /// The same page as another host of this machine.
    pub fn url_on(&self, host: &str) -> String {
        format!("http://{host}:{}/", self.listener.address.port())
    }

    pub fn show(&self, content: impl Into<Vec<u8>>) {
        *self.content.lock().expect("no panic") = content.into();
    }

    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}
