use crate::{Aspect, Change, ChangeType, Limits, Weight, compare};
use page::Extract;

fn read(body: &str, media: &str) -> Extract {
    let url = url::Url::parse("https://site.example/x").unwrap();
    let hints = page::Hints { content_type: Some(media), url: &url };
    page::read(body.as_bytes(), &hints, &page::Limits::default()).unwrap()
}

/// Each change that counts, as `old -> new`.
fn told(old: &str, new: &str, media: &str) -> Vec<String> {
    let (old, new) = (read(old, media), read(new, media));
    let any = ChangeType::plain(Aspect::Any);
    let (changes, _) = compare(&old, &new, &any, &Limits::default());
    let text = |thing: &Option<crate::Thing>| {
        thing.as_ref().map_or("-".to_owned(), |thing| thing.text().to_owned())
    };
    let line = |change: &Change| format!("{} -> {}", text(&change.old), text(&change.new));
    changes.iter().filter(|change| change.weight >= Weight::ENOUGH).map(line).collect()
}

#[test]
fn members_of_lists_go_by_their_names() {
    let before = r#"{"list": [{"id": "a", "n": 1}, {"id": "b", "n": 2}]}"#;
    let json = |after: &str| told(before, after, "application/json");
    assert_eq!(json(r#"{"list": [{"id": "b", "n": 2}, {"n": 1, "id": "a"}]}"#), [""; 0]);
    assert_eq!(
        json(r#"{"list": [{"id": "b", "n": 3}, {"id": "a", "n": 1}]}"#),
        ["list[b].n: 2 -> list[b].n: 3"]
    );
    assert_eq!(
        json(r#"{"list": [{"id": "c", "n": 9}, {"id": "a", "n": 1}, {"id": "b", "n": 2}]}"#),
        ["- -> list[c]: n: 9"]
    );
    assert_eq!(json(r#"{"list": [{"id": "b", "n": 2}]}"#), ["list[a]: n: 1 -> -"]);
}

#[test]
fn an_object_that_came_or_went_is_one_change_and_says_first_what_it_is_called() {
    let json = |old: &str, new: &str| told(old, new, "application/json");
    let list = |rest: &str| format!(r#"{{"items": [{{"id": 1, "name": "Pot"}}{rest}]}}"#);
    let kettle = r#", {"url": "https://a.example/k", "id": 2, "sold": false,
        "price": {"amount": 49.9, "currency": "EUR"}, "stock": 2, "colours": ["red", "blue"],
        "notes": null, "Name": "Kettle"}"#;
    let said = "items[2]: Kettle | price.amount: 49.9 | price.currency: EUR | stock: 2 | colours: red, blue | \
                url: https://a.example/k | sold: false | notes: null";
    assert_eq!(json(&list(""), &list(kettle)), [format!("- -> {said}")]);
    assert_eq!(json(&list(kettle), &list("")), [format!("{said} -> -")]);
    let of_name = r#"{"a": {"x": 1}, "b.c": {"x": 1, "y": 2}}"#;
    assert_eq!(json(r#"{"a": {"x": 1}}"#, of_name), [r#"- -> ["b.c"]: x: 1 | y: 2"#]);
    // An object that stays has news by its members.
    assert_eq!(json(r#"{"a": {"x": 1}}"#, r#"{"a": {"x": 1, "y": 2, "z": 3}}"#).len(), 2);
    let names = r#"["x", "y"]"#;
    assert_eq!(json("[]", names).len(), 2, "these are in no object");
}

/// Each change by its weight, as `old -> new`.
fn weighed(old: &str, new: &str) -> Vec<(String, u8)> {
    let (old, new) = (read(old, "application/json"), read(new, "application/json"));
    let any = ChangeType::plain(Aspect::Any);
    let (changes, _) = compare(&old, &new, &any, &Limits::default());
    let said = |change: &Change| change.new.as_ref().map_or("-", |thing| thing.text()).to_owned();
    changes.iter().map(|change| (said(change), change.weight.0)).collect()
}

#[test]
fn an_old_entry_that_is_there_again_since_another_was_removed_is_not_new() {
    let feed = |days: &[u32]| {
        let entry = |day: &u32| {
            let link = format!("https://site.example/{day}");
            let date = format!("{day} Jan 2026 08:{day}:00 GMT");
            format!(
                "<item><title>Of day {day}</title><link>{link}</link><pubDate>{date}</pubDate></item>"
            )
        };
        let entries: String = days.iter().map(entry).collect();
        format!("<rss version='2.0'><channel><title>News</title>{entries}</channel></rss>")
    };
    let told = |old: &[u32], new: &[u32]| told(&feed(old), &feed(new), "application/rss+xml");
    let gone = |day: u32| format!("Of day {day} -> -");
    let came = |day: u32| format!("- -> Of day {day}");
    assert_eq!(told(&[19, 18, 17, 16], &[19, 17, 16, 15]), [gone(18)]);
    assert_eq!(told(&[19, 18, 17, 16], &[18, 17, 16, 15]), [gone(19)]);
    assert_eq!(told(&[16, 17, 18, 19], &[15, 16, 17, 19]), [gone(18)], "the newest is last");
    assert_eq!(told(&[19, 18, 17, 16], &[20, 19, 17, 16, 15]), [gone(18), came(20)]);
    assert_eq!(told(&[19, 18, 16, 15], &[19, 18, 17, 16]), [came(17)], "it came late");
    assert_eq!(told(&[19, 18, 17, 16], &[15, 19, 17, 16]), [gone(18), came(15)], "on top");
    assert_eq!(told(&[25, 20, 15], &[25, 20, 15, 10]), [came(10)], "none was removed");
    assert_eq!(told(&[10, 20, 25], &[5, 10, 20, 25]), [came(5)], "a calendar");
}

#[test]
fn members_are_known_under_another_name_and_lines_by_their_words() {
    let json = |old: &str, new: &str| told(old, new, "application/json");
    let check =
        |name: &str, value: &str| format!(r#"{{"check": {{"{name}": "{value}", "a": 1}}}}"#);
    assert_eq!(
        json(&check("re", "Vivaldi (.*)"), &check("regex", "Vivaldi (.*)")),
        ["check.re: Vivaldi (.*) -> check.regex: Vivaldi (.*)"]
    );
    assert_eq!(json(&check("re", "Vivaldi (.*)"), &check("regex", "Opera (.*)")).len(), 2);
    assert_eq!(json(&check("db", "down"), &check("web", "down")).len(), 2, "of two things");
    let script = |lines: &[&str]| format!(r#"{{"s": ["{}"]}}"#, lines.join(r#"", ""#));
    assert_eq!(
        json(
            &script(&["if (old) {", "remove the old file", "}", "move a file to b"]),
            &script(&["if (old) {", "write one line", "move a file to c"])
        ),
        [
            "s[]: remove the old file -> s[]: write one line",
            "s[]: move a file to b -> s[]: move a file to c"
        ]
    );
    assert_eq!(json(&script(&["a", "}"]), &script(&["a", "b"])), ["s[]: } -> s[]: b"]);
    let (list, one) = (r#"{"bin": ["a.exe", "b.exe"]}"#, r#"{"bin": "b.exe"}"#);
    assert_eq!(json(list, one), ["bin: a.exe -> -"]);
    assert_eq!(json(one, list), ["- -> bin: a.exe"]);
    assert_eq!(json(list, r#"{"bin": "c.exe"}"#), ["bin: a.exe, b.exe -> bin: c.exe"]);
}

#[test]
fn what_leaves_a_list_that_shows_others_now_is_not_gone() {
    let feed = |days: &[u32]| {
        let entry = |day: &u32| {
            let date =
                format!("{:02} {} 2026 00:00:00 GMT", day % 28 + 1, MONTHS[*day as usize / 28]);
            format!(
                "<item><title>Of {day}</title><guid>{day}</guid><pubDate>{date}</pubDate></item>"
            )
        };
        let entries: String = days.iter().map(entry).collect();
        format!("<rss version='2.0'><channel><title>News</title>{entries}</channel></rss>")
    };
    const MONTHS: [&str; 4] = ["Jan", "Feb", "Mar", "Apr"];
    let undated = |text: String| text.replace("pubDate", "x");
    let rss = |old: &str, new: &str| told(old, new, "application/rss+xml");
    let dates = |old: &[u32], new: &[u32]| rss(&feed(old), &feed(new));
    let all = |old: &[u32], new: &[u32]| {
        let without = rss(&undated(feed(old)), &undated(feed(new)));
        assert_eq!(dates(old, new), without);
        without
    };
    let down = |from: u32, to: u32| (to..=from).rev().collect::<Vec<_>>();
    let came = |day: u32| format!("- -> Of {day}");
    let gone = |day: u32| format!("Of {day} -> -");
    // The order turned round, and the list is shorter.
    let oldest_first: Vec<u32> = (1..=9).collect();
    assert_eq!(all(&oldest_first, &down(10, 5)), [came(10)]);
    assert_eq!(all(&down(9, 1), &[5, 6, 7, 8, 9, 10]), [came(10)]);
    // In a list of another order: what is older than all that stayed.
    assert_eq!(dates(&[7, 2, 9, 8, 5], &[7, 9, 8, 5]), [""; 0]);
    assert_eq!(dates(&[7, 6, 9, 2, 5], &[7, 9, 2, 5]), [gone(6)]);
    // The oldest stand first: what is gone from the end is the newest.
    let up = |from: u32, to: u32| (from..=to).collect::<Vec<_>>();
    assert_eq!(all(&up(1, 9), &up(3, 11)), [came(11), came(10)]);
    assert_eq!(dates(&up(1, 9), &[&up(2, 8)[..], &[10]].concat()), [gone(9), came(10)]);
    // Many left, here and there.
    let odd: Vec<u32> = down(40, 1).into_iter().filter(|day| day % 4 > 0).collect();
    assert_eq!(all(&down(40, 1), &[&[41][..], &odd].concat()), [came(41)]);
    assert_eq!(all(&down(40, 1), &odd).len(), 10, "nothing came");
    // A window within a list that has older ones behind it.
    let pinned = [3, 2, 1];
    let window = |from, to| [&down(from, to)[..], &pinned].concat();
    assert_eq!(all(&window(20, 15), &window(22, 17)), [came(22), came(21)]);
    assert_eq!(all(&window(20, 15), &window(20, 17)), [gone(16), gone(15)], "taken back");
    assert_eq!(all(&window(20, 15), &window(21, 16)), [gone(15), came(21)], "one alone may be");
    let late = [&[22, 21][..], &down(18, 15), &pinned].concat();
    assert_eq!(
        all(&window(20, 15), &late),
        [gone(20), gone(19), came(22), came(21)],
        "the newest may be"
    );
}

#[test]
fn a_number_that_counts_the_members_of_a_list_is_told_behind_them() {
    let page = |total: u32, ids: &[u32], stock: u32| {
        let item = |id: &u32| format!(r#"{{"id": "a{id}", "title": "T{id}"}}"#);
        let items: Vec<String> = ids.iter().map(item).collect();
        format!(r#"{{"total": {total}, "stock": {stock}, "items": [{}]}}"#, items.join(","))
    };
    let [full, count] = [Weight::FULL.0, Weight::AGAIN.0];
    let of = |text: &str, weight| (text.to_owned(), weight);
    assert_eq!(
        weighed(&page(1, &[1], 7), &page(2, &[1, 2], 4)),
        [of("total: 2", count), of("stock: 4", full), of("items[a2]: T2", full)]
    );
    let window = weighed(&page(310, &[1, 2], 7), &page(311, &[2, 3], 7));
    assert!(window.contains(&of("total: 311", count)), "the list has a window: {window:?}");
    assert_eq!(weighed(&page(5, &[1], 7), &page(6, &[1], 7)), [of("total: 6", full)]);
    let other = weighed(&page(5, &[1], 7), &page(9, &[1, 2], 7));
    assert_eq!(other[0], of("total: 9", full), "it counts something else");
    let shop = |price: u32, orders: &str| {
        format!(r#"{{"order": {{"price": {price}}}, "orders": [{orders}], "price": {price}}}"#)
    };
    let [old, new] = [shop(1, r#"{"id": "a1"}"#), shop(2, r#"{"id": "a1"}, {"id": "a2"}"#)];
    let prices = weighed(&old, &new);
    assert!(prices.contains(&of("order.price: 2", full)), "it is of another: {prices:?}");
    let items = |count: &str| format!(r#"[{}]"#, count);
    let cheaper = |discount: u32, ids: &str| {
        format!(r#"{{"discount": {discount}, "itemCount": {discount}, "items": {}}}"#, items(ids))
    };
    let [old, new] = [cheaper(1, r#"{"id": "a1"}"#), cheaper(2, r#"{"id": "a1"}, {"id": "a2"}"#)];
    let told = weighed(&old, &new.replace("\"discount\": 2", "\"discount\": 9"));
    assert!(told.contains(&of("discount: 9", full)), "{told:?}");
    assert!(told.contains(&of("itemCount: 2", count)), "{told:?}");
    let one_more = weighed(&page(1, &[1], 310), &page(2, &[1, 2], 311));
    assert!(one_more.contains(&of("stock: 311", full)), "a stock is no count: {one_more:?}");
}

#[test]
fn a_list_that_gave_way_to_one_value_is_one_change() {
    let json = |old: &str, new: &str| told(old, new, "application/json");
    let (list, one) = (r#"{"notes": ["a", "b"]}"#, r#"{"notes": "a and b"}"#);
    assert_eq!(json(list, one), ["notes: a, b -> notes: a and b"]);
    assert_eq!(json(one, list), ["notes: a and b -> notes: a, b"]);
    let several = r#"{"items": [{"n": 1, "tags": ["a", "b"]}, {"n": 2, "tags": ["c"]}]}"#;
    let fewer = r#"{"items": [{"n": 1, "tags": "x"}, {"n": 2, "tags": []}]}"#;
    let mixed = json(several, fewer).iter().any(|one| one.contains("a, b, c"));
    assert!(!mixed, "c is of another: {:?}", json(several, fewer));
}

#[test]
fn addresses_that_name_members_are_told_without_what_all_of_them_share() {
    let base = "https://docs.example/en/latest/guides/administration/installation-and-upgrades";
    let map = |pages: &[(&str, &str)]| {
        let page = |(page, day): &(&str, &str)| {
            format!("<url><loc>{base}/{page}</loc><lastmod>{day}</lastmod></url>")
        };
        let pages: String = pages.iter().map(page).collect();
        format!("<?xml version='1.0'?><urlset>{pages}</urlset>")
    };
    let long = "how-to-upgrade-from-version-4-to-version-5-on-a-server-with-windows.html";
    let old = map(&[("linux.html", "1 May"), ("setup/", "1 May")]);
    let new = map(&[("linux.html", "1 May"), ("setup/", "1 May"), (long, "2 May")]);
    let told = |old: &str, new: &str| told(old, new, "application/xml");
    assert_eq!(told(&old, &new), [format!("- -> urlset.url[{long}]: lastmod: 2 May")]);
    let later = old.replacen("1 May", "3 May", 1);
    let said = "urlset.url[linux.html].lastmod";
    assert_eq!(told(&old, &later), [format!("{said}: 1 May -> {said}: 3 May")]);
}

#[test]
fn a_member_is_told_by_what_its_object_is_called() {
    let json = |old: &str, new: &str| told(old, new, "application/json");
    let list = |status: &str| {
        format!(
            r#"{{"components": [{{"id": "ed5f", "name": "DNS", "status": "{status}"}},
                {{"id": "b0aa", "name": "Mail [eu]", "status": "up"}}]}}"#
        )
    };
    assert_eq!(
        json(&list("up"), &list("down")),
        ["components[DNS].status: up -> components[DNS].status: down"]
    );
    assert_eq!(
        json(&list("up"), &list("up").replace("Mail [eu]", "Post")),
        ["components[Post].name: Mail [eu] -> components[Post].name: Post"]
    );
    let deep = |count: u32| format!(r#"[{{"id": 7, "title": "Pot", "stock": {{"n": {count}}}}}]"#);
    assert_eq!(json(&deep(3), &deep(4)), ["[Pot].stock.n: 3 -> [Pot].stock.n: 4"]);
}

#[test]
fn matching_chooses_an_object_by_any_of_its_members() {
    let [old, new] = [r#"[{"id": 1, "v": 5}]"#, r#"[{"id": 1, "v": 5}, {"id": 2, "v": 6}]"#]
        .map(|body| std::sync::Arc::new(read(body, "application/json")));
    let of = |pattern: &str| {
        let any = ChangeType::plain(Aspect::Any);
        let leaf = crate::Leaf {
            change_type: any.clone(),
            directions: Default::default(),
            matching: Some(pattern.to_owned()),
        };
        let [from, to] = [1, 2].map(chronon::VersionNo);
        let comparison = crate::Comparison {
            from,
            to,
            change_type: any,
            leaves: vec![leaf],
            pairing: Default::default(),
            earlier: Vec::new(),
            status: None,
        };
        let request = crate::RoundRequest { comparisons: vec![comparison], sources: Vec::new() };
        let mut load =
            |version, _: &crate::View| Ok((if version == from { &old } else { &new }).clone());
        let made = crate::run(&request, &mut load, &Limits::default()).comparisons.remove(0);
        (made.changes.len(), made.leaves[0].hits_total, made.changes_total)
    };
    assert_eq!(of(r"^\[2\]\.v: 6$"), (1, 1, 1), "by what a member says");
    assert_eq!(of(r"^\[2\]: v: 6$"), (1, 1, 1), "by what is told");
    assert_eq!(of("7"), (0, 0, 1));
}

#[test]
fn lists_without_names_are_compared_without_numbers() {
    let json = |old: &str, new: &str| told(old, new, "application/json");
    assert_eq!(json(r#"["a", "b", "c"]"#, r#"["c", "a", "b"]"#), [""; 0]);
    assert_eq!(json(r#"["a", "b"]"#, r#"["x", "a", "b"]"#), ["- -> []: x"]);
    assert_eq!(
        json(
            r#"[{"id": 1, "v": 5}, {"id": 1, "v": 6}]"#,
            r#"[{"id": 1, "v": 7}, {"id": 1, "v": 5}]"#
        ),
        ["[].v: 6 -> [].v: 7"],
        "one name for two"
    );
    assert_eq!(json(r#"{"a: b": {"v": "1: 2"}}"#, r#"{"a: b": {"v": "1: 3"}}"#).len(), 1);
}

#[test]
fn that_a_list_is_empty_is_said_by_its_members() {
    let (empty, one) = (r#"{"alerts": []}"#, r#"{"alerts": [{"id": 1, "text": "Storm"}]}"#);
    let json = |old: &str, new: &str| told(old, new, "application/json");
    assert_eq!(json(empty, one), ["- -> alerts[1]: text: Storm"]);
    assert_eq!(json(one, empty), ["alerts[1]: text: Storm -> -"]);
    assert_eq!(json(empty, r#"{"alerts": "none"}"#), ["- -> alerts: none"]);
    assert_eq!(json("[]", "[1]"), ["- -> []: 1"]);
}

#[test]
fn rows_of_csv_go_by_their_first_cell() {
    let csv = |old: &str, new: &str| told(old, new, "text/csv");
    let before = "city,people,area\nErie,94,50\nMilwaukee,182,251\n";
    assert_eq!(csv(before, "city,people,area\nMilwaukee,182,251\nErie,94,50\n"), [""; 0]);
    assert_eq!(
        csv(before, "city,people,area\nOslo,7,8\nMilwaukee,204,251\nErie,94,50\n"),
        [
            "- -> Oslo: people: 7 | area: 8",
            "Milwaukee: people: 182 | area: 251 -> Milwaukee: people: 204 | area: 251"
        ]
    );
    assert_eq!(csv(before, &before[..28]), ["Milwaukee: people: 182 | area: 251 -> -"]);
    let twice = "city,day,price\nOslo,Mon,40\nOslo,Tue,50\n";
    assert_eq!(
        csv(twice, "city,day,price\nOslo,Mon,40\nOslo,Tue,55\n"),
        ["Oslo: day: Tue | price: 50 -> Oslo: day: Tue | price: 55"]
    );
}

#[test]
fn elements_of_xml_go_by_their_paths() {
    let xml = |old: &str, new: &str| told(old, new, "application/xml");
    let before = "<c><b id='k'><p>9</p></b><b id='t'><p>3</p></b></c>";
    assert_eq!(xml(before, "<c><b id='t'><p>3</p></b><b id='k'><p>9</p></b></c>"), [""; 0]);
    assert_eq!(
        xml(before, "<c><b id='t'><p>3</p></b><b id='k'><p>8</p></b></c>"),
        ["c.b[k].p: 9 -> c.b[k].p: 8"]
    );
    assert_eq!(xml(before, "<c><b id='t'><p>3</p></b></c>"), ["c.b[k]: p: 9 -> -"]);
}

fn feed(entries: &[(u32, &str)]) -> String {
    let item = |(id, text): &(u32, &str)| {
        format!(
            "<item><guid>{id}</guid><title>Story {id}</title><description>{text}</description>\
                 <link>https://site.example/{id}</link></item>"
        )
    };
    let items: String = entries.iter().map(item).collect();
    format!("<rss version='2.0'><channel><title>T</title>{items}</channel></rss>")
}

#[test]
fn feeds_are_silent_of_order_and_of_what_makes_room() {
    let of = |ids: &[u32]| feed(&ids.iter().map(|&id| (id, "All about it")).collect::<Vec<_>>());
    let rss = |old: &[u32], new: &[u32]| told(&of(old), &of(new), "application/rss+xml");
    assert_eq!(rss(&[3, 2, 1], &[1, 3, 2]), [""; 0]);
    assert_eq!(rss(&[3, 2, 1], &[3, 2]), [""; 0]);
    assert_eq!(rss(&[3, 2, 1], &[4, 3, 2]), ["- -> Story 4 — All about it"]);
    assert_eq!(rss(&[1, 2, 3], &[2, 3, 4]), ["- -> Story 4 — All about it"]);
    let said = |id: u32| format!("- -> Story {id} — All about it");
    assert_eq!(rss(&[1, 2], &[1, 2, 3, 4]), [said(4), said(3)], "the newest first");
    assert_eq!(rss(&[2, 1], &[4, 3, 2, 1]), [said(4), said(3)]);
    assert_eq!(rss(&[3, 2, 1], &[3, 1]), ["Story 2 — All about it -> -"]);
    assert_eq!(rss(&[2, 1], &[9, 8]).len(), 4, "nothing stayed");
}

#[test]
fn an_entry_is_one_thing() {
    let rss = |old: &str, new: &str| told(old, new, "application/rss+xml");
    let before = feed(&[(2, "Nobody hurt"), (1, "Rain")]);
    assert_eq!(
        rss(&before, &feed(&[(1, "Rain"), (2, "Two people hurt")])),
        ["Story 2 — Nobody hurt -> Story 2 — Two people hurt"]
    );
    let said = feed(&[(3, "Story 3: a flood"), (2, "Nobody hurt"), (1, "Rain")]);
    assert_eq!(rss(&before, &said), ["- -> Story 3: a flood"], "the title stands there once");
    assert_eq!(
        rss(&before, &before.replace("site.example/2", "site.example/9")),
        ["Story 2 — Nobody hurt https://site.example/2 -> \
             Story 2 — Nobody hurt https://site.example/9"]
    );
    // Other ids at each look.
    assert_eq!(rss(&before, &before.replace("<guid>", "<guid>x")), [""; 0]);
    let edited = feed(&[(2, "Two people hurt"), (1, "Rain")]).replace("<guid>2", "<guid>x2");
    assert_eq!(
        rss(&before, &edited),
        ["Story 2 — Nobody hurt -> Story 2 — Two people hurt"],
        "what leads to the same page under the same title"
    );
}

#[test]
fn entries_that_share_a_name_are_told_apart_by_what_they_say() {
    let rss = |old: &[(u32, &str)], new: &[(u32, &str)]| {
        told(&feed(old), &feed(new), "application/rss+xml")
    };
    let before = [(7, "Patch"), (7, "Notice"), (6, "Fixes")];
    assert_eq!(rss(&before, &[(7, "Notice"), (7, "Patch"), (6, "Fixes")]), [""; 0]);
    assert_eq!(
        rss(&before, &[(7, "Notice, again"), (7, "Patch"), (6, "Fixes")]),
        ["Story 7 — Notice -> -", "- -> Story 7 — Notice, again"],
        "nobody knows which of two it was"
    );
    assert_eq!(
        rss(&before, &[(7, "New"), (7, "Patch"), (7, "Notice"), (6, "Fixes")]),
        ["- -> Story 7 — New"]
    );
}

#[test]
fn an_entry_that_is_gone_says_where_it_led() {
    let of = |ids: &[u32]| feed(&ids.iter().map(|&id| (id, "Rain")).collect::<Vec<_>>());
    let [old, new] = [of(&[3, 2, 1]), of(&[3, 1])].map(|feed| read(&feed, "application/rss+xml"));
    let (changes, _) = compare(&old, &new, &ChangeType::plain(Aspect::Any), &Limits::default());
    assert_eq!(changes[0].link.as_deref(), Some("https://site.example/2"));
}

#[test]
fn entries_of_one_title_lead_each_to_its_own_page() {
    let notice = |(id, text): &(u32, &str)| {
        let about = if text.is_empty() { "" } else { "<description>D</description>" };
        format!(
            "<item><guid>n{id}</guid><title>Notice</title>{}<link>https://site.example/{id}</link>\
             </item>",
            about.replace('D', text)
        )
    };
    let of = |entries: &[(u32, &str)]| {
        let items: String = entries.iter().map(notice).collect();
        format!("<rss version='2.0'><channel><title>T</title>{items}</channel></rss>")
    };
    let leads = |old: &str, new: &str| {
        let [old, new] = [old, new].map(|feed| read(feed, "application/rss+xml"));
        let (changes, _) = compare(&old, &new, &ChangeType::plain(Aspect::Any), &Limits::default());
        let told = changes.into_iter().filter(|change| change.weight >= Weight::ENOUGH);
        told.map(|change| change.link.unwrap_or_default()).collect::<Vec<_>>()
    };
    let before = of(&[(3, "Rain"), (2, "Snow"), (1, "Fog")]);
    assert_eq!(
        leads(&before, &of(&[(4, "Sun"), (3, "Rain"), (2, "Snow")])),
        ["https://site.example/4"]
    );
    assert_eq!(
        leads(&before, &of(&[(3, "Rain"), (2, "Hail"), (1, "Fog")])),
        ["https://site.example/2"]
    );
    let moved = before.replace("example/1<", "example/9<");
    assert_eq!(
        told(&before, &moved, "application/rss+xml"),
        ["Notice — Fog https://site.example/1 -> Notice — Fog https://site.example/9"]
    );
    // A title is all they have, and one leads nowhere.
    let [short, longer] = [of(&[(2, ""), (1, "")]), of(&[(3, ""), (2, ""), (1, "")])];
    assert_eq!(leads(&short, &longer), ["https://site.example/3"]);
    let nowhere = longer.replace("<link>https://site.example/3</link>", "");
    assert_eq!(leads(&longer, &nowhere), [""]);
}

#[test]
fn an_entry_without_a_title_says_where_it_leads() {
    let of = |ids: &[u32]| {
        let ids: Vec<_> = ids.iter().map(|&id| (id, ["Rain", "Snow"][id as usize % 2])).collect();
        ids.iter().fold(feed(&ids), |feed, (id, _)| {
            feed.replace(&format!("<title>Story {id}</title>"), "")
        })
    };
    let [old, new] = [of(&[1]), of(&[2, 1])].map(|feed| read(&feed, "application/rss+xml"));
    let (changes, _) = compare(&old, &new, &ChangeType::plain(Aspect::Any), &Limits::default());
    assert_eq!(changes[0].link.as_deref(), Some("https://site.example/2"));
}

#[test]
fn an_entry_whose_link_has_another_token_is_the_same() {
    let rss = |old: &str, new: &str| told(old, new, "application/rss+xml");
    let [plain, edited] = ["Rain", "Snow"].map(|text| feed(&[(2, text), (1, "Fog")]));
    let with = |feed: &str, end: &str| feed.replace("</link>", &format!("{end}</link>"));
    for [old, new] in [
        ["?sid=fb9654", "?sid=887309"],
        ["?session=fb96549631c835eb", "?session=b1d5781111d84f7b"],
        ["?cb=0", "?cb=919"],
        ["/8f14e45f-ceea-467f-a0e6-000000000000", "/8f14e45f-ceea-467f-a0e6-000000000100"],
    ] {
        assert_eq!(rss(&with(&plain, old), &with(&plain, new)), [""; 0], "{new}");
        let said = ["Story 2 — Rain -> Story 2 — Snow"];
        assert_eq!(rss(&with(&plain, old), &with(&edited, new)), said, "{new}");
        // The address is all that names an entry.
        let unnamed = |feed: &str, end| with(feed, end).replace("guid>", "x>");
        assert_eq!(rss(&unnamed(&plain, old), &unnamed(&plain, new)), [""; 0], "{new}");
        assert_eq!(rss(&unnamed(&plain, old), &unnamed(&edited, new)), said, "{new}");
    }
    for [old, new] in [["?p=7", "?p=8"], ["?id=a91f", "?id=c07b"], ["?v=dQw4w9Wg", "?v=oHg5SJYR"]] {
        assert_eq!(rss(&with(&plain, old), &with(&plain, new)).len(), 2, "{new}");
    }
    let safe = plain.replace("https:", "http:");
    assert_eq!(rss(&safe, &plain), [""; 0]);
}
