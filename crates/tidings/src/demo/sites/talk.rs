//! A forum.

use crate::demo::markup::{self, slug};
use crate::demo::world::Moment;

/// Threads on the page.
const THREADS_SHOWN: u64 = 8;

/// Threads, each with counters that count and a link that carries the visitor's session.
pub fn forum(moment: &Moment<'_>) -> String {
    let session = moment.noise("session").hex();
    // Every change brings two.
    let rows: Vec<String> = (2 * moment.changes..2 * moment.changes + THREADS_SHOWN)
        .rev()
        .map(|index| {
            let (title, by) = THREADS[moment.dealt(index, THREADS.len())];
            let mut noise = moment.noise("thread");
            let (replies, views) = (noise.below(30), 100 + noise.below(900));
            let number = 8_200 + index;
            format!(
                "<li class=\"t-{session}\"><a href=\"/thread/{number}-{}?sid={session}\">{title}</a> by {by}\
                 <div>{replies} replies, {views} views, last one {} minutes ago</div></li>",
                slug(title),
                1 + noise.below(50)
            )
        })
        .collect();
    let online = 3 + moment.noise("online").below(60);
    let below = format!("{online} people online. It is {}.", moment.clock());
    let body = format!("<ul>{}</ul>\n{}", rows.join("\n"), markup::sponsor(moment));
    markup::page(moment, &below, &body)
}

const THREADS: [(&str, &str); 20] = [
    ("My toaster pops only on one side", "hettie"),
    ("Where to find knobs for a 1962 radio?", "old_valve"),
    ("Zip repaired with dental floss, photos inside", "needle"),
    ("Bicycle bell too loud, what now?", "kettil"),
    ("Glue for porcelain that may get wet", "marit"),
    ("The hinge that nobody makes any more", "joiner77"),
    ("Kettle switches off too early", "steam"),
    ("How do you sharpen a bread knife?", "crumb"),
    ("Umbrella rib broken, spare part printed", "pell"),
    ("Wall clock gains four minutes a day", "tick"),
    ("Is this screw a standard one?", "hettie"),
    ("A lamp from a church, rewired", "lux"),
    ("Sewing machine skips every third stitch", "marit"),
    ("Felt for piano hammers", "basso"),
    ("Rust on cast iron, the gentle way", "kettil"),
    ("The drawer that sticks in summer", "joiner77"),
    ("Headphones: one ear is silent", "old_valve"),
    ("Which oil for a garden gate?", "needle"),
    ("Suitcase wheel, second life", "steam"),
    ("Thank you all, it runs again!", "tick"),
];
