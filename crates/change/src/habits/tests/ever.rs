//! What a page does for ever is told at first, and then no more.

use super::*;

/// Which looks are told, at even intervals from 10 o'clock on, the first left out.
fn told_each(minutes: i64, bodies: &[String]) -> Vec<bool> {
    let mut habits = Habits::default();
    let mut at = Instant::EPOCH + Span::HOUR.times(10);
    let mut looks = 0;
    let mut shown = Arc::new(page(&bodies[0]));
    let mut told = Vec::new();
    for body in &bodies[1..] {
        at += Span::MINUTE.times(minutes);
        looks += 1;
        let new = Arc::new(page(body));
        if new == shown {
            told.push(false);
            continue;
        }
        let known = habits.clone().after_calm(looks - 1).at(at);
        let (tells, blocks) = tells(crate::Aspect::Any, [&shown, &new], &known, &none());
        let arrived = Arrived { looks, at, asked: false };
        habits.learn([&shown, &new], blocks, arrived, &Limits::default());
        habits = Habits::decode(&habits.encode()).unwrap();
        (looks, shown) = (0, new);
        told.push(tells);
    }
    told
}

fn count(told: &[bool]) -> usize {
    told.iter().filter(|told| **told).count()
}

/// Numbers by chance, the same each time.
fn chance(seed: usize) -> impl FnMut() -> usize {
    let mut state = hash(&seed.to_string());
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (state >> 33) as usize
    }
}

/// A number of looks at a box that shows some of its goods by chance.
fn box_of(goods: usize, shown: usize, looks: usize, seed: usize, element: &str) -> Vec<String> {
    const COLOURS: [&str; 5] = ["Black", "Blue", "Green", "Red", "White"];
    const THINGS: [&str; 6] = ["kettle", "lamp", "mug", "pan", "toaster", "tray"];
    let mut next = chance(seed);
    let look = |_| {
        let mut rest: Vec<usize> = (0..goods).collect();
        let mut entry = |_| {
            let good = rest.swap_remove(next() % rest.len());
            let (colour, thing) = (COLOURS[good % 5], THINGS[good / 5]);
            format!("<{element}>{colour} {thing} of steel</{element}>")
        };
        let entries: String = (0..shown).map(&mut entry).collect();
        format!("<h1>Kettle</h1><p>It boils.</p><h2>More from the shelves</h2>{entries}")
    };
    (0..looks).map(look).collect()
}

#[test]
fn a_box_of_goods_by_chance_is_quiet_for_good_and_news_beside_it_are_told() {
    for (goods, shown) in [(12, 4), (30, 6)] {
        for element in ["li", "p"] {
            let mut looks = box_of(goods, shown, 100, goods, element);
            let last = looks.last().unwrap().replace("It boils.", "It boils no more.");
            looks.push(last);
            let told = told_each(10, &looks);
            assert!(count(&told[..8]) <= 6, "{goods} {element}: {told:?}");
            assert_eq!(count(&told[8..99]), 0, "{goods} {element}: {told:?}");
            assert!(told[99], "news above the box");
        }
    }
}

#[test]
fn a_box_that_stood_still_for_long_is_told_of_again() {
    let mut looks = box_of(12, 4, 40, 7, "li");
    let last = looks.last().unwrap().clone();
    looks.extend(vec![last.clone(); 40]);
    let entry = last.rfind("<li>").unwrap();
    looks.push(format!("{}<li>Closing sale on Sunday</li>", &last[..entry]));
    let told = told_each(10, &looks);
    assert_eq!(count(&told[8..79]), 0, "{told:?}");
    assert!(told[79], "it turns no more");
}

fn hex(digits: usize, n: usize) -> String {
    let mut next = chance(n);
    format!("{:08x}{:08x}", next() as u32, next() as u32)[..digits].to_owned()
}

/// A word of big letters and digits, as orders have.
fn letters(n: usize) -> String {
    const SIGNS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    let mut next = chance(n);
    (0..8).map(|_| char::from(SIGNS[next() % 32])).collect()
}

fn gauge(line: &str) -> String {
    format!(
        "<h1>Gauge at the mill</h1><p>A volunteer reads it.</p><p>Level: 132 cm</p><p>{line}</p>"
    )
}

#[test]
fn a_token_is_quiet_soon_whatever_its_words() {
    type Token = fn(usize) -> String;
    let ways: [(&str, Token); 11] = [
        ("*", |n| hex(8, n)),
        ("Build *", |n| hex(8, n)),
        ("Reference: *", |n| hex(8, n)),
        ("Reference: *", |n| hex(16, n)),
        ("Trace: *", |n| hex(8, n)),
        ("Request ID: *", |n| hex(12, n)),
        ("Support code: *", |n| hex(16, n)),
        ("Your session number is *.", |n| hex(8, n)),
        ("Order no. *", letters),
        ("*", letters),
        ("Seen (ref=*) at 10:31", |n| hex(10, n)),
    ];
    for (words, token) in ways {
        let looks: Vec<String> = (0..60).map(|n| gauge(&words.replace('*', &token(n)))).collect();
        let told = told_each(10, &looks);
        assert!(count(&told[..8]) <= 6 && count(&told[8..]) == 0, "{words}: {told:?}");
    }
}

#[test]
fn values_and_what_stands_beside_a_token_are_told() {
    let each = |minutes, line: &dyn Fn(usize) -> String| {
        let looks: Vec<String> = (0..24).map(|n| gauge(&line(n))).collect();
        count(&told_each(minutes, &looks))
    };
    assert_eq!(each(10, &|n| format!("Build {}", hex(8, n / 4))), 5, "a build now and then");
    assert_eq!(each(24 * 60, &|n| format!("Build {}", hex(8, n))), 23, "a build each day");
    assert_eq!(each(24 * 60, &|n| format!("Winning code: {}", letters(n))), 23);
    assert_eq!(each(10, &|n| format!("Build {}", 4711 + n)), 23, "one after the other");
    assert_eq!(
        each(10, &|n| format!("Last invoice: k3f9{}a", char::from(b'a' + n as u8))),
        23,
        "in order"
    );
    let beside = |n: usize| {
        let state = if n == 20 { "shut" } else { "open" };
        format!("Reference {} is {state}", hex(8, n))
    };
    let looks: Vec<String> = (0..24).map(|n| gauge(&beside(n))).collect();
    let told = told_each(10, &looks);
    assert_eq!(told[5..], [&[false; 14][..], &[true, true], &[false; 2]].concat(), "{told:?}");
    let seats = |n: usize| gauge(&format!("Visit {}, {} seats left", hex(8, n), 40 - n / 20));
    let told = told_each(10, &(0..24).map(seats).collect::<Vec<_>>());
    assert!(told[19], "fewer seats: {told:?}");
}

/// Looks at a clock every ten minutes: it shows the last hour that was full.
fn hourly(hours: usize, line: impl Fn(usize) -> String) -> Vec<String> {
    (0..hours * 6).map(|look| gauge(&line(10 + look / 6))).collect()
}

#[test]
fn a_clock_that_moves_more_slowly_than_the_looks_is_quiet_soon() {
    type Way = fn(usize) -> String;
    let ways: [Way; 7] = [
        |hour| format!("Measured at {:02}:00", hour % 24),
        |hour| format!("As of {:02}:00 UTC", hour % 24),
        |hour| format!("Prices as of {}:00", hour % 24),
        |hour| format!("{:02}:00", hour % 24),
        |hour| format!("{:02}.00 Uhr", hour % 24),
        |hour| format!("As of {} January 1970, {:02}:00", 1 + hour / 24, hour % 24),
        // In the zone of Tokyo, some minutes late.
        |hour| format!("Retrieved at {:02}:5{}", (hour + 8) % 24, hour % 7),
    ];
    for way in ways {
        let told = told_each(10, &hourly(40, way));
        assert!(count(&told[..30]) <= 4 && count(&told[30..]) == 0, "{}: {told:?}", way(10));
    }
}

#[test]
fn times_of_what_is_to_come_are_told() {
    let told_of = |line: &dyn Fn(usize) -> String| count(&told_each(10, &hourly(30, line)));
    assert_eq!(told_of(&|hour| format!("Next ferry: {:02}:00", (hour + 1) % 24)), 29);
    assert_eq!(told_of(&|hour| format!("Open until {:02}:00", (hour + 4) % 24)), 29);
    let moved = |hour: usize| ["19:00", "19:30", "20:00"][hour % 30 / 10];
    assert_eq!(told_of(&|hour| format!("The talk: {}", moved(hour))), 2, "no clock at all");
    // A clock that runs, and then says another time than that of the look.
    let leaps = |hour: usize| match hour {
        35 => "The shop shuts for good at 18:00".to_owned(),
        36.. => "Taken at 03:00".to_owned(),
        _ => format!("Taken at {:02}:00", hour % 24),
    };
    let told = told_each(10, &hourly(30, leaps));
    assert!(told[25 * 6 - 1] && told[26 * 6 - 1], "{told:?}");
    let far = |hour: usize| format!("Taken at {:02}:00", if hour < 35 { hour % 24 } else { 3 });
    assert!(told_each(10, &hourly(30, far))[25 * 6 - 1], "far from the look");
    let between = |hour: usize| match hour {
        35 => "Taken at 10:25".to_owned(),
        _ => format!("Taken at {:02}:00", hour % 24),
    };
    assert!(told_each(10, &hourly(30, between))[25 * 6 - 1], "between two of its steps");
}

#[test]
fn a_text_that_is_quiet_stays_so_where_another_comes_in_front_of_it() {
    let mut next = chance(3);
    let look = |n: usize| {
        let notice = if n >= 20 { "<p>This flat is reserved</p>" } else { "" };
        let label = ["Sign up", "Join now"][next() % 2];
        format!(
            "<main><h1>App</h1><p>Acme Rentals</p><p>Two rooms, kitchen, bath</p>{notice}\
             <p><a href='/x'>{label}</a></p></main><p>© Acme</p>"
        )
    };
    let told = told_each(60, &(0..60).map(look).collect::<Vec<_>>());
    assert!(told[19] && count(&told[12..]) == 1, "{told:?}");
}

#[test]
fn what_is_known_of_a_place_is_not_believed_of_one_that_came_beside_it() {
    let look = |n: usize| {
        let state = ["Open", "Closed"][n % 2];
        let sauna = match n {
            0..20 => "",
            20 => "<p>Sauna of the baths</p><p>Open</p>",
            _ => "<p>Sauna of the baths</p><p>Closed</p>",
        };
        let pool = format!("<p>Pool of the school</p><p>{state}</p>");
        [format!("<h1>Town</h1>{pool}{sauna}"), format!("<h1>Town</h1>{sauna}{pool}")]
    };
    for order in 0..2 {
        let looks: Vec<String> = (0..24).map(|n| look(n)[order].clone()).collect();
        let told = told_each(10, &looks);
        assert_eq!(count(&told[6..19]), 0, "{told:?}");
        assert!(told[19] && told[20], "the sauna is closed: {told:?}");
    }
}

#[test]
fn two_labels_to_buy_are_quiet_soon_and_what_can_be_had_is_not() {
    let card = |label: &str| {
        let card =
            format!("<div><h3>Toaster</h3><span>29.90 €</span><button>{label}</button></div>");
        format!("<h1>Furniture</h1>{card}")
    };
    let labels = ["Add to basket", "Buy now"];
    let mut looks: Vec<String> = (0..20).map(|n| card(labels[n % 2])).collect();
    looks.extend(["Sold out", "Buy now", "Add to basket", "Notify me", "Pre-order"].map(card));
    let told = told_each(10, &looks);
    assert_eq!(count(&told[..19]), 3, "{told:?}");
    assert_eq!(told[19..], [true, true, false, true, true]);
    let daily = |n: usize| card(["In stock", "Sold out"][n % 20 / 10]);
    assert_eq!(count(&told_each(60, &(0..100).map(daily).collect::<Vec<_>>())), 9);
}

/// How many looks are told of, which show such a line.
fn told_of(minutes: i64, looks: usize, line: impl Fn(usize) -> String) -> usize {
    let looks: Vec<String> = (0..looks).map(|n| gauge(&line(n))).collect();
    count(&told_each(minutes, &looks))
}

#[test]
fn a_word_in_place_of_a_token_is_told() {
    let line = |n: usize| match n {
        20 => "Order no. CANCELED".to_owned(),
        n => format!("Order no. {}", letters(n)),
    };
    let looks: Vec<String> = (0..24).map(|n| gauge(&line(n))).collect();
    let told = told_each(10, &looks);
    assert!(told[19] && told[20] && count(&told[8..19]) == 0, "{told:?}");
}

#[test]
fn what_is_to_come_beside_a_token_is_told() {
    let tram =
        |n: usize| format!("Next tram at {:02}:{:02} (id {})", n % 24, n * 7 % 60, hex(8, n));
    assert_eq!(told_of(10, 12, tram), 11);
}

#[test]
fn builds_of_several_things_are_told_each_day() {
    let build = |n: usize| {
        let one = |at| {
            format!("<h2>For {}</h2><p>Build {}</p>", ["one", "two"][at % 2], hex(8, 9 * n + at))
        };
        (0..6).map(one).collect::<String>()
    };
    assert_eq!(told_of(24 * 60, 16, build), 15);
}

#[test]
fn a_token_of_one_thing_says_nothing_of_another() {
    let line = |n: usize| {
        format!(
            "</p><h2>Nightly</h2><p>Build {}</p><h2>Stable</h2><p>Build {}",
            hex(8, n),
            hex(8, 99 + n / 20)
        )
    };
    let looks: Vec<String> = (0..24).map(|n| gauge(&line(n))).collect();
    let told = told_each(10, &looks);
    assert!(told[19] && count(&told[8..19]) == 0, "{told:?}");
}

#[test]
fn codes_that_are_given_away_are_told_in_other_languages_and_in_one_word() {
    for words in [
        "Rabattcode:",
        "Promocode:",
        "Código:",
        "Kortingscode",
        "Parola d’ordine:",
        "Mot de passe :",
    ] {
        assert_eq!(told_of(24 * 60, 12, |n| format!("{words} {}", letters(n))), 11, "{words}");
    }
}

#[test]
fn times_that_moved_once_are_no_clocks() {
    let halls = |n: usize| {
        let hour = [10, 11, 12][n / 8];
        (1..=4).map(|hall| format!("<p>Hall {hall}, main talk: {hour}:00</p>")).collect::<String>()
    };
    let looks: Vec<String> = (0..24).map(|n| gauge(&halls(n))).collect();
    let told = told_each(8, &looks);
    assert_eq!(count(&told), 2, "{told:?}");
}

#[test]
fn the_time_of_what_happened_last_is_told() {
    for words in ["Last call-out:", "Letzter Einsatz:", "Closed since", "Dernier tremblement :"] {
        let minutes = [600, 657, 714, 803, 868, 926, 1_001];
        let line = |n: usize| {
            let last = minutes.iter().rfind(|minute| **minute <= 600 + 10 * n).unwrap();
            format!("{words} {:02}:{:02}", last / 60, last % 60)
        };
        assert_eq!(told_of(10, 42, line), 6, "{words}");
    }
}
