//! The series of a value: as JSON, as a table, and as a chart.

use super::bench::{Bench, with_token};
use axum::body::Body;
use axum::http::Method;
use serde_json::json;

const PRICE: &str = "create sentinel price using https://air.example/deals \
     monitor value of css \".price\" < 40 EUR or value of css \".price\" changes by 50 % \
     notify by interactive";

async fn bench() -> Bench {
    let bench = Bench::new();
    assert_eq!(bench.post("/api/v1/sentinels", PRICE).await.status, 201);
    bench.version(1, &["<p class=price>1.299,00 €</p>"]);
    bench.version(2, &["<p>none</p>"]);
    bench.version(3, &["<p class=price>=39,90 €</p>"]);
    bench
}

#[tokio::test]
async fn a_value_keeps_its_series() {
    let bench = bench().await;
    let values = bench.get("/api/v1/sentinels/price/values").await.json();
    let series = &values["series"][0];
    assert_eq!(values["series"].as_array().map(Vec::len), Some(1), "two tests, one selector");
    assert_eq!(series["of"], "value of css \".price\"");
    assert_eq!((&series["least"], &series["most"]), (&json!("39.9"), &json!("1299")));
    let of = |at: usize, field: &str| series["points"][at][field].clone();
    assert_eq!((of(0, "value"), of(0, "unit")), (json!("1299"), json!("EUR")));
    assert_eq!((of(1, "value"), of(1, "version")), (json!(null), json!(2)));
    assert_eq!(of(1, "text"), "css \".price\" finds nothing");
    assert_eq!((of(2, "text"), of(2, "told")), (json!("=39,90 €"), json!(false)));
    bench.get("/api/v1/sentinels/nobody/values").await.problem(404);
    bench.get("/api/v1/sentinels/price/values?format=xml").await.problem(400);
}

#[tokio::test]
async fn a_table_computes_nothing() {
    let bench = bench().await;
    let table = bench.get("/api/v1/sentinels/price/values?format=csv").await;
    assert_eq!(table.header("content-type"), "text/csv; charset=utf-8");
    let lines: Vec<&str> = table.body.lines().collect();
    assert_eq!(lines[0], "of,at,version,place,value,unit,text,told");
    assert!(lines[1].starts_with("\"value of css \"\".price\"\"\","), "{}", lines[1]);
    assert!(lines[3].ends_with(",3,0,39.9,EUR,\"'=39,90 €\",false"), "{}", lines[3]);
    let asked = with_token(Method::GET, "/api/v1/sentinels/price/values");
    let asked = asked.header("accept", "text/csv").body(Body::empty()).expect("a request");
    assert_eq!(bench.send(asked).await.body, table.body);
}

#[tokio::test]
async fn the_page_of_the_sentinel_has_a_chart() {
    let bench = Bench::new();
    assert_eq!(bench.post("/api/v1/sentinels", PRICE).await.status, 201);
    for (number, price) in [(1, "1299"), (2, "39.9")] {
        let html = format!("<p class=price>{price} €</p>");
        bench.page(number, &html, &["css \".price\""]);
    }
    let page = bench.get("/sentinels/price").await.body;
    assert!(page.contains("<svg class=\"chart\"") && page.contains("least 39.9, most 1299"));
    assert!(page.contains("value of css &#34;.price&#34;"), "the title is escaped");
}

#[tokio::test]
async fn a_page_that_is_shown_reads_no_version_again_and_a_table_does() {
    let bench = bench().await;
    let page = bench.get("/sentinels/price").await.body;
    assert!(page.contains("value of css") && !page.contains("<svg class=\"chart\""), "{page}");
    let values = bench.get("/api/v1/sentinels/price/values").await.json();
    assert_eq!(values["series"][0]["points"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn a_long_text_is_cut() {
    let bench = Bench::new();
    assert_eq!(bench.post("/api/v1/sentinels", PRICE).await.status, 201);
    bench.page(1, &format!("<p class=price>{}</p>", "ä".repeat(100_000)), &["css \".price\""]);
    let values = bench.get("/api/v1/sentinels/price/values").await.json();
    let text = values["series"][0]["points"][0]["text"].as_str().expect("a text").to_owned();
    assert_eq!(text.chars().count(), 500);
}

#[tokio::test]
async fn each_source_has_the_series_that_are_asked_of_it() {
    let bench = Bench::new();
    let text = "create sentinel both using https://air.example/deals as air, https://sea.example/ \
         monitor value of css \".price\" notify by interactive";
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    let joint = "create sentinel joint using https://air.example/deals as air, https://sea.example/ \
         as sea monitor value of css \".price\" of sea and links of air notify by interactive";
    assert_eq!(bench.post("/api/v1/sentinels", joint).await.status, 201);
    bench.version(1, &["<p class=price>10 €</p>"]);
    bench.version(2, &["<p class=price>20 €</p>"]);
    bench.also_of(2, 2);
    let values = bench.get("/api/v1/sentinels/both/values").await.json();
    let of = |at: usize, field: &str| values["series"][at][field].clone();
    assert_eq!(of(0, "of"), "value of css \".price\" of air");
    assert_eq!(of(1, "of"), "value of css \".price\" of https://sea.example/");
    assert_eq!((of(0, "source_id"), of(1, "source_id")), (json!(1), json!(2)));
    assert_eq!((of(0, "least"), of(1, "least")), (json!("10"), json!("20")));
    let values = bench.get("/api/v1/sentinels/joint/values").await.json();
    assert_eq!(values["series"].as_array().map(Vec::len), Some(1), "{values}");
    assert_eq!(values["series"][0]["of"], "value of css \".price\" of sea");
}
