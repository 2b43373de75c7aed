//! A newspaper, and two feeds.

use crate::demo::markup::{self, slug};
use crate::demo::world::Moment;

/// Stories on the front page.
const STORIES_SHOWN: u64 = 7;
/// Entries of a feed.
const ENTRIES_SHOWN: u64 = 8;

/// Links to stories, among a clock, weather, counters, advertisements and a list that is shuffled.
pub fn news(moment: &Moment<'_>) -> String {
    let stories: Vec<String> = newest(moment, STORIES_SHOWN)
        .map(|index| {
            let (title, teaser) = STORIES[moment.dealt(index, STORIES.len())];
            let number = 4_100 + index;
            format!(
                "<article><h2><a href=\"/stories/{number}-{}\">{title}</a></h2><p>{teaser}</p></article>",
                slug(title)
            )
        })
        .collect();
    let mut noise = moment.noise("news");
    let mut read = MOST_READ;
    noise.shuffle(&mut read);
    let read: Vec<String> = read
        .iter()
        .map(|title| format!("<li><a href=\"/guides/{}\">{title}</a></li>", slug(title)))
        .collect();
    let weather = noise.pick(&["light rain", "sun and clouds", "fog over the bay", "a fresh wind"]);
    let below = format!("{}, as of {}. Today: {weather}.", moment.date(), moment.clock());
    let body = format!(
        "{}\n{}\n<aside><h3>Most read</h3><ol>{}</ol></aside>\n\
         <footer>You are visitor {}. <a href=\"/login?csrf={}\">Log in</a></footer>",
        stories.join("\n"),
        markup::sponsor(moment),
        read.join(""),
        moment.visitors(90),
        noise.hex(),
    );
    markup::page(moment, &below, &body)
}

/// An Atom feed; the time of the feed itself is new at every look.
pub fn planning(moment: &Moment<'_>) -> String {
    let entries: Vec<String> = newest(moment, ENTRIES_SHOWN)
        .map(|index| {
            let (title, summary) = NOTICES[moment.dealt(index, NOTICES.len())];
            let number = 700 + index;
            format!(
                "<entry><id>urn:port-ellery:notice:{number}</id><title>{title}</title>\
                 <link href=\"/notices/{number}-{}\"/><updated>{}</updated>\
                 <summary>{summary}</summary></entry>",
                slug(title),
                moment.changed_at
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\
         <id>urn:port-ellery:notices</id><title>{}</title><updated>{}</updated>\
         <generator>Town Hall {}</generator>\n{}\n</feed>\n",
        moment.site.title,
        moment.now(),
        moment.noise("build").hex(),
        entries.join("\n")
    )
}

/// An RSS feed with a counting pixel in every entry.
pub fn baking(moment: &Moment<'_>) -> String {
    let pixel = moment.noise("pixel").hex();
    let items: Vec<String> = newest(moment, ENTRIES_SHOWN)
        .map(|index| {
            let (title, text) = LOAVES[moment.dealt(index, LOAVES.len())];
            let number = 50 + index;
            format!(
                "<item><guid isPermaLink=\"false\">slow-bread-{number}</guid><title>{title}</title>\
                 <link>/bread/{number}-{}</link>\
                 <description>&lt;p&gt;{text}&lt;/p&gt;&lt;img src=\"/pixel.svg?{pixel}\"&gt;</description></item>",
                slug(title)
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rss version=\"2.0\"><channel><title>{}</title>\
         <link>/</link><description>Flour, water, time</description><ttl>{}</ttl>\n{}\n</channel></rss>\n",
        moment.site.title,
        5 + moment.noise("ttl").below(50),
        items.join("\n")
    )
}

/// The numbers of what is shown, newest first: one more with every change.
fn newest(moment: &Moment<'_>, shown: u64) -> impl Iterator<Item = u64> {
    (moment.changes..moment.changes + shown).rev()
}

const MOST_READ: [&str; 5] = [
    "Tide tables for the year",
    "Where to buy fresh fish",
    "The lighthouse, room by room",
    "Walks along the sea wall",
    "How to name a boat",
];

const STORIES: [(&str, &str); 30] = [
    (
        "Night ferry to Sandholm returns in spring",
        "Two crossings a week, with cabins and a small library on board.",
    ),
    (
        "Council votes to keep the old crane",
        "The crane at Quay 4 will be painted green and lit after dark.",
    ),
    (
        "Seals seen on the north beach again",
        "Eleven were counted on Sunday; visitors are asked to keep their distance.",
    ),
    (
        "Bakery on Rope Walk wins regional prize",
        "The judges praised a rye loaf that takes three days.",
    ),
    ("Harbour pool opens a week early", "Warm water from the ice rink makes it possible."),
    (
        "Football: Ellery hold the leaders to a draw",
        "A late header, and a goalkeeper who could not stop smiling.",
    ),
    (
        "Two new cycle paths planned along the canal",
        "Work begins as soon as the herons have left their nests.",
    ),
    (
        "School choir to sing for the ferryman",
        "Forty voices, one accordion, and a cake in the shape of his boat.",
    ),
    (
        "Storm tore down the pier clock, now it ticks again",
        "A retired watchmaker repaired it in his kitchen.",
    ),
    ("Library lends tools from Monday", "Drills, ladders and a machine for peeling apples."),
    ("Fishermen agree on a quieter engine", "Twelve boats will be refitted before the winter."),
    (
        "Lighthouse keeper's diary found in an attic",
        "It tells of fog, of letters, and of a cat called Admiral.",
    ),
    (
        "Football: under-twelves reach the final",
        "Training moves to the big pitch, and so do the parents.",
    ),
    ("Ferries to carry bicycles free of charge", "Forty hooks have been screwed to the car deck."),
    (
        "Museum buys the first electric lawn mower",
        "It ran for nine minutes and frightened a horse.",
    ),
    (
        "Market moves to the square for the summer",
        "Flowers on the left, fish on the right, shade in the middle.",
    ),
    ("Volunteers plant six hundred elms", "Each tree has a number, and many already have a name."),
    ("Sailing school to teach at dawn", "The instructor says the sea is best before breakfast."),
    ("Harbour lights to be dimmed for the stars", "Astronomers and owls are said to be pleased."),
    (
        "Island post boat gets a second captain",
        "She knows every letter box between here and Sandholm.",
    ),
    (
        "Record number of swifts under the town hall roof",
        "The mayor has postponed the new gutters.",
    ),
    ("Radio Ellery moves into the signal box", "Broadcasts may be interrupted by trains."),
    ("Old sail loft becomes a workshop for instruments", "The first cello is expected in autumn."),
    ("Ferry company tests a battery ship", "It crossed the sound in silence, twice."),
    (
        "Football: stadium roof to collect rain",
        "The pitch will be watered with what falls on the stands.",
    ),
    (
        "Children design the new playground",
        "It will have a whale, a tunnel, and no rules about mud.",
    ),
    ("Fog horn to sound at noon for one week", "Engineers are tuning it to a friendlier note."),
    ("Chess in the park until the first frost", "Boards are free; patience must be brought along."),
    (
        "Bridge to the old town closed for one night",
        "A house will be carried across it, very slowly.",
    ),
    ("Town orchestra looks for a second bassoon", "Rehearsals are on Tuesdays, soup is included."),
];

const NOTICES: [(&str, &str); 16] = [
    ("Footbridge at Mill Lane", "A new bridge of larch for walkers, two metres wide."),
    ("Extension of a conservatory, 14 Elm Row", "One storey, glass, to the rear."),
    ("Cycle parking at the station", "Shelter for two hundred bicycles, with a roof of grass."),
    ("Change of use, 3 Quay Street", "From a store of nets to a reading room."),
    ("Repair of the swing bridge", "The bridge will open for ships at night only, for six weeks."),
    ("Garden shed above the usual height, 9 Hill Road", "The applicant keeps tall plants."),
    ("Cycleway along the canal, part two", "Lighting that wakes when somebody comes."),
    ("Solar roof for the fire station", "Panels on the drill tower and the garage."),
    ("Bridge over the leat, Tanners' Field", "Stone from the old bridge is used again."),
    ("Removal of a diseased chestnut, Market Square", "Three young trees take its place."),
    ("Slipway for rowing boats", "Beside the sailing school, open to everybody."),
    ("Cyclists' crossing at Station Road", "Green at once when nobody else is coming."),
    ("New windows, 22 Rope Walk", "Oak, painted, as in the photograph of 1904."),
    (
        "Public hearing: the harbour plan",
        "In the town hall, on Thursday evening, with interpreters.",
    ),
    ("Kiosk at the ferry terminal", "Newspapers, coffee, and lost property."),
    ("Bridge House: a second staircase", "Inside, of steel, required by the fire brigade."),
];

const LOAVES: [(&str, &str); 14] = [
    ("Rye for beginners", "Three ingredients and a little courage."),
    ("What a starter wants", "Warmth, regular meals, and to be left alone."),
    ("Baguettes at home", "Steam is everything; here is how to get it."),
    ("The loaf that travels", "A bread that is best on its fourth day."),
    ("Barley, the forgotten grain", "Nutty, heavy, and good with cheese."),
    ("Baking without a clock", "Look, touch, and smell instead."),
    ("A crust that sings", "Listen when it leaves the oven."),
    ("Flatbread in ten minutes", "For evenings when nobody planned ahead."),
    ("Salt, how much and when", "Later than you think."),
    ("Milk rolls for a rainy Sunday", "Soft, shiny, gone by noon."),
    ("Old bread, new bread", "Yesterday's crumbs make tomorrow's dough better."),
    ("A visit to the water mill", "The miller lets the stones rest at noon."),
    ("Spelt and honey", "A dough that needs gentle hands."),
    ("The oven on the hill", "The village bakes together on Saturdays."),
];
