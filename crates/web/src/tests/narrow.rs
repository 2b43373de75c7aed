//! Tokens of one tag: what they open, and that they open nothing else.

use super::bench::{Bench, Reply, SENTINEL, local};
use axum::body::Body;
use axum::http::{Method, header};
use serde_json::{Value, json};

struct Narrow {
    bench: Bench,
    bearer: String,
}

impl Narrow {
    async fn start() -> Narrow {
        let bench = Bench::new();
        let tagged = SENTINEL.replace("notify by", "tag Travel\n  notify by");
        let other = "create sentinel secret using https://bank.example/ tag money";
        for text in [tagged.as_str(), other] {
            assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
        }
        bench.notification(1, &json!({"format": 1, "summary": "first"}));
        let wish = r#"{"scope": "write", "name": "x", "tag": "travel"}"#;
        let made = bench.post("/api/v1/tokens", wish).await;
        assert_eq!(made.status, 201, "{made:?}");
        assert_eq!(made.json()["tag"], "travel");
        let bearer = format!("Bearer {}", made.json()["token"].as_str().expect("a token"));
        Narrow { bench, bearer }
    }

    async fn ask(&self, method: Method, path: &str) -> Reply {
        let request = local(method, path).header(header::AUTHORIZATION, &self.bearer);
        self.bench.send(request.body(Body::empty()).expect("a request")).await
    }

    async fn get(&self, path: &str) -> Reply {
        self.ask(Method::GET, path).await
    }
}

#[tokio::test]
async fn a_token_of_a_tag_reads_and_steers_its_sentinels() {
    let narrow = Narrow::start().await;
    let listed = narrow.get("/api/v1/sentinels?tag=TRAVEL").await.json();
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(1), "{listed}");
    for path in ["sentinels/deals", "sentinels/deals/detections", "notifications?sentinel=deals"] {
        assert_eq!(narrow.get(&format!("/api/v1/{path}")).await.status, 200, "{path}");
    }
    assert_eq!(narrow.get("/api/v1/notifications/1").await.status, 200);
    assert_eq!(narrow.ask(Method::POST, "/api/v1/notifications/1/read").await.status, 204);
    assert_eq!(narrow.ask(Method::POST, "/api/v1/sentinels/deals/disable").await.status, 204);
    assert_eq!(narrow.ask(Method::DELETE, "/api/v1/sentinels/deals").await.status, 204);
}

#[tokio::test]
async fn of_other_sentinels_it_hears_as_if_there_were_none() {
    let narrow = Narrow::start().await;
    for name in ["secret", "SECRET", "s%65cret"] {
        narrow.get(&format!("/api/v1/sentinels/{name}")).await.problem(404);
        narrow.ask(Method::DELETE, &format!("/api/v1/sentinels/{name}")).await.problem(404);
        narrow.get(&format!("/api/v1/notifications?sentinel={name}")).await.problem(404);
    }
    for path in [
        "sentinels",
        "sentinels?tag=money",
        "sentinels?tag=travel&tag=money",
        "notifications",
        "notifications?sentinel=deals&sentinel=secret",
    ] {
        let answer = narrow.get(&format!("/api/v1/{path}")).await;
        assert!(matches!(answer.status.as_u16(), 403 | 404), "{path}: {answer:?}");
    }
    for name in ["secret", "free"] {
        let path = format!("/api/v1/sentinels/deals/rename?to={name}");
        assert_eq!(narrow.ask(Method::POST, &path).await.status, 403);
    }
    let state = narrow.bench.get("/api/v1/sentinels/secret").await.json();
    assert_ne!(state["state"], "disabled");
}

#[tokio::test]
async fn nothing_else_is_open_to_it() {
    let narrow = Narrow::start().await;
    let document: Value = narrow.bench.get("/api/v1/openapi.json").await.json();
    let (mut asked, mut open) = (0, Vec::new());
    for (path, item) in document["paths"].as_object().expect("paths") {
        for method in item.as_object().expect("operations").keys() {
            let method: Method = method.to_uppercase().parse().expect("a method");
            for value in ["secret", "1", "2"] {
                let pieces = path.split('/');
                let filled = pieces.map(|word| if word.starts_with('{') { value } else { word });
                let place = format!("/api/v1{}", filled.collect::<Vec<_>>().join("/"));
                let answer = narrow.ask(method.clone(), &place).await;
                assert!(!answer.body.contains("bank.example"), "{method} {place}: {answer:?}");
                asked += 1;
                if answer.status.is_success() {
                    open.push(format!("{method} {path}"));
                }
            }
        }
    }
    open.dedup();
    assert!(asked > 100, "{asked}");
    let expected = [
        "GET /healthz",
        "GET /notifications/{id}",
        "GET /readyz",
        "GET /version",
        "POST /notifications/{id}/read",
    ];
    open.sort();
    assert_eq!(open, expected);
    let said = narrow.get("/api/v1/notifications").await.problem(403);
    assert!(said.contains("?sentinel=NAME"), "{said}");
    for page in ["/", "/channels", "/feeds", "/sentinels/deals", "/fragments/rows", "/metrics"] {
        assert_eq!(narrow.get(page).await.status, 403, "{page}");
    }
    let token = narrow.bearer.trim_start_matches("Bearer ");
    let log_in = local(Method::POST, "/login").body(Body::from(format!("token={token}")));
    let answer = narrow.bench.send(log_in.expect("a request")).await;
    assert_eq!(answer.status, 403, "{answer:?}");
}
