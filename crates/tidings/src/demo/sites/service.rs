//! Pages that companies keep for their customers: status, departures, release notes, terms.

use crate::demo::markup;
use crate::demo::world::Moment;

/// A headline that turns, among a clock, latencies and a shuffled order.
pub fn status(moment: &Moment<'_>) -> String {
    // Incidents begin at odd changes and end at even ones.
    let incident = moment.changes.div_ceil(2);
    let troubled = moment.changes % 2 == 1;
    let (part, what) = INCIDENTS[moment.dealt(incident, INCIDENTS.len())];
    let headline = if troubled {
        format!("Partial outage: {what}")
    } else {
        "All systems operational".to_owned()
    };
    let mut noise = moment.noise("status");
    let mut parts = PARTS;
    noise.shuffle(&mut parts);
    let rows: Vec<String> = parts
        .iter()
        .map(|&name| {
            let light = if troubled && name == part { "slow" } else { "well" };
            format!("<tr><td>{name}</td><td>{light}</td><td>{} ms</td></tr>", 20 + noise.below(90))
        })
        .collect();
    let below = format!("Checked at {}, next check in {} s", moment.clock(), 5 + noise.below(25));
    let body = format!(
        "<h2>{headline}</h2>\n<table>{}</table>\n<footer>{} checks today</footer>",
        rows.join("\n"),
        moment.visitors(12)
    );
    markup::page(moment, &below, &body)
}

/// A departure board: a train is cancelled, later it runs again.
pub fn trains(moment: &Moment<'_>) -> String {
    let which = moment.dealt(moment.changes.div_ceil(2), TRAINS.len());
    let cancelled = moment.changes % 2 == 1;
    let rows: Vec<String> = TRAINS
        .iter()
        .enumerate()
        .map(|(index, (time, to))| {
            let platform = 1 + index % 4;
            let remark = if cancelled && index == which {
                "cancelled".to_owned()
            } else {
                format!("platform {platform}")
            };
            format!("<tr><td>{time} to {to}: {remark}</td></tr>")
        })
        .collect();
    let mut noise = moment.noise("trains");
    let announcement = noise.pick(&[
        "Please keep the doors free.",
        "The waiting room is heated.",
        "Dogs travel at half price.",
        "Lost: one glove, left, red.",
    ]);
    let below = format!("It is {}. {announcement}", moment.clock());
    markup::page(moment, &below, &format!("<table>{}</table>", rows.join("\n")))
}

/// The newest releases, as a static page: not a byte differs between two of them.
pub fn releases(moment: &Moment<'_>) -> String {
    let rows: Vec<String> = (moment.changes..moment.changes + 4)
        .rev()
        .map(|index| {
            let (what, more) = NOTES[moment.dealt(index, NOTES.len())];
            let (major, minor) = (4 + index / 10, index % 10);
            format!("<h2>Marmalade {major}.{minor}</h2>\n<ul><li>{what}</li><li>{more}</li></ul>")
        })
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\
         <body><h1>{title}</h1>\n{}\n</body></html>\n",
        rows.join("\n"),
        title = moment.site.title
    )
}

/// Clauses, one of which is worded anew at every change.
pub fn terms(moment: &Moment<'_>) -> String {
    let clauses: Vec<String> = CLAUSES
        .iter()
        .enumerate()
        .map(|(index, wordings)| {
            let (index, count) = (index as u64, CLAUSES.len() as u64);
            let turns = (moment.changes + count - 1 - index) / count;
            let wording = wordings[(turns % wordings.len() as u64) as usize];
            format!("<p>{}. {wording}</p>", index + 1)
        })
        .collect();
    markup::page(moment, "Please read them; we did.", &clauses.join("\n"))
}

const PARTS: [&str; 6] = ["Websites", "Mail", "Storage", "Backups", "Names", "Console"];

const INCIDENTS: [(&str, &str); 6] = [
    ("Mail", "mail is delivered with a delay"),
    ("Storage", "one storage rack answers slowly"),
    ("Names", "some names resolve only at the second try"),
    ("Backups", "last night's backups are still running"),
    ("Console", "the console asks people to log in twice"),
    ("Websites", "some websites are served from the spare room"),
];

const TRAINS: [(&str, &str); 7] = [
    ("17:05", "Sandholm"),
    ("17:12", "Port Ellery"),
    ("17:20", "Mill Lane"),
    ("17:31", "the Lighthouse"),
    ("17:44", "Oldchurch"),
    ("18:02", "Sandholm"),
    ("18:10", "Three Bridges"),
];

const NOTES: [(&str, &str); 12] = [
    ("Opens files of ten gigabytes", "Faster start on old machines"),
    ("Security fix: links in previews are checked before they open", "Smaller download"),
    ("Search and replace over whole folders", "Remembers what you searched for"),
    ("New theme: Seville", "Icons for every screen"),
    ("Undo reaches back to last week", "Fixes a crash when the disk is full"),
    ("Spelling in eleven more languages", "Right-to-left text wraps well"),
    ("Security fix: plugins ask before they use the network", "Plugins can be paused"),
    ("Two cursors, or two hundred", "Pastes what you meant"),
    ("Side-by-side view of two versions", "Colours that everybody can tell apart"),
    ("Saves while you type", "Fixes the toolbar that hid itself"),
    ("Works without a mouse", "A manual of forty pages"),
    ("Security fix: backups are readable by their owner only", "Prints in columns"),
];

const CLAUSES: [[&str; 2]; 5] = [
    [
        "You may end the contract at the end of any month.",
        "You may end the contract at any time, and pay to the end of the month.",
    ],
    [
        "We keep logs for thirty days, then we delete them.",
        "We keep logs for seven days, then we delete them.",
    ],
    [
        "Backups are made every night and kept for two weeks.",
        "Backups are made every night and kept for four weeks.",
    ],
    [
        "Support answers on working days within eight hours.",
        "Support answers every day within eight hours.",
    ],
    [
        "Prices may change once a year, and we tell you two months before.",
        "Prices may change once a year, and we tell you three months before.",
    ],
];
