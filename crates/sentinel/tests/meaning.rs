//! What texts come to, field by field.

#[path = "cases/world.rs"]
mod world;

use chronon::{Instant, Period, Span, Zone};
use sentinel::ast::{
    Aspect, Compare, Expr, Fetch, Frequency, Leaf, Notify, Primitive, Sentinel, Source, When,
};
use sentinel::{Severity, check, recall};
use world::Surroundings;

fn one(text: &str) -> Sentinel {
    let checked = Surroundings::default().with_world(|world| check(text, world));
    assert!(checked.is_ok(), "{:?}", checked.diagnostics);
    checked.statements.into_iter().next().expect("a statement").sentinel
}

fn leaf(primitive: Primitive) -> Expr {
    Expr::Leaf(Leaf { primitive, of: None, directions: Vec::new(), matching: None })
}

fn lisbon() -> Zone {
    Zone::parse("Europe/Lisbon").expect("a zone")
}

fn in_lisbon(local: &str) -> Instant {
    lisbon().instant(local.parse().expect("a time"))
}

#[test]
fn the_papers_example_means_what_they_say() {
    let text = "Create Sentinel s1 Using http://www.cnn.com\n\
                Monitor all links AND all images\n\
                Fetch every 2 days\n\
                From 12/02/02 To 01/02/03\n\
                Notify By email jill@aol.com Every 4 day\n\
                Compare pairwise\n";
    let sentinel = one(text);
    let expected = Sentinel {
        name: "s1".to_owned(),
        sources: vec![Source {
            url: "http://www.cnn.com/".into(),
            way: address::Way::default(),
            name: None,
        }],
        monitor: Expr::And(vec![
            leaf(Primitive::plain(Aspect::Links)),
            leaf(Primitive::plain(Aspect::Images)),
        ]),
        fetch: Fetch::Every {
            period: Period::Days(2),
            slack: Span::from_millis(2 * 86_400_000 / 10),
        },
        from: When::At(in_lisbon("2002-12-02T00:00")),
        from_has_clock: false,
        to: Some(When::At(in_lisbon("2003-01-03T00:00"))),
        then: None,
        notify: vec![Notify {
            channel: "email".to_owned(),
            contact: Some("jill@aol.com".into()),
            frequency: Frequency::Every(Period::Days(4)),
        }],
        compare: Compare::Pairwise,
        change_history: 1,
        presentation: None,
        weight: 1.0,
        tags: Vec::new(),
        zone: lisbon(),
    };
    assert_eq!(sentinel, expected);
    let refused = Surroundings { refuse_past: true, ..Surroundings::default() }
        .with_world(|world| check(text, world));
    assert_eq!(refused.diagnostics[0].severity, Severity::Error);
    assert!(refused.statements.is_empty());
}

#[test]
fn what_is_left_out_is_the_default() {
    let sentinel = one("create sentinel s using https://a.example");
    let now = Surroundings::default().now;
    assert_eq!(sentinel.monitor, leaf(Primitive::plain(Aspect::Any)));
    assert_eq!(sentinel.fetch, Fetch::OnChange { within: Span::from_secs(600) });
    assert_eq!((sentinel.from, sentinel.from_has_clock, sentinel.to), (When::At(now), false, None));
    assert_eq!((sentinel.compare, sentinel.change_history), (Compare::Pairwise, 1));
    let terminal =
        Notify { channel: "terminal".to_owned(), contact: None, frequency: Frequency::Immediately };
    assert_eq!(sentinel.notify, [terminal]);
}

#[test]
fn a_zone_that_is_written_is_the_zone_of_its_days() {
    let text = "create sentinel s using https://a.example from 2027-06-01 09:00 Asia/Tokyo + 1 day";
    let sentinel = one(text);
    assert_eq!(sentinel.zone.name(), "Asia/Tokyo");
    assert_eq!(sentinel.from.at().expect("a date").to_string(), "2027-06-02T00:00:00.000Z");
    assert!(sentinel.from_has_clock);
}

#[test]
fn days_step_the_calendar_and_hours_elapse_over_a_change_of_clocks() {
    // Lisbon has a day of 23 hours on 2027-03-28.
    let day = one("create sentinel s using https://a.example from 2027-03-27 09:00 + 1 day");
    assert_eq!(day.from.at(), Some(in_lisbon("2027-03-28T09:00")));
    let hours = one("create sentinel s using https://a.example from 2027-03-27 09:00 + 24 hours");
    assert_eq!(hours.from.at(), Some(in_lisbon("2027-03-28T10:00")));
}

#[test]
fn a_bare_date_is_the_start_of_the_day_in_from_and_its_end_in_to() {
    let sentinel = one("create sentinel s using https://a.example from 2027-02-28 to 2027-02-28");
    assert_eq!(sentinel.from.at(), Some(in_lisbon("2027-02-28T00:00")));
    assert_eq!(sentinel.to, Some(When::At(in_lisbon("2027-03-01T00:00"))));
}

#[test]
fn the_default_slack_is_a_tenth_of_the_period_and_at_least_a_chronon() {
    let slack = |every: &str| {
        let text = format!("create sentinel s using https://a.example fetch every {every}");
        match one(&text).fetch {
            Fetch::Every { slack, .. } => slack,
            Fetch::OnChange { .. } => Span::ZERO,
        }
    };
    assert_eq!(slack("10 minutes"), Span::MINUTE);
    assert_eq!(slack("5 seconds"), Span::SECOND);
    assert_eq!(slack("10 minutes within 3 minutes"), Span::MINUTE.times(3));
}

#[test]
fn stored_text_is_read_back_as_of_when_it_was_defined() {
    let surroundings = Surroundings::default();
    let text = "create sentinel s using https://a.example/\n  to now + 1 day\n  notify by gone\n";
    let at = Instant::from_millis(1_000_000_000_000);
    let recalled = recall(&text.into(), at, &surroundings.zone, surroundings.chronon);
    let recalled = recalled.expect("a channel that is gone and an end that is over are no matter");
    assert_eq!((recalled.from, recalled.to), (When::At(at), Some(When::At(at + Span::DAY))));
    for bad in ["", "create sentinel s using t", "create sentinel s using https://a.example/"] {
        let failed = recall(&bad.into(), at, &surroundings.zone, surroundings.chronon);
        let diagnostics = failed.expect_err("it does not stand alone");
        assert!(!diagnostics.is_empty(), "{bad}");
    }
}

#[test]
fn a_diagnostic_is_json_as_promised() {
    let checked = Surroundings::default()
        .with_world(|world| check("create sentinel é using http://a.example weight 0", world));
    assert_eq!(
        checked.diagnostics[0].to_json().to_string(),
        r#"{"message":"a weight is from 0.01 to 1000","severity":"error","line":1,"column":49,"#
            .to_owned()
            + r#""end_line":1,"end_column":50,"help":"write a number from 0.01 to 1000, such as "#
            + r#"`2` or `0.5`"}"#
    );
}

#[test]
fn a_time_alone_is_read_as_people_and_programs_write_it() {
    let now = in_lisbon("2027-01-01T12:00");
    let read = |written: &str| sentinel::instant(written, now, &lisbon(), Span::SECOND);
    let nine = in_lisbon("2027-07-01T09:00");
    assert_eq!(read("now"), Ok(now));
    assert_eq!(read("2027-07-01 09:00"), Ok(nine));
    assert_eq!(read(" 07/01/27 08:00 UTC "), Ok(nine));
    assert_eq!(read("2027-07-01T08:00:00Z"), Ok(nine));
    assert_eq!(read("2027-07-01T09:00:00.25+01:00"), Ok(nine + Span::from_millis(250)));
    assert_eq!(read("2027-07-01 + 9 hours"), Ok(nine));
    assert!(read("13/02/03").expect_err("refused").contains("write 2003-02-13"));
    assert!(read("2027-07-01 09:00 links").is_err());
    assert!(read("").is_err() && read("T").is_err() && read("2027-07-01Tx.é").is_err());
}
