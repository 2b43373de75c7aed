mod ever;

use super::*;
use crate::{Leaf, View, run_knowing};
use chronon::{Day, Span, VersionNo};
use page::{Block, Hints, Odd};
use proptest::prelude::*;
use std::sync::Arc;

fn page(body: &str) -> Extract {
    let url = url::Url::parse("https://site.example/").unwrap();
    let media = if body.starts_with('{') { "application/json" } else { "text/html" };
    let hints = Hints { content_type: Some(media), url: &url };
    page::read(body.as_bytes(), &hints, &page::Limits::default()).unwrap()
}

const ONCE: Arrived = Arrived { looks: 1, at: Instant::EPOCH, asked: false };

/// Which of the looks are told by `any change`, the first left out.
fn told(bodies: &[String], arrived: Arrived, loud: &BTreeSet<Key>) -> Vec<bool> {
    told_by(crate::Aspect::Any, bodies, arrived, loud)
}

fn told_by(
    aspect: crate::Aspect,
    bodies: &[String],
    arrived: Arrived,
    loud: &BTreeSet<Key>,
) -> Vec<bool> {
    let mut habits = Habits::default();
    let extracts: Vec<Arc<Extract>> = bodies.iter().map(|body| Arc::new(page(body))).collect();
    let looks = extracts.windows(2).map(|pair| {
        let known = habits.clone().after_calm(arrived.looks - 1);
        let (told, blocks) = tells(aspect, [&pair[0], &pair[1]], &known, loud);
        assert_eq!(blocks.is_some(), aspect == crate::Aspect::Any);
        habits.learn([&pair[0], &pair[1]], blocks, arrived, &Limits::default());
        habits = Habits::decode(&habits.encode()).unwrap();
        told
    });
    looks.collect()
}

/// The looks at an interface of a shop, of which each shows `runs` and most the same goods.
fn shop(runs: impl Fn(u32) -> String, price: impl Fn(u32) -> u32) -> Vec<String> {
    let goods = |look| {
        let good = |id: u32, name: &str| {
            let price = if id == 1 { price(look) } else { 90 };
            format!(r#"{{"id":{id},"name":"{name}","state":"in stock","price":{price}}}"#)
        };
        [good(1, "Kettle"), good(2, "Mixer"), good(3, "Toaster")].join(",")
    };
    let look = |look| format!(r#"{{{},"goods":[{}]}}"#, runs(look), goods(look));
    (0..9).map(look).collect()
}

#[test]
fn a_new_row_does_as_the_rows_beside_it() {
    let look = |look: u32, loads: &dyn Fn(u32) -> u32| {
        let row = |(at, name): (u32, &&str)| {
            let load = loads(at) + (10 + 7 * at) * look % 60;
            format!("<tr><td>{name}<td>{load} %<td>Porto</tr>")
        };
        let names = ["alpha", "beta", "gamma", "delta"];
        let rows: String = (0..).zip(&names[..if look < 7 { 3 } else { 4 }]).map(row).collect();
        format!("<h1>Servers</h1><table><tr><th>Name<th>Load<th>Region</tr>{rows}</table>")
    };
    let none = BTreeSet::new();
    let all: Vec<String> = (0..11).map(|at| look(at, &|_| 10)).collect();
    let told_of = told(&all, ONCE, &none);
    assert_eq!(told_of[6..], [true, false, false, false], "it came");
    // Where the rows beside it stand still, a new one is told as they would be.
    let still = |at: u32| {
        let load = if at > 6 { 10 + at } else { 10 };
        let rest = if at < 7 { String::new() } else { format!("<tr><td>delta<td>{load} %") };
        format!("<h1>S</h1><table><tr><td>alpha<td>10 %<tr><td>beta<td>20 %{rest}</table>")
    };
    let all: Vec<String> = (0..11).map(still).collect();
    assert_eq!(told(&all, ONCE, &none)[6..], [true, true, true, true]);
}

#[test]
fn counters_and_tokens_for_programs_run_and_prices_do_not() {
    let still = |_| 40;
    let none = BTreeSet::new();
    let quiet_after_three = [true, true, true, false, false, false, false, false];
    let views = shop(|look| format!(r#""views":{}"#, 100 + look * 7), still);
    assert_eq!(told(&views, ONCE, &none), quiet_after_three);
    let next = |look: u32| {
        let token = format!("{:016x}", hash(&look.to_string()));
        format!(r#""next":"https://shop.example/goods?page=2&cursor={token}""#)
    };
    assert_eq!(told(&shop(next, still), ONCE, &none), [false; 8], "a token at once");
    let priced = shop(|_| r#""views":100"#.to_owned(), |look| 40 + look);
    assert_eq!(told(&priced, ONCE, &none), [true; 8], "a price is told however often");
    for kept in ["stock", "build_number", "status_code", "level"] {
        let numbered = shop(|look| format!(r#""{kept}":{look}"#), still);
        assert_eq!(told(&numbered, ONCE, &none), [true; 8], "{kept}");
    }
    // A counter is one with those of its siblings, also of one that is new.
    let siblings = |look: u32| {
        let late = if look < 7 { 5 } else { 900 };
        format!(r#""pages":[{{"id":1,"views":{}}},{{"id":2,"views":{late}}}]"#, 100 + look * 7)
    };
    let last = told(&shop(siblings, still), ONCE, &none);
    assert_eq!(last, quiet_after_three);
}

#[test]
fn numbers_that_are_no_counters_are_told_however_often_they_change() {
    let rates = |look: u32| {
        let rate = |name: &str, at: u32| format!(r#""{name}":1.{:03}"#, 80 + look * at);
        let rates = [rate("CHF", 1), rate("SEK", 2), rate("USD", 3), rate("NOK", 5)].join(",");
        format!(r#"{{"base":"EUR","source":"central bank","rates":{{{rates}}}}}"#)
    };
    let bodies: Vec<String> = (0..9).map(rates).collect();
    assert_eq!(told(&bodies, ONCE, &BTreeSet::new()), [true; 8]);
}

#[test]
fn what_ran_a_look_ago_says_less_than_what_stood_still() {
    let page = |views: u32, note: &str| {
        page(&format!("<main><h1>Kettle</h1><p>Seen {views} times</p><p>{note}</p></main>"))
    };
    let versions = [page(7, "Boils fast"), page(9, "Boils fast"), page(12, "Recalled")];
    let mut habits = Habits::default();
    habits.learn([&versions[0], &versions[1]], None, ONCE, &Limits::default());
    let known = crate::Known { habits: &habits, loud: &BTreeSet::new() };
    let change_type = crate::ChangeType::plain(crate::Aspect::Any);
    let compared = crate::compare_knowing(
        &versions[1],
        &versions[2],
        &change_type,
        &Limits::default(),
        &known,
    );
    let weights: Vec<crate::Weight> = compared.0.iter().map(|change| change.weight).collect();
    let [full, again] = [crate::Weight::FULL, crate::Weight::AGAIN];
    assert_eq!(weights, [full, again, full], "gone, seen so often, new");
}

#[test]
fn a_price_that_runs_as_that_of_a_share_says_less_than_what_stood_still() {
    let share = |at: usize| {
        let [sign, by] = [["▲", "0.8"], ["▼", "0.3"]][at % 2];
        format!("NORR {}.50 SEK {sign} {by} %", 210 + at)
    };
    let weights = |prices: &[&str]| -> Vec<(String, crate::Weight)> {
        let body = |at: usize| {
            let post = if at + 1 < prices.len() { "Remote" } else { "On-site" };
            page(&format!("<h1>Careers</h1><p>{}</p><p>Luleå: {post}</p>", prices[at]))
        };
        let mut habits = Habits::default();
        let last = prices.len() - 1;
        for at in 1..last {
            habits.learn([&body(at - 1), &body(at)], None, ONCE, &Limits::default());
        }
        let known = crate::Known { habits: &habits, loud: &BTreeSet::new() };
        let any = crate::ChangeType::plain(crate::Aspect::Any);
        let (old, new) = (body(last - 1), body(last));
        let found = crate::compare_knowing(&old, &new, &any, &Limits::default(), &known).0;
        let told = |change: &crate::Change| {
            let text = change.new.as_ref().map_or("", Thing::text);
            (text.chars().take(4).collect(), change.weight)
        };
        found.iter().map(told).collect()
    };
    let runs: Vec<String> = (0..6).map(share).collect();
    let runs: Vec<&str> = runs.iter().map(String::as_str).collect();
    let [full, again] = [crate::Weight::FULL, crate::Weight::AGAIN];
    let is = |price: crate::Weight, name: &str| vec![(name.into(), price), ("Lule".into(), full)];
    assert_eq!(weights(&runs), is(again, "NORR"));
    // A price that was another once or twice before is news as ever.
    let still = ["Kettle 40 EUR", "Kettle 40 EUR", "Kettle 39 EUR", "Kettle 38 EUR"];
    assert_eq!(weights(&still), is(full, "Kett"));
    let falls = ["Kettle 41 EUR", "Kettle 40 EUR", "Kettle 39 EUR", "Kettle 38 EUR"];
    assert_eq!(weights(&falls), is(full, "Kett"));
}

/// Which of the days are told by `any change`, where a page says `text` of each day from Tuesday,
/// 17 November 2026, on.
fn told_of_days(days: u32, text: impl Fn(Day) -> String) -> Vec<bool> {
    let tuesday = Day::new(2026, 11, 17).unwrap();
    let mut habits = Habits::default();
    let version = |day: i32| {
        let day = Day::of_number(tuesday.number() + day);
        Arc::new(page(&format!("<h1>The Ridge Courier</h1><p>{}</p><p>Bridge</p>", text(day))))
    };
    let told = |day| {
        let (old, new) = (version(day - 1), version(day));
        let at = Instant::EPOCH + Span::DAY.times((tuesday.number() + day).into()) + Span::MINUTE;
        let known = habits.clone().after_calm(23);
        let (told, blocks) = tells(crate::Aspect::Any, [&old, &new], &known, &BTreeSet::new());
        habits.learn(
            [&old, &new],
            blocks,
            Arrived { looks: 24, at, asked: false },
            &Limits::default(),
        );
        habits = Habits::decode(&habits.encode()).unwrap();
        told
    };
    (1..=days as i32).map(told).collect()
}

#[test]
fn a_burst_is_no_habit_once_it_is_over() {
    let seats =
        |n: u32| Arc::new(page(&format!("<h1>Evening course</h1><p>Seats left: {n} of 20.</p>")));
    let mut habits = Habits::default();
    let mut sees = |from: u32, looks: u32| {
        let (old, new) = (seats(from), seats(from - 1));
        let known = habits.clone().after_calm(looks - 1);
        let (told, blocks) = tells(crate::Aspect::Any, [&old, &new], &known, &BTreeSet::new());
        let arrived = Arrived { looks, ..ONCE };
        habits.learn([&old, &new], blocks, arrived, &Limits::default());
        (told, known.list().map(|quiet| quiet.because).collect::<Vec<_>>())
    };
    for from in [19, 18, 17] {
        assert!(sees(from, 1).0);
    }
    let (told, because) = sees(16, 1);
    assert_eq!(
        (told, &*because),
        (false, &["its numbers changed at 3 of the last 3 looks".into()][..])
    );
    assert_eq!(sees(15, 8), (true, vec![]), "seven looks showed the same");
}

#[test]
fn a_rest_as_long_as_others_is_part_of_a_habit() {
    let page_at = |n: u32| Arc::new(page(&format!("<h1>Harbour</h1><p>Boats today: {n}</p>")));
    let mut habits = Habits::default();
    let mut sees = |from: u32, looks: u32| {
        let (old, new) = (page_at(from), page_at(from + 1));
        let known = habits.clone().after_calm(looks - 1);
        let (told, blocks) = tells(crate::Aspect::Any, [&old, &new], &known, &BTreeSet::new());
        habits.learn([&old, &new], blocks, Arrived { looks, ..ONCE }, &Limits::default());
        told
    };
    let told: Vec<bool> = (0..9).map(|n| sees(n, 1 + n % 2)).collect();
    assert_eq!(told[4..], [false; 5], "it rests at every third look");
}

#[test]
fn a_look_that_somebody_asks_for_teaches_no_habit_and_ends_none() {
    let page_at =
        |n: u32| Arc::new(page(&format!("<h1>Harbour</h1><p>It is 10:{n} local time</p>")));
    let asked = Arrived { looks: 0, asked: true, ..ONCE };
    let sees = |habits: &mut Habits, from: u32, arrived| {
        let (old, new) = (page_at(from), page_at(from + 1));
        let (told, blocks) = tells(crate::Aspect::Any, [&old, &new], habits, &BTreeSet::new());
        habits.learn([&old, &new], blocks, arrived, &Limits::default());
        told
    };
    let mut habits = Habits::default();
    assert!((10..20).all(|n| sees(&mut habits, n, asked)), "each is told");
    assert!((20..23).all(|n| sees(&mut habits, n, ONCE)));
    assert!((23..33).all(|n| !sees(&mut habits, n, asked)), "it goes on");
    assert!(!sees(&mut habits, 33, ONCE));
    // Nor do changes of something else end it.
    let other =
        |n: u32| Arc::new(page(&format!("<h1>Harbour {n}th</h1><p>It is 10:34 local time</p>")));
    for n in 0..6 {
        habits.learn([&other(n), &other(n + 1)], None, asked, &Limits::default());
    }
    assert!(!sees(&mut habits, 34, ONCE));
}

#[test]
fn a_stray_change_long_before_makes_no_rest_a_habit() {
    let page_at = |n: u32| Arc::new(page(&format!("<h1>Course</h1><p>Seats left: {n} of 90.</p>")));
    let mut habits = Habits::default();
    let mut sees = |from: u32, looks: u32| {
        let (old, new) = (page_at(from), page_at(from - 1));
        let known = habits.clone().after_calm(looks - 1);
        let (told, blocks) = tells(crate::Aspect::Any, [&old, &new], &known, &BTreeSet::new());
        habits.learn([&old, &new], blocks, Arrived { looks, ..ONCE }, &Limits::default());
        told
    };
    let looks = [1, 11, 1, 1, 8];
    assert!((0..5).all(|n| sees(80 - n, looks[n as usize])), "seats are told after a rest");
}

#[test]
fn a_box_rotates_on_after_a_look_that_somebody_asked_for() {
    let teasers = ["Ferry", "Bridge", "Market", "Tower", "Harbour", "Garden", "Museum", "Palace"];
    let page_of = |n: usize, fresh: bool| {
        let teaser =
            if fresh { format!("Never seen before {n}") } else { teasers[n % 3].to_owned() };
        let other = teasers[3 + n % 4];
        Arc::new(page(&format!(
            "<main><h1>News</h1><p>The day.</p><h2>Tips</h2><p>{teaser} tips</p>\
            <p>{other} tips</p></main>"
        )))
    };
    let mut habits = Habits::default();
    let mut last = page_of(0, false);
    let mut sees = |habits: &mut Habits, new: Arc<Extract>, arrived| {
        let (told, blocks) = tells(crate::Aspect::Any, [&last, &new], habits, &BTreeSet::new());
        habits.learn([&last, &new], blocks, arrived, &Limits::default());
        last = new;
        told
    };
    for n in 1..20 {
        sees(&mut habits, page_of(n, false), ONCE);
    }
    assert!(!sees(&mut habits, page_of(20, false), ONCE), "it is a habit");
    sees(&mut habits, page_of(1, true), Arrived { looks: 0, asked: true, ..ONCE });
    assert!(!sees(&mut habits, page_of(22, false), ONCE), "and stays one");
}

const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

#[test]
fn a_text_that_says_what_day_it_is_is_quiet_after_a_sunday() {
    let written = |day: Day| {
        format!(
            "{}, {} / {} / {}",
            WEEKDAYS[day.weekday() as usize],
            day.day(),
            day.month(),
            day.year()
        )
    };
    // Until Sunday it may come out on weekdays alone.
    let told = told_of_days(30, written);
    assert_eq!(told.iter().filter(|told| **told).count(), 5, "{told:?}");
    assert!(told[5..].iter().all(|told| !told), "{told:?}");
    // As a version would be written.
    let short = |day: Day| format!("{:02}.{:02}.{:02}", day.day(), day.month(), day.year() % 100);
    assert_eq!(told_of_days(30, short).iter().filter(|told| **told).count(), 5);
    // The date of a bulletin that does not come at weekends is told each time.
    let workdays = |day: Day| {
        let back = (day.weekday() - 4).max(0);
        let last = Day::of_number(day.number() - i32::from(back));
        written(last)
    };
    let told = told_of_days(30, workdays);
    assert_eq!(told.iter().filter(|told| **told).count(), 22, "{told:?}");
    // And so is what comes out on Sundays, too, a temperature beside the date, and what leaps.
    let report = |day: Day| format!("Situation report, {}", written(day));
    assert!(told_of_days(30, report).iter().all(|told| *told));
    let warm = |day: Day| format!("{}: {} °C", written(day), day.number() * 7 % 11);
    let told = told_of_days(30, warm);
    assert!(told.iter().all(|told| *told), "{told:?}");
    let due = |day: Day| match day.number() % 9 {
        0..8 => written(day),
        _ => format!("{}, corrected", written(day)),
    };
    let told = told_of_days(30, due);
    assert!(told.iter().filter(|told| **told).count() > 10, "{told:?}");
}

/// A request that compares two versions by one leaf and asks for all of it.
fn request(change_type: crate::ChangeType) -> crate::RoundRequest {
    let leaf =
        Leaf { change_type: change_type.clone(), directions: BTreeSet::new(), matching: None };
    let comparison = crate::Comparison {
        from: VersionNo(0),
        to: VersionNo(1),
        change_type,
        leaves: vec![leaf],
        pairing: crate::Pairing::Alike,
        earlier: vec![],
        status: None,
    };
    crate::RoundRequest { comparisons: vec![comparison], sources: vec![] }
}

fn tells(
    aspect: crate::Aspect,
    both: [&Arc<Extract>; 2],
    habits: &Habits,
    loud: &BTreeSet<Key>,
) -> (bool, Option<Blocks>) {
    let request = request(crate::ChangeType::plain(aspect));
    let mut load = |version: VersionNo, _: &View| Ok(Arc::clone(both[version.0 as usize]));
    let known = crate::Known { habits, loud };
    let (result, blocks) = run_knowing(&request, &mut load, &Limits::default(), &known);
    (result.comparisons[0].leaves[0].hits_total > 0, blocks)
}

fn looks(page: impl Fn(usize) -> String) -> Vec<String> {
    (0..14).map(page).collect()
}

fn none() -> BTreeSet<Key> {
    BTreeSet::new()
}

#[test]
fn a_clock_is_told_at_first_and_then_no_more() {
    let clock = looks(|n| format!("<h1>Harbour</h1><p>It is 10:{n:02} o'clock.</p>"));
    let told = told(&clock, ONCE, &none());
    assert!(told[0] && !told[3..].contains(&true), "{told:?}");
}

#[test]
fn times_in_members_become_quiet_however_they_are_written() {
    let second = |n: usize| 1_732_345_678 + 60 * n;
    type Write = Box<dyn Fn(usize) -> String>;
    let ways: [Write; 5] = [
        Box::new(move |n| second(n).to_string()),
        Box::new(move |n| format!("{}.{:03}", second(n), 7 * n + 1)),
        Box::new(move |n| format!("{}{:06}", second(n), 123 * n)),
        Box::new(move |n| format!("\"Sat, 23 Nov 2024 07:{n:02}:58 GMT\"")),
        Box::new(move |n| format!("\"2024-11-23 07:{n:02}:58 UTC\"")),
    ];
    for way in &ways {
        let bodies = looks(|n| format!("{{\"kettle\": {{\"seen\": {}, \"left\": 4}}}}", way(n)));
        let told = told(&bodies, ONCE, &none());
        assert!(told[0] && !told[3..].contains(&true), "{}: {told:?}", bodies[0]);
    }
    let numbers = looks(|n| format!("{{\"kettle\": {{\"left\": {n}}}}}"));
    assert!(told(&numbers, ONCE, &none()).iter().all(|told| *told), "a number may be news");
}

#[test]
fn what_changes_now_and_then_is_told_each_time() {
    let dates = looks(|n| format!("<h1>Council</h1><p>Next meeting: day {n} at the hall</p>"));
    let rare = Arrived { looks: 10, ..ONCE };
    assert!(told(&dates, rare, &none()).iter().all(|told| *told));
}

#[test]
fn prices_stock_and_versions_are_always_told() {
    for texts in [["49.90 EUR", "39.90 EUR"], ["In stock", "Sold out"], ["v1.0.2", "v1.0.3"]] {
        let pages = looks(|n| format!("<h1>Kettle</h1><p>{}</p>", texts[n % 2]));
        assert!(told(&pages, ONCE, &none()).iter().all(|told| *told), "{texts:?}");
    }
}

#[test]
fn a_text_that_comes_and_goes_becomes_quiet_and_others_do_not() {
    let texts = ["Was this helpful?", "Tell us what you think"];
    let mut pages = looks(|n| format!("<h1>Terms</h1><p>Fees are due.</p><p>{}</p>", texts[n % 2]));
    pages.push("<h1>Terms</h1><p>Fees are due at once.</p><p>Was this helpful?</p>".to_owned());
    let told = told(&pages, ONCE, &none());
    assert_eq!(told[..4], [true, true, true, false]);
    assert!(!told[3..13].contains(&true) && told[13], "{told:?}");
}

#[test]
fn a_page_that_was_another_one_in_between_has_no_habits_of_that() {
    let lines = |third: &str| {
        let line = |n: u32| format!("<p>Line {n} runs from the castle to quay {n}</p>");
        let all: String = (1..3).chain(4..9).map(line).collect();
        format!("<h1>Lines</h1>{all}<p>{third}</p>")
    };
    let good = lines("Line 3: good service");
    let other: String = (0..9).map(|n| format!("<p>Other words, number {n}</p>")).collect();
    let looks = [good.clone(), other, good, lines("Line 3: no service at all")];
    assert_eq!(told(&looks, ONCE, &BTreeSet::new()), [true, true, true]);
}

#[test]
fn what_is_new_beside_one_text_that_takes_turns_is_told() {
    let quotes = ["A fine kettle, says Ada", "It boils, says Grace", "I like it, says Joan"];
    let page = |quote: usize, row: &str| {
        let rows: String = (1..6).map(|n| format!("<p>Plan {n} has {n} seats</p>")).collect();
        let quote = quotes[quote % 3];
        format!("<h1>Plans</h1>{rows}{row}<p>{quote}</p>")
    };
    let mut looks: Vec<String> = (0..12).map(|n| page(n, "")).collect();
    looks.push(page(12, "<p>Plan 6 has an audit log</p>"));
    let told = told(&looks, ONCE, &BTreeSet::new());
    assert_eq!(told[8..11], [false; 3], "the quotation is quiet");
    assert!(told[11], "and the row beside it is not");
}

#[test]
fn a_state_that_lasts_for_some_looks_is_told_however_often() {
    let page = |state: &str| format!("<h1>The pass</h1><p>Wear boots.</p><p>{state}</p>");
    let states = ["The pass road is open for all", "No car may use it, because of snow and ice"];
    let [open, closed] = states.map(page);
    let looks = |stays: &[usize]| -> Vec<String> {
        let turns = stays.iter().enumerate().flat_map(|(n, stays)| vec![n % 2; *stays]);
        turns.map(|n| [&open, &closed][n].clone()).collect()
    };
    let told = |looks: &[String]| {
        let told = told(looks, ONCE, &BTreeSet::new());
        told.iter().filter(|told| **told).count()
    };
    assert_eq!(told(&looks(&[3, 2, 4, 3, 5, 4, 2, 3, 2])), 8, "each turn");
    let flickers = told(&looks(&[1; 20]));
    assert!((2..=3).contains(&flickers), "{flickers} of one that turns at each look");
    let notice = told(&looks(&[3, 1, 4, 1, 2, 1, 5, 1, 3]));
    assert!(notice <= 5, "{notice} of eight, of one that is never there for long");
}

#[test]
fn numbers_of_a_row_are_known_by_their_cell() {
    let row = |price: u32, hours: u32, views: usize| {
        format!(
            "<table><tr><td>Pageant 23</td><td>£{price}</td><td>{hours} hours</td><td>{views}</td>\
             </tr></table>"
        )
    };
    let mut looks: Vec<String> = (0..8).map(|n| row(4950, 590, 400 + n)).collect();
    looks.push(row(4950, 610, 409));
    looks.push(row(4650, 610, 411));
    looks.push(row(4650, 610, 412));
    let of_rows = told(&looks, ONCE, &BTreeSet::new());
    assert_eq!(of_rows[3..], [false, false, false, false, true, true, false]);
    let stock = |left: usize| format!("<p>Kettle, {left} available</p>");
    let looks: Vec<String> = (0..9).map(|n| stock(20 - n)).collect();
    assert_eq!(told(&looks, ONCE, &BTreeSet::new()), [true; 8], "what is left is news each time");
}

#[test]
fn lists_and_tables_beside_a_text_that_takes_turns_are_told() {
    let promos = ["Get the app.", "Ride free on Sundays.", "Tap to pay on all buses."];
    let works = ["No trains to Dock.", "Green line closed.", "Zoo closed."];
    let told_of = |counts: [usize; 2], form: [&str; 3]| {
        let [begin, each, end] = form;
        let look = |at: usize| {
            let count = if at < 2 { 1 } else { counts[usize::from(at >= 12)] };
            let count = if counts[0] == 0 && at < 12 { 0 } else { count };
            let list: String = works[..count].iter().map(|one| each.replace('*', one)).collect();
            let list = if count > 0 { format!("{begin}{list}{end}") } else { String::new() };
            let promo = promos[at % promos.len()];
            format!("<h1>Metro</h1><p>Hello.</p><h2>Works</h2>{list}<p>{promo}</p>")
        };
        let all: Vec<String> = (0..14).map(look).collect();
        told(&all, ONCE, &BTreeSet::new())[8..].to_vec()
    };
    let list = ["<ul>", "<li>*</li>", "</ul>"];
    let table = ["<table>", "<tr><td>*</td><td>May</td></tr>", "</table>"];
    for form in [list, table] {
        for counts in [[1, 2], [2, 3], [0, 1]] {
            let seen = told_of(counts, form);
            assert_eq!(seen, [false, false, false, true, false], "{counts:?} {form:?}");
        }
    }
}

#[test]
fn what_a_person_said_of_turns_under_a_heading_holds_for_its_lists() {
    let pool = ["Toaster", "Mug", "Tray", "Whisk", "Kettle"];
    let rotating = looks(|n| {
        let entry = |k: usize| format!("<li>{}</li>", pool[(n + 2 * k) % 5]);
        format!("<h1>Shop</h1><h2>Others bought</h2><ul>{}{}</ul>", entry(0), entry(1))
    });
    let section = turning::Form::Text.key("Others bought");
    let returns = pool.map(|text| Key { habit: Habit::Returns, hash: hash(text) });
    let loud = |keys: &[Key]| told(&rotating, ONCE, &keys.iter().copied().collect())[6..].to_vec();
    assert!(!loud(&returns).contains(&true), "{:?}", loud(&returns));
    let all: Vec<Key> = returns.into_iter().chain([section]).collect();
    assert!(!loud(&all).contains(&false), "{:?}", loud(&all));
}

#[test]
fn a_box_that_rotates_is_quiet_and_news_under_a_heading_are_not() {
    let pool = ["Toaster", "Mug", "Tray", "Whisk", "Kettle"];
    let rotating = looks(|n| {
        let entry = |k: usize| format!("<li>{}</li>", pool[(n + 2 * k) % 5]);
        format!("<h1>Shop</h1><h2>Others bought</h2><ul>{}{}</ul>", entry(0), entry(1))
    });
    let told_of_box = told(&rotating, ONCE, &none());
    assert!(!told_of_box[6..].contains(&true), "{told_of_box:?}");
    let news = looks(|n| {
        format!(
            "<h1>News</h1><h2>Latest</h2><p>Story {n} of the day, by {}</p><p>x</p>",
            "a".repeat(n + 1)
        )
    });
    assert!(told(&news, ONCE, &none()).iter().all(|told| *told));
}

#[test]
fn a_habit_that_ends_and_one_that_a_person_wants_are_told() {
    let mut clock = looks(|n| format!("<h1>Harbour</h1><p>It is 10:{n:02} o'clock.</p>"));
    let mut habits = Habits::default();
    let extracts: Vec<Extract> = clock.iter().map(|body| page(body)).collect();
    for pair in extracts.windows(2) {
        habits.learn([&pair[0], &pair[1]], None, ONCE, &Limits::default());
    }
    let quiet: Vec<Quiet> = habits.list().collect();
    assert_eq!(quiet.len(), 1);
    assert_eq!(quiet[0].because, "its numbers changed at 6 of the last 6 looks");
    let loud = BTreeSet::from([quiet[0].key]);
    assert_eq!(quiet[0].key.to_string().parse(), Ok(quiet[0].key));
    assert!(told(&clock, ONCE, &loud).iter().all(|told| *told));
    // It stands still for a while, then runs again.
    let last = extracts.last().unwrap();
    habits.learn([last, last], None, Arrived { looks: 9, ..ONCE }, &Limits::default());
    assert_eq!(habits.list().count(), 0);
    clock.clear();
}

#[test]
fn bytes_that_are_no_habits_are_refused() {
    for bytes in [&b""[..], &[0, 0, 0, 0, 0], &[1, 0, 0], &[1, 0, 0, 0, 0, 9, 9]] {
        assert_eq!(Habits::decode(bytes), Err(Unreadable));
    }
}

fn extract(texts: &[String]) -> Extract {
    Extract { blocks: texts.iter().map(|text| Block::plain(text.as_str())).collect(), ..page("") }
}

proptest! {
    /// Whatever pages do: what is stored is what was learned, within bounds, and nothing that
    /// happens for the first time is quiet.
    #[test]
    fn habits_survive_the_store_and_stay_small(
        pages in prop::collection::vec(prop::collection::vec("[a-c]( [0-9])?", 0..6), 2..12),
        strangers in prop::collection::vec("[a-z]{9}", 400),
    ) {
        let mut habits = Habits::default();
        for pair in pages.windows(2) {
            let (old, new) = (extract(&pair[0]), extract(&pair[1]));
            habits.learn([&old, &new], None, ONCE, &Limits::default());
        }
        for n in [0, 1, 2] {
            let (some, none) = (extract(&strangers[n * 100..]), extract(&[]));
            habits.learn([&some, &none], None, ONCE, &Limits::default());
        }
        prop_assert_eq!(Habits::decode(&habits.encode()).unwrap(), habits.clone());
        prop_assert!(habits.traces.len() <= TRACES_MAX);
        prop_assert!(habits.encode().len() <= TRACES_MAX * (28 + SAMPLE_BYTES) + 5);
        let (old, new) = (extract(&pages[0]), extract(&["never seen before".to_owned()]));
        let (old, new) = (Arc::new(old), Arc::new(new));
        prop_assert!(tells(crate::Aspect::Any, [&old, &new], &habits, &none()).0);
    }
}

#[test]
fn what_a_person_calls_noise_is_quiet_at_once_whatever_its_numbers() {
    let noise = |text| BTreeSet::from([Key::noise(text).unwrap()]);
    let bodies = |tip: &dyn Fn(usize) -> String| {
        looks(|n| format!("<h1>Shop</h1><p>{}</p><p>Kettle, 49 EUR</p>", tip(n)))
    };
    let votes = bodies(&|n| format!("{} people voted on Monday", 10 + n));
    assert!(told(&votes, ONCE, &none())[0]);
    assert!(told(&votes, ONCE, &noise("3 people voted on Friday")).iter().all(|told| !told));
    assert!(told(&votes, ONCE, &noise("3 people bought"))[0]);
    // What takes its place is told, and is no noise for that; a price is, if a person says so.
    let tips = bodies(&|n| if n % 2 == 0 { "Try tea" } else { "Concert in May" }.to_owned());
    let heard = told(&tips, ONCE, &noise("Try tea"));
    assert_eq!(heard[..2], [true, false], "{heard:?}");
    let price = |n: usize| format!("<p>Kettle, {n}.50 EUR</p>");
    assert!(told(&looks(price), ONCE, &noise("Kettle, 1 EUR")).iter().all(|told| !told));
    let build = |n: usize| format!("<p>Build 3423b{:03x}, last updated at 9:{n:02}</p>", 700 * n);
    let heard = told(&looks(build), ONCE, &noise("Build 7f0c11ae, last updated at 8:15"));
    assert!(heard.iter().all(|told| !told), "{heard:?}");
    assert_eq!(Key::noise("49.90").or(Key::noise("47a1fca7")), None);
    let key = Key::noise("Try tea").unwrap();
    assert_eq!(key.to_string().parse(), Ok(key));
}

#[test]
fn a_part_of_an_address_that_varies_is_told_at_first_and_then_no_more() {
    let links = |pages: &[String]| told_by(crate::Aspect::Links, pages, ONCE, &none());
    let shop = |n: usize| format!("<h1>Shop</h1><a href='/sale?u={n}a7f3&p=2'>Sale</a>");
    let mut pages = looks(shop);
    let told = links(&pages);
    assert!(told[0] && !told[3..].contains(&true), "{told:?}");
    pages[9] = pages[9].replace("p=2", "p=sold");
    pages[11].push_str("<a href='/new'>New</a>");
    let told = links(&pages);
    assert!(told[8] && told[10] && !told[7], "another part, and another link: {told:?}");
    let version = |n: usize| format!("<h1>Shop</h1><a href='/kettle-1.2.{n}.zip'>Download</a>");
    assert!(links(&looks(version)).iter().all(|told| *told), "a version is news");
    let word = |n: usize| format!("<a href='/{}'>Story</a>", ["sun", "rain", "snow"][n % 3]);
    assert!(links(&looks(word)).iter().all(|told| *told), "a word is no token");
    for part in ["issues/2027-01-", "strip-202701", "?p=123", "story-about-7-pages-", "n/4"] {
        let daily = |n: usize| format!("<a href='/{part}{:02}'>Today</a>", n + 1);
        assert!(links(&looks(daily)).iter().all(|told| *told), "{part} is no token");
    }
}

#[test]
fn a_row_whose_numbers_run_goes_by_its_first_cell() {
    let row = |n: usize| {
        let state = if (7..11).contains(&n) { "degraded" } else { "operational" };
        format!("<table><tr><td>API</td><td>{state}</td><td>{} ms</td></tr></table>", 40 + n)
    };
    let told = told(&looks(row), ONCE, &none());
    let expected: Vec<usize> = vec![6, 10];
    let later: Vec<usize> = (4..13).filter(|&at| told[at]).collect();
    assert_eq!(later, expected, "{told:?}");
}

/// The looks of which `any change` tells, by their numbers.
fn told_looks(bodies: &[String], loud: &BTreeSet<Key>) -> Vec<usize> {
    let told = told(bodies, ONCE, loud);
    told.iter().enumerate().filter(|(_, told)| **told).map(|(at, _)| at + 1).collect()
}

#[test]
fn a_link_and_a_picture_that_are_others_at_most_looks_are_held_back() {
    const NAMES: [&str; 14] = [
        "toaster", "kettle", "mug", "tray", "whisk", "pan", "pot", "bowl", "cup", "jug", "fork",
        "spoon", "knife", "plate",
    ];
    let ad = |at: usize| format!("<p>Offer of the day: <a href=/{}>look</a></p>", NAMES[at]);
    assert_eq!(told_looks(&looks(ad), &none()), [1, 2, 3]);
    let picture = |at: usize| format!("<p>Today</p><img src=/{}.jpg alt=''><p>x</p>", NAMES[at]);
    assert_eq!(told_looks(&looks(picture), &none()), [1, 2, 3]);
    let by_name = |at: usize| format!("<p>Today <img src=/{0}.jpg alt={0}></p>", NAMES[at]);
    assert_eq!(told_looks(&looks(by_name), &none()), [1, 2, 3]);
}

#[test]
fn a_picture_that_goes_and_comes_back_is_held_back_soon() {
    let seldom = |at: usize| if at % 5 < 3 { "" } else { "<img src=/sale.png alt=Sale>" };
    let page = |at: usize| format!("<p>Kettle{}</p>", seldom(at));
    assert_eq!(told_looks(&looks(page), &none()), [3, 5, 8]);
}

#[test]
fn a_link_to_a_version_is_told_however_often_it_is_another() {
    let page = |at: usize| format!("<p>Get it: <a href=/tool-1.{at}.0.zip>Download</a></p>");
    assert_eq!(told_looks(&looks(page), &none()).len(), 13);
}

#[test]
fn a_link_that_a_person_calls_noise_is_held_back_wherever_it_leads() {
    let names = ["a", "b", "c", "d"];
    let page = |at: usize| format!("<p>See <a href=/{}>the offer</a></p>", names[at / 4]);
    assert_eq!(told_looks(&looks(page), &none()), [4, 8, 12]);
    let link = Thing::Link { href: "/b".into(), text: "the offer".into() };
    let said = BTreeSet::from([Key::noise_of(&link).unwrap()]);
    assert_eq!(told_looks(&looks(page), &said), [0; 0]);
    assert_eq!(Key::noise("the offer").filter(|key| said.contains(key)), None);
}

/// A page of boxes, each with its name and what it says.
fn boxes(boxes: &[(&str, &str)]) -> String {
    let one = |(name, says): &(&str, &str)| format!("<div>{name}</div><div>{says}</div>");
    format!("<main>{}</main>", boxes.iter().map(one).collect::<String>())
}

#[test]
fn what_is_learned_of_one_box_is_not_believed_of_another() {
    let state = |open: bool| if open { "Open" } else { "Closed" };
    let page =
        |n: usize| boxes(&[("Pool", state(n.is_multiple_of(2))), ("Library", state(n < 12))]);
    let told = told_looks(&(0..14).map(page).collect::<Vec<_>>(), &none());
    assert!(told.len() < 6 && told.contains(&12), "{told:?}");
    let cases = |n: usize| if n < 12 { "17" } else { "140" };
    let page = |n: usize| {
        boxes(&[("Visitors", &(3 * n + 1000).to_string()), ("Confirmed cases", cases(n))])
    };
    let told = told_looks(&(0..14).map(page).collect::<Vec<_>>(), &none());
    assert!(told.len() < 6 && told.contains(&12), "{told:?}");
}

#[test]
fn a_gauge_that_leaps_is_told_and_a_counter_that_grows_is_not() {
    let level = |n: usize| match n {
        12 => "11.8",
        n => ["3.1", "4.2", "5.0", "3.9", "4.4"][n % 5],
    };
    let river = |n: usize| boxes(&[("River", &format!("Level {} m today", level(n)))]);
    let told = told_looks(&(0..13).map(river).collect::<Vec<_>>(), &none());
    assert!(told.len() < 6 && told.contains(&12), "{told:?}");
    let dated =
        |n: usize| boxes(&[("River", &format!("Level on {} January is {} m", n + 1, level(n)))]);
    let told = told_looks(&(0..13).map(dated).collect::<Vec<_>>(), &none());
    assert!(told.len() < 6 && told.contains(&12), "behind its date: {told:?}");
    let rates = |n: usize| {
        let rate = level(n);
        let row = |name: &str, rate: &str| format!("<tr><td>{name}<td>{rate}<td>{rate}");
        let rows = row("Dollar", rate) + &row("Pound", "13.1") + &row("Yen", "6.4");
        format!("<table><tr><th>Currency<th>Buy<th>Sell{rows}</table>")
    };
    let told = told_looks(&(0..13).map(rates).collect::<Vec<_>>(), &none());
    assert!(told.len() < 6 && told.contains(&12), "each cell of a row: {told:?}");
    let page =
        |n: usize| boxes(&[("Page", &format!("Seen by {} so far", 100 * n + n / 12 * 5000))]);
    let told = told_looks(&(0..14).map(page).collect::<Vec<_>>(), &none());
    assert!(!told.contains(&12), "{told:?}");
}

#[test]
fn clocks_in_other_ways_of_writing_become_quiet() {
    let says: [fn(usize) -> String; 6] = [
        |n| format!("{} cm ({} January, 08:{:02})", [213, 215, 214, 216][n % 4], n + 1, n),
        |n| format!("Now {:02}:13 {}", n % 12 + 1, if n % 4 < 2 { "AM" } else { "PM" }),
        |n| format!("Stand: {:02}.09.26 {:02}:16", n + 1, n),
        |n| format!("Build time 14:13:{:02}", 3 * n),
        |n| format!("Outside {} °C", n as i64 % 5 - 2),
        |n| format!("Next release in {} minutes", 40 - n),
    ];
    for (which, says) in says.iter().enumerate() {
        let page = |n: usize| boxes(&[("Station", &says(n))]);
        let told = told_looks(&(0..14).map(page).collect::<Vec<_>>(), &none());
        assert!(told.iter().all(|&look| look < 6), "{which}: {told:?}");
    }
    let version = |n: usize| boxes(&[("Download", &format!("Current version is 4.{n}"))]);
    assert_eq!(told_looks(&(0..9).map(version).collect::<Vec<_>>(), &none()).len(), 8);
}

fn days(days: i64) -> Instant {
    Instant::EPOCH + Span::DAY.times(days)
}

fn until(habits: &Habits, outage: &Outage, loud: &BTreeSet<Key>) -> Option<Instant> {
    Some(habits.breaks(outage, loud)?.until)
}

#[test]
fn each_time_that_an_outage_is_told_it_must_last_longer() {
    let away = Outage::of(Odd::Error, &page("<p>Bad gateway</p>")).unwrap();
    let mut habits = Habits::default();
    let hours = (1..9).map(|nth| {
        habits.broke(&away, VersionNo(2 * nth), days(i64::from(nth)));
        habits.saw_odd(&away, VersionNo(2 * nth + 1), days(i64::from(nth)));
        let breaks = habits.breaks(&away, &none());
        breaks.map(|breaks| breaks.patience(Span::HOUR.times(6)).as_secs_f64() / 3_600.0)
    });
    let hours: Vec<Option<f64>> = hours.collect();
    let expected = [0.0, 6.0, 12.0, 24.0, 48.0, 72.0, 72.0, 72.0].map(Some);
    assert_eq!((hours[0], &hours[1..]), (None, &expected[1..]));
}

#[test]
fn an_outage_is_a_habit_for_a_month_once_somebody_was_told_twice() {
    let error = |text: &str| Outage::of(Odd::Error, &page(&format!("<p>{text}</p>"))).unwrap();
    let (away, wall) = (error("Bad gateway"), Outage::of(Odd::Wall, &page("")).unwrap());
    let mut habits = Habits::default();
    assert!(!habits.saw_odd(&away, VersionNo(2), days(1)), "nobody was told");
    assert!(habits.broke(&away, VersionNo(4), days(3)));
    assert!(!habits.broke(&away, VersionNo(4), days(3)), "it is the same");
    assert!(!habits.saw_odd(&away, VersionNo(5), days(4)), "somebody was told once");
    assert_eq!((until(&habits, &away, &none()), habits.list().count()), (None, 0));
    assert!(habits.broke(&away, VersionNo(6), days(5)));
    assert_eq!(until(&habits, &error("Gateway timeout"), &none()), Some(days(35)));
    assert_eq!(until(&habits, &wall, &none()), None, "another outage is news");
    assert!(habits.saw_odd(&away, VersionNo(7), days(20)));
    assert_eq!(until(&habits, &away, &none()), Some(days(50)));
    let quiet: Vec<Quiet> = habits.list().collect();
    assert_eq!(&*quiet[0].sample, "an error page: Bad gateway");
    let loud = BTreeSet::from([quiet[0].key]);
    assert_eq!(until(&habits, &away, &loud), None, "somebody wants to hear of it");
    let habits = Habits::decode(&habits.encode()).unwrap();
    let fares = page("<p>Fares</p>");
    let mut later = habits.clone();
    let arrived = Arrived { at: days(50), ..ONCE };
    later.learn([&fares, &fares], None, arrived, &Limits::default());
    assert_eq!(later.list().count(), 0, "it ended");
}

#[test]
fn what_a_page_may_be_now_is_no_outage() {
    let sold_out = page("<p>Sold out</p>");
    assert_eq!(Outage::of(Odd::Small, &sold_out), None);
    assert_eq!(Outage::of(Odd::Foreign, &sold_out), None);
    assert_eq!(Outage::of(Odd::Error, &page(r#"{"error": "sold out"}"#)), None);
    assert_eq!(Outage::of(Odd::Empty, &page("{}")), None);
}

#[test]
fn an_outage_that_goes_on_outlives_what_is_older() {
    let away = Outage::of(Odd::Error, &page("<p>Bad gateway</p>")).unwrap();
    let mut habits = Habits::default();
    habits.broke(&away, VersionNo(2), days(1));
    for hash in 0..TRACES_MAX as u64 {
        habits.looks += 1;
        habits.note(Key { habit: Habit::Away, hash }, days(1), "");
    }
    habits.broke(&away, VersionNo(3), days(2));
    habits.forget(days(2));
    assert_eq!(until(&habits, &away, &none()), Some(days(32)));
}

#[test]
fn what_only_moved_on_the_page_is_told_where_it_enters_a_part() {
    let list = |names: &[&str]| {
        let items: String = names.iter().map(|name| format!("<li>{name}</li>")).collect();
        Arc::new(page(&format!("<h1>Places</h1><ol>{items}</ol>")))
    };
    let orders =
        [["Hull", "Derby", "Bury", "Leeds", "York"], ["Hull", "Derby", "Leeds", "Bury", "York"]];
    let mut habits = Habits::default();
    for n in 0..8 {
        let [old, new] = [n, n + 1].map(|n| list(&orders[n % 2]));
        habits.learn([&old, &new], None, ONCE, &Limits::default());
    }
    assert!(habits.is_habit(Key { habit: Habit::Moves, hash: hash("Leeds") }));
    let pages = [list(&orders[0]), list(&["Leeds", "Hull", "Derby", "Bury", "York"])];
    let parts = [list(&["Hull", "Derby", "Bury"]), list(&["Leeds", "Hull", "Derby"])];
    let view = View::Selected("inside css \"li:nth-child(-n+3)\"".into());
    let request = request(crate::ChangeType::plain(crate::Aspect::Any).in_view(view));
    let mut load = |version: VersionNo, view: &View| {
        let both = if *view == View::Page { &pages } else { &parts };
        Ok(Arc::clone(&both[version.0 as usize]))
    };
    let loud = none();
    let known = crate::Known { habits: &habits, loud: &loud };
    let (result, _) = run_knowing(&request, &mut load, &Limits::default(), &known);
    let told = &result.comparisons[0];
    let came: Vec<&str> =
        told.changes.iter().filter_map(|change| Some(change.new.as_ref()?.text())).collect();
    assert_eq!(came, ["Leeds"], "{told:?}");
}
