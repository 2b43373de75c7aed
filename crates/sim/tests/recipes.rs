//! The recipes of the manual, each played as it stands there.

use sim::story::{self, Moment};
use std::path::Path;

/// What happens around a recipe, and who is told of what, a line each.
struct Played {
    title: &'static str,
    story: &'static str,
    told: &'static [&'static str],
}

const RECIPES: [Played; 10] = [
    Played {
        title: "Down twice within an hour.",
        story: "-- page https://status.example/ @ 00:00 --\n<p>All is well.</p>
-- page https://status.example/ @ 00:12 --\n<p>It is down.</p>
-- page https://status.example/ @ 00:22 --\n<p>All is well.</p>
-- page https://status.example/ @ 00:32 --\n<p>It is down.</p>
-- end @ 02:00 --",
        told: &["unstable:"],
    },
    Played {
        title: "Cheap, and in stock.",
        story: "-- page https://shop.example/tv @ 00:00 --\n<p class=\"price\">500 EUR</p>
-- page https://shop.example/tv @ 00:15 --\n<p class=\"price\">390 EUR</p>
-- page https://shop.example/tv @ 05:00 --\n<p class=\"price\">390 EUR</p> <p>In stock</p>
-- end @ 08:00 --",
        told: &["buy:"],
    },
    Played {
        title: "No new entry for a week.",
        story: "-- page https://blog.example/ @ 00:00 --\n<a href=\"/1\">One</a>
-- page https://blog.example/ @ 1d 00:00 --\n<a href=\"/1\">One</a> <a href=\"/2\">Two</a>
-- page https://blog.example/ @ 3d 00:00 --\n<a href=\"/1\">One</a> <a href=\"/3\">Three</a>
-- end @ 14d 00:00 --",
        told: &["silent:"],
    },
    Played {
        title: "Two of three papers carry the story.",
        story: "-- page https://a.example/ @ 00:00 --\n<p>Porto</p>
-- page https://b.example/ @ 00:00 --\n<p>Porto</p>
-- page https://c.example/ @ 00:00 --\n<p>Porto</p>
-- page https://c.example/ @ 02:30 --\n<p>Porto, Lisbon</p>
-- page https://a.example/ @ 05:30 --\n<p>Porto, Lisbon</p>
-- end @ 12:00 --",
        told: &["story:"],
    },
    Played {
        title: "A digest that starts at the first hit.",
        story: "-- page https://forum.example/ @ 00:00 --\n<a href=\"/1\">One</a>
-- page https://forum.example/ @ 00:12 --\n<a href=\"/2\">Two</a>
-- page https://forum.example/ @ 00:32 --\n<a href=\"/3\">Three</a>
-- page https://forum.example/ @ 03:02 --\n<a href=\"/4\">Four</a>
-- end @ 06:00 --",
        told: &["hourly:", "hourly:"],
    },
    Played {
        title: "Watch more closely for an hour after an alert.",
        story: "-- disable fine @ 00:01 --
-- page https://air.example/ @ 00:00 --\n<p>Nothing.</p>
-- page https://air.example/ @ 00:20 --\n<p>The sale begins.</p>
-- page https://air.example/ @ 01:05 --\n<p>The sale begins.</p> <a href=\"/l\">Lisbon</a>
-- page https://air.example/ @ 02:45 --\n<p>The sale begins.</p> <a href=\"/p\">Porto</a>
-- end @ 04:00 --",
        told: &["fine"],
    },
    Played {
        title: "Down, and not up again within a quarter of an hour.",
        story: "-- page https://status.example/ @ 00:00 --\n<p>All is well.</p>
-- page https://status.example/ @ 00:12 --\n<p>It is down.</p>
-- page https://status.example/ @ 00:17 --\n<p>All is well.</p>
-- page https://status.example/ @ 01:00 --\n<p>It is down.</p>
-- page https://status.example/ @ 01:40 --\n<p>All is well.</p>
-- end @ 03:00 --",
        told: &["outage:"],
    },
    Played {
        title: "A nightly job that did not report.",
        story: "-- raise backup @ 02:00 --\n-- raise backup @ 1d 02:10 --\n-- end @ 4d 00:00 --",
        told: &["missing:"],
    },
    Played {
        title: "By mail in the daytime, and at night to the log.",
        story: "-- page https://news.example/ @ 00:00 --\n<a href=\"/1\">One</a>
-- page https://news.example/ @ 03:00 --\n<a href=\"/2\">Two</a>
-- page https://news.example/ @ 12:00 --\n<a href=\"/3\">Three</a>
-- end @ 18:00 --",
        told: &["daily:"],
    },
    Played {
        title: "When the maker changes its page, look at the shop.",
        story: "-- page https://maker.example/ @ 00:00 --\n<p>Last year's model is here.</p>
-- page https://shop.example/tv @ 00:00 --\n<p class=\"price\">500 EUR</p>
-- page https://maker.example/ @ 05:01 --\n<p>A model of this year is here now.</p>
-- page https://shop.example/tv @ 05:02 --\n<p class=\"price\">390 EUR</p>
-- end @ 05:30 --",
        told: &["shop"],
    },
];

/// The recipes of the manual: a title, and the text below it.
fn recipes() -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/manual.md");
    let manual = std::fs::read_to_string(path).expect("the manual");
    let (_, part) = manual.split_once("### Rules, and ten recipes").expect("the recipes");
    let (part, _) = part.split_once("\n## ").expect("the next chapter");
    let recipe = |part: &str| {
        let (title, rest) = part.split_once("**").expect("a title ends");
        let (_, text) = rest.split_once("```sentinel\n").expect("a text");
        let (text, _) = text.split_once("```").expect("a text ends");
        (title.to_owned(), text.to_owned())
    };
    part.split("\n**").skip(1).map(recipe).collect()
}

#[test]
fn every_recipe_of_the_manual_does_what_it_says() {
    let (recipes, mut wrong) = (recipes(), String::new());
    let titles: Vec<&str> = recipes.iter().map(|(title, _)| title.as_str()).collect();
    assert_eq!(titles, RECIPES.map(|played| played.title));
    for (played, (title, text)) in RECIPES.iter().zip(&recipes) {
        let case = format!("# {title}\n-- rule recipe --\n{text}{}\n-- expect --\n", played.story);
        let telling = story::tell(&case).unwrap_or_else(|error| panic!("{title} {error}"));
        let lines: Vec<String> = telling
            .lines
            .into_iter()
            .map(|moment| match moment {
                Moment::Line { text, .. } | Moment::Event(text) => text,
            })
            .collect();
        let mails = lines.iter().filter(|line| {
            line.contains(" you@example.org ")
                && [" tells ", " notify "].iter().any(|kind| line.contains(kind))
        });
        let told: Vec<&String> = mails.collect();
        let is_so = told.len() == played.told.len()
            && told.iter().zip(played.told).all(|(line, wanted)| line.contains(wanted));
        if !is_so {
            wrong.push_str(&format!("--- {title}\n{}\n", lines.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
