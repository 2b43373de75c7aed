//! Editing a sentinel: as a form, as a text, under another name, and tried on the past.

use super::bench::{Bench, SENTINEL};
use crate::{Rehearsal, Stored, Told};
use serde_json::Value;
use std::sync::Arc;

fn form(fields: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// What the form of [`SENTINEL`] sends, with these fields instead.
fn filled<'f>(other: &[(&'f str, &'f str)]) -> String {
    let mut fields = vec![
        ("as", "form"),
        ("name", "deals"),
        ("url", "https://air.example/deals"),
        ("what", "written"),
        ("terms", "all links"),
        ("notify", "interactive\r\n"),
    ];
    fields.retain(|(name, _)| other.iter().all(|(other, _)| other != name));
    fields.extend(other);
    form(&fields)
}

async fn bench() -> Bench {
    let bench = Bench::new();
    assert_eq!(bench.post("/api/v1/sentinels", SENTINEL).await.status, 201);
    bench
}

#[tokio::test]
async fn a_sentinel_is_edited_by_a_form_and_its_text_is_one_press_away() {
    let bench = bench().await;
    let page = bench.get("/sentinels/deals/edit").await;
    for text in ["name=\"url\" value=\"https://air.example/deals\"", "value=\"written\" selected"] {
        assert!(page.body.contains(text), "{text} is not in {}", page.body);
    }
    let text = bench.get("/sentinels/deals/edit?view=text").await;
    assert!(text.body.contains("monitor all links"), "{}", text.body);
    // Nothing is saved by looking at the other view.
    let shown =
        bench.post("/sentinels/deals/edit", &filled(&[("tags", "a"), ("do", "text")])).await;
    assert!(shown.body.contains("tag a</textarea>") || shown.body.contains("tag a\n"), "{shown:?}");
    assert!(shown.body.contains("changes in place"), "{}", shown.body);
    let new = [("what", "links"), ("every", "2 hours"), ("do", "check")];
    let checked = bench.post("/sentinels/deals/edit", &filled(&new)).await;
    assert!(checked.body.contains("begins anew"), "{}", checked.body);
    let saved =
        bench.post("/sentinels/deals/edit", &filled(&[("tags", "a"), ("do", "save")])).await;
    assert_eq!((saved.status.as_u16(), saved.header("location")), (303, "/sentinels/deals"));
    assert_eq!(bench.get("/api/v1/sentinels/deals").await.json()["tags"][0], "a");
}

#[tokio::test]
async fn what_does_not_fit_the_form_is_shown_as_its_text() {
    let bench = Bench::new();
    let text = "create sentinel two using https://a.example/ as a, https://b.example/ as b";
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    let page = bench.get("/sentinels/two/edit").await;
    assert!(page.body.contains("several pages together. So it is shown"), "{}", page.body);
    assert!(page.body.contains("<textarea id=\"edited\""), "{}", page.body);
}

#[tokio::test]
async fn another_name_renames_and_one_that_is_taken_is_refused() {
    let bench = bench().await;
    let other = "create sentinel other using https://a.example/";
    assert_eq!(bench.post("/api/v1/sentinels", other).await.status, 201);
    let id = bench.get("/api/v1/sentinels/deals").await.json()["id"].clone();
    let new = [("name", "fares"), ("do", "check")];
    let checked = bench.post("/sentinels/deals/edit", &filled(&new)).await;
    assert!(
        checked.body.contains("Its name becomes fares. Nothing else changes.")
            || checked.body.contains("Its name becomes fares. It changes in place"),
        "{}",
        checked.body
    );
    let taken = [("name", "Other"), ("do", "save")];
    let taken = bench.post("/sentinels/deals/edit", &filled(&taken)).await;
    assert_eq!(taken.status, 422);
    assert!(taken.body.contains("exists already"), "{}", taken.body);
    let new = [("name", "fares"), ("tags", "x"), ("do", "save")];
    let saved = bench.post("/sentinels/deals/edit", &filled(&new)).await;
    assert_eq!((saved.status.as_u16(), saved.header("location")), (303, "/sentinels/fares"));
    let fares = bench.get("/api/v1/sentinels/fares").await.json();
    assert_eq!((&fares["id"], &fares["tags"][0]), (&id, &"x".into()), "{fares}");
    assert_eq!(bench.get("/api/v1/sentinels/deals").await.status, 404);
}

#[tokio::test]
async fn a_password_that_is_not_shown_stays_under_another_name() {
    let bench = Bench::new();
    let text = "create sentinel secret using https://me:hidden@a.example/";
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    let page = bench.get("/sentinels/secret/edit").await.body;
    assert!(!page.contains("hidden@"), "{page}");
    let url = page.split("name=\"url\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    let url = url.expect("an address").replace("&#64;", "@").replace("&#58;", ":");
    let fields =
        [("name", "open"), ("url", &*url), ("what", "links"), ("terms", ""), ("do", "save")];
    let saved = bench.post("/sentinels/secret/edit", &filled(&fields)).await;
    assert_eq!(saved.status, 303, "{saved:?}");
    let stored = bench.reader().snapshot().expect("a store without faults").sentinels;
    let open =
        stored.iter().map(|(row, _)| row).find(|row| &*row.name == "open").expect("the sentinel");
    assert!(open.text.reveal().contains("me:hidden@a.example"), "{open:?}");
}

#[tokio::test]
async fn what_is_wrong_in_a_form_stands_at_its_field() {
    let bench = bench().await;
    for (field, value, said) in [
        ("url", "no address", ""),
        ("every", "3 moons", ""),
        ("notify", "pigeon", "pigeon"),
        ("name", &*"n".repeat(300), "the name has 300 characters"),
    ] {
        let sent = filled(&[(field, value), ("do", "check")]);
        let page = bench.post("/sentinels/deals/edit", &sent).await;
        assert_eq!(page.status, 422, "{field}");
        let at = page.body.split(&format!("id=\"wrong-{field}\"")).nth(1).unwrap_or_default();
        let at = at.split("</ul>").next().unwrap_or_default();
        assert!(at.contains("class=\"error\"") && at.contains(said), "{field}: {}", page.body);
        assert!(!at.contains("Line "), "a form has no lines: {at}");
        let about = format!("aria-invalid=\"true\" aria-describedby=\"wrong-{field}");
        assert!(page.body.contains(&about), "{field}: {}", page.body);
    }
}

#[tokio::test]
async fn the_form_says_since_when_a_sentinel_looks_and_what_another_address_means() {
    let bench = bench().await;
    bench.pass(chronon::Span::DAY);
    let page = bench.get("/sentinels/deals/edit").await.body;
    assert!(page.contains("from 2027-01-01 00:00"), "{page}");
    let other = [("url", "https://sea.example/"), ("do", "check")];
    let other = bench.post("/sentinels/deals/edit", &filled(&other)).await.body;
    assert!(other.contains("begins anew with a first look"), "{other}");
    let how = [("terms", "all images"), ("do", "check")];
    let how = bench.post("/sentinels/deals/edit", &filled(&how)).await.body;
    assert!(how.contains("begins anew from the last look"), "{how}");
}

/// Tells of each version but the first.
pub(super) struct Stage;

impl Rehearsal for Stage {
    fn rehearse(&self, text: &str, stacks: Vec<Vec<Stored>>) -> Result<Vec<Told>, String> {
        if text.contains("images") {
            return Err("images are out".to_owned());
        }
        let told = |version: &Stored| Told {
            at: version.at,
            summary: format!("v{} <b>", version.number),
            text: "all of it".to_owned(),
        };
        Ok(stacks.iter().flat_map(|stack| stack.iter().skip(1)).map(told).collect())
    }
}

#[tokio::test]
async fn a_text_is_tried_on_the_stored_versions_before_it_is_saved() {
    let bench = Bench::with(|config| config.rehearsal = Some(Arc::new(Stage)));
    assert_eq!(bench.post("/api/v1/sentinels", SENTINEL).await.status, 201);
    for number in 1..=3 {
        bench.page(number, &format!("<p>{number}</p>"), &[]);
    }
    let tried = bench.post("/sentinels/deals/edit", &filled(&[("do", "replay")])).await;
    assert!(tried.body.contains("<strong>2 times</strong>"), "{}", tried.body);
    assert!(tried.body.contains("v3 &#60;b&#62;"), "{}", tried.body);
    let unable = [("terms", "images"), ("do", "replay")];
    let unable = bench.post("/sentinels/deals/edit", &filled(&unable)).await;
    assert!(unable.body.contains("images are out"), "{}", unable.body);
    let tried =
        self::bench().await.post("/sentinels/deals/edit", &filled(&[("do", "replay")])).await;
    assert_eq!(tried.status, 409);
}

#[tokio::test]
async fn words_that_fit_are_said_where_somebody_writes() {
    let bench = bench().await;
    let found =
        bench.post("/api/v1/complete", "create sentinel a using https://a.example/\n mon").await;
    let items = found.json()["items"].as_array().cloned().unwrap_or_default();
    assert!(
        items.iter().any(|item| item["text"] == "monitor " || item["text"] == "monitor"),
        "{items:?}"
    );
    let said =
        bench.post("/api/v1/complete", "create sentinel a using https://a.example/ notify by ");
    assert!(said.await.body.contains("interactive"));
}

#[tokio::test]
async fn what_saving_means_is_what_saving_does() {
    let bench = Bench::new();
    let text = "create sentinel Äpfel using https://me:hidden@a.example/ \
                monitor value of css \".Price\" weight 2";
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    let page = bench.get("/sentinels/%C3%84pfel/edit?view=text").await;
    assert!(page.body.contains("Nothing changes."), "{}", page.body);
    let shown = bench.get("/api/v1/sentinels/%C3%84pfel").await.json()["text"].clone();
    let shown = shown.as_str().expect("a text").to_owned();
    for (text, means, what) in [
        (shown.replace("weight 2", "weight 3"), "changes in place", "changed"),
        // Selectors tell cases apart.
        (shown.replace(".Price", ".price"), "begins anew", "replaced"),
        // Another password where one was.
        (shown.replace("‹secret 1›", "me:other"), "begins anew", "replaced"),
        (shown.replace("Äpfel", "äpfel"), "changes in place", "changed"),
    ] {
        assert_ne!(text, shown);
        let checked = form(&[("as", "text"), ("text", &*text), ("do", "check")]);
        let checked = bench.post("/sentinels/%C3%84pfel/edit", &checked).await;
        assert!(checked.body.contains(means), "{text}: {}", checked.body);
        let path = "/api/v1/sentinels/%C3%84pfel";
        let done = bench.write(axum::http::Method::PUT, path, &text).await.json();
        assert_eq!(done["sentinels"][0]["what"], what, "{text}: {done}");
        bench.write(axum::http::Method::PUT, path, &shown).await;
    }
}

#[tokio::test]
async fn a_letter_in_another_case_is_no_other_name() {
    let bench = Bench::new();
    let text = "create sentinel Äpfel using https://a.example/";
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    let text = text.replace("Äpfel", "äpfel");
    let saved = form(&[("as", "text"), ("text", &*text), ("do", "save")]);
    let saved = bench.post("/sentinels/%C3%84pfel/edit", &saved).await;
    assert_eq!(saved.status, 303, "{saved:?}");
    assert_eq!(bench.get("/api/v1/sentinels/%C3%84pfel").await.json()["name"], "äpfel");
}

#[tokio::test]
async fn a_name_that_a_rule_needs_stays_and_the_rest_is_saved() {
    let bench = bench().await;
    let rule = "create rule fares on deals do notify by interactive";
    let made = bench.post("/api/v1/sentinels", rule).await;
    assert_eq!(made.status, 201, "{made:?}");
    let new = [("name", "fares-of-air"), ("tags", "x"), ("do", "save")];
    let saved = bench.post("/sentinels/deals/edit", &filled(&new)).await;
    assert_eq!(saved.status, 422);
    for text in
        ["All but the name is saved; it is still deals.", "action=\"/sentinels/deals/edit\""]
    {
        assert!(saved.body.contains(text), "{text} is not in {}", saved.body);
    }
    assert_eq!(bench.get("/api/v1/sentinels/deals").await.json()["tags"][0], "x");
    // Where the text is refused nothing has another name.
    let wrong = [("name", "fares-of-air"), ("every", "now"), ("do", "save")];
    assert_eq!(bench.post("/sentinels/deals/edit", &filled(&wrong)).await.status, 422);
    assert_eq!(bench.get("/api/v1/sentinels/deals").await.status, 200);
}

#[tokio::test]
async fn a_trial_says_which_versions_it_leaves_out() {
    let bench = Bench::with(|config| config.rehearsal = Some(Arc::new(Stage)));
    assert_eq!(bench.post("/api/v1/sentinels", SENTINEL).await.status, 201);
    let tried =
        async || bench.post("/sentinels/deals/edit", &filled(&[("do", "replay")])).await.body;
    for number in 1..=100 {
        bench.page(number, &format!("<p>{number}</p>"), &[]);
    }
    let all = tried().await;
    assert!(
        all.contains("the 100 versions stored") && !all.contains("newest versions only"),
        "{all}"
    );
    bench.page(101, "<p>101</p>", &[]);
    let cut = tried().await;
    assert!(
        cut.contains("the 100 versions stored") && cut.contains("newest versions only"),
        "{cut}"
    );
}

#[tokio::test]
async fn what_was_changed_meanwhile_is_not_lost_by_saving_an_older_form() {
    let bench = bench().await;
    let seen = |page: &str| {
        let mark =
            page.split("name=\"seen\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
        mark.expect("a mark").to_owned()
    };
    let first = seen(&bench.get("/sentinels/deals/edit").await.body);
    let daily = [("every", "1 day"), ("do", "save"), ("seen", &*first)];
    assert_eq!(bench.post("/sentinels/deals/edit", &filled(&daily)).await.status, 303);
    // Another window still shows the text of before; a check there does not refresh it.
    let tagged = |action| [("tags", "a"), ("do", action), ("seen", &*first)];
    let checked = bench.post("/sentinels/deals/edit", &filled(&tagged("check"))).await;
    assert_eq!(seen(&checked.body), first);
    let late = bench.post("/sentinels/deals/edit", &filled(&tagged("save"))).await;
    assert_eq!(late.status, 409, "{}", late.body);
    for text in ["was changed while you wrote", "fetch every 1 day", "value=\"a\""] {
        assert!(late.body.contains(text), "{text} is not in {}", late.body);
    }
    let stands = bench.get("/api/v1/sentinels/deals").await.json();
    assert_eq!(
        (&stands["tags"][0], stands["text"].as_str().map(|t| t.contains("1 day"))),
        (&Value::Null, Some(true))
    );
    let again = seen(&late.body);
    let again = [("tags", "a"), ("do", "save"), ("seen", &*again)];
    assert_eq!(bench.post("/sentinels/deals/edit", &filled(&again)).await.status, 303);
    assert_eq!(bench.get("/api/v1/sentinels/deals").await.json()["tags"][0], "a");
}

#[tokio::test]
async fn a_field_that_would_be_left_out_of_the_text_is_not_saved_silently() {
    let bench = bench().await;
    let any = [("what", "any"), ("terms", ""), ("test", "< 40 EUR"), ("do", "save")];
    let page = bench.post("/sentinels/deals/edit", &filled(&any)).await;
    assert_eq!(page.status, 422);
    assert!(page.body.contains("aria-describedby=\"wrong-test test-help\""), "{}", page.body);
    assert!(page.body.contains("is for “the number in a part changes” alone"), "{}", page.body);
    // What the condition said before is a leftover of the choice.
    let any = [("what", "any"), ("do", "save")];
    assert_eq!(bench.post("/sentinels/deals/edit", &filled(&any)).await.status, 303);
    let text = bench.get("/api/v1/sentinels/deals").await.json()["text"].clone();
    assert!(!text.as_str().is_some_and(|text| text.contains("links")), "{text}");
}

#[tokio::test]
async fn each_channel_has_a_line_of_its_own_to_be_read() {
    let bench = Bench::new();
    let text = "create sentinel three using https://a.example/\n notify by interactive\n notify \
                by terminal\n notify by webhook https://b.example/\n notify by ntfy https://c.example/x";
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    let page = bench.get("/sentinels/three/edit").await.body;
    assert!(page.contains("name=\"notify\" rows=\"5\""), "{page}");
}
