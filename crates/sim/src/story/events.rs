//! What a story does to Tidings, in words: what the web shows, who refuses, who asks for what.

use super::Moment;
use crate::case::Case;
use crate::moment;
use crate::people::Answer;
use crate::shell::Wish;
use crate::web::{Reply, Trouble};
use chronon::Instant;

/// Characters of a page that are shown.
const SHOWN_CHARS: usize = 60;

/// Every event with its time, in no order.
pub(super) fn of(case: &Case) -> Vec<(Instant, Moment)> {
    let mut events = Vec::new();
    let mut event = |at: Instant, what: String| {
        let text = format!("{}  * {what}", moment::show(at - case.start));
        events.push((at, Moment::Event(text)));
    };
    for (url, at, reply) in &case.shown {
        event(*at, format!("{url} {}", reply_in_words(reply)));
    }
    for fault in &case.faults {
        let what = trouble_in_words(&fault.what);
        let where_ = fault.url.as_deref().unwrap_or("every page");
        let until = moment::show(fault.to - case.start);
        event(fault.from, format!("{where_} {what} until {until}"));
    }
    for mood in &case.moods {
        let who = mood.who.as_deref().unwrap_or("every recipient");
        let until = moment::show(mood.to - case.start);
        event(mood.from, format!("{who} {} until {until}", answer_in_words(&mood.answer)));
    }
    for (at, wish) in &case.wishes {
        event(*at, wish_in_words(wish));
    }
    for (from, to) in &case.disk_full {
        event(*from, format!("the disk is full until {}", moment::show(*to - case.start)));
    }
    events
}

fn reply_in_words(reply: &Reply) -> String {
    match reply {
        Reply::Redirect { to, .. } => format!("leads to {to}"),
        Reply::Page(page) => {
            let body = String::from_utf8_lossy(&page.body).replace('\n', " ");
            let mut shown: String = body.chars().take(SHOWN_CHARS).collect();
            if shown.len() < body.len() {
                shown.push('…');
            }
            match page.status {
                200 => format!("shows {shown}"),
                status => format!("answers {status}"),
            }
        }
    }
}

fn trouble_in_words(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Status { status, .. } => format!("answers {status}"),
        Trouble::Timeout => "answers nothing".to_owned(),
        Trouble::Reset => "closes the connection".to_owned(),
        Trouble::Truncate => "answers with half a body".to_owned(),
        Trouble::Slow(after) => format!("takes {after} to answer"),
    }
}

fn answer_in_words(answer: &Answer) -> String {
    match answer {
        Answer::Takes { after } => format!("takes messages after {after}"),
        Answer::Status { status, .. } => format!("answers {status}"),
        Answer::Timeout => "answers nothing".to_owned(),
        Answer::Refuses => "refuses connections".to_owned(),
    }
}

fn wish_in_words(wish: &Wish) -> String {
    match wish {
        Wish::Apply { name, .. } => format!("somebody applies the text of {name}"),
        Wish::Remove { name } => format!("somebody removes {name}"),
        Wish::Enable { name, enabled } => {
            format!("somebody {} {name}", if *enabled { "enables" } else { "disables" })
        }
        Wish::Snooze { name, until } => {
            format!("somebody wants to hear nothing of {name} before {until}")
        }
        Wish::Discard { name } => format!("somebody removes {name}, and may take that back"),
        Wish::TakeBack { name } => format!("somebody wants {name} back"),
        Wish::Rename { name, to } => format!("somebody calls {name} {to}"),
        Wish::Raise { name, .. } => format!("somebody raises the event {name}"),
        Wish::Probe { url } => format!("somebody asks for a look at {url}"),
        Wish::Test { channel, .. } => format!("somebody tests the channel {channel}"),
        Wish::Budget { per_chronon } => {
            format!("somebody sets the budget to {per_chronon} looks per chronon")
        }
    }
}
