//! The page of settings: what holds, who is logged in, which tokens there are.

use super::bench::{Bench, Reply, TOKEN, local};
use crate::Setting;
use axum::body::Body;
use axum::http::{Method, header};

fn bench() -> Bench {
    Bench::with(|config| {
        let said_in = Some("in /etc/tidings.toml".to_owned());
        let about = "What it is for.";
        config.settings = vec![
            Setting { name: "listen", about, value: "\"[::1]:1\"".into(), default: "1", said_in },
            Setting {
                name: "smtp.port",
                about,
                value: "587".into(),
                default: "587",
                said_in: None,
            },
        ];
    })
}

/// The cookie of a browser that logs in with this token.
async fn log_in(bench: &Bench, token: &str, agent: &str) -> String {
    let request = local(Method::POST, "/login")
        .header(header::USER_AGENT, agent)
        .header(header::ORIGIN, "http://localhost:7878")
        .body(Body::from(format!("token={}", token.replace(' ', "+"))));
    let answer = bench.send(request.expect("a request")).await;
    assert_eq!(answer.status, 303, "{answer:?}");
    answer.header("set-cookie").split(';').next().expect("a cookie").to_owned()
}

async fn ask(bench: &Bench, cookie: &str, (method, body): (Method, &str)) -> Reply {
    let request = local(method, "/settings")
        .header(header::COOKIE, cookie)
        .header(header::ORIGIN, "http://localhost:7878")
        .body(Body::from(body.to_owned()));
    bench.send(request.expect("a request")).await
}

async fn seen(bench: &Bench, cookie: &str) -> String {
    ask(bench, cookie, (Method::GET, "")).await.body
}

async fn made(bench: &Bench, wish: &str) -> String {
    let made = bench.post("/api/v1/tokens", wish).await.json();
    made["token"].as_str().expect("a token").to_owned()
}

#[tokio::test]
async fn the_owner_sees_what_holds_which_tokens_there_are_and_ends_sessions() {
    let bench = bench();
    let token = made(&bench, r#"{"scope": "read", "name": "grafana", "tag": "home"}"#).await;
    let mine = log_in(&bench, TOKEN, "Firefox at home").await;
    let phone = log_in(&bench, TOKEN, "Phone").await;
    let page = seen(&bench, &mine).await;
    for text in [
        "<a href=\"/settings\" aria-current=\"page\">Settings</a>",
        "<code class=\"value\">&#34;[::1]:1&#34;</code>",
        "set</span> in /etc/tidings.toml; the default is <code>1</code>",
        "<h3><code>[smtp]</code></h3>",
        "<code class=\"value\">587</code> <span class=\"meta\">default</span>",
        "grafana",
        "may read · for sentinels with the tag home alone",
        "Firefox at home <span class=\"badge\">this one</span>",
        "Phone</h3>",
    ] {
        assert!(page.contains(text), "{text} is not in {page}");
    }
    assert!(!page.contains(&token) && !page.contains(TOKEN), "a secret: {page}");
    let ended = ask(&bench, &mine, (Method::POST, "end=2")).await;
    assert_eq!((ended.status.as_u16(), ended.header("location")), (303, "/settings"));
    assert!(!seen(&bench, &mine).await.contains("Phone</h3>"));
    let out = ask(&bench, &phone, (Method::GET, "")).await;
    assert_eq!(out.status, 303, "it has to log in: {out:?}");
}

#[tokio::test]
async fn who_came_by_a_token_of_his_own_sees_and_ends_his_own_session_alone() {
    let bench = bench();
    let token = made(&bench, r#"{"scope": "write", "name": "nightly job"}"#).await;
    let owner = log_in(&bench, TOKEN, "Firefox at home").await;
    let guest = log_in(&bench, &token, "Guest").await;
    let page = seen(&bench, &guest).await;
    assert!(page.contains("Guest <span class=\"badge\">this one</span>"), "{page}");
    for hidden in ["Firefox at home", "nightly job", "/etc/tidings.toml", "587"] {
        assert!(!page.contains(hidden), "{hidden} is in {page}");
    }
    let refused = ask(&bench, &guest, (Method::POST, "end=1")).await;
    assert_eq!(refused.status, 403, "{refused:?}");
    assert_eq!(ask(&bench, &owner, (Method::GET, "")).await.status, 200, "it is still open");
    let own = ask(&bench, &guest, (Method::POST, "end=2")).await;
    assert_eq!(own.status, 303);
    assert_eq!(ask(&bench, &guest, (Method::GET, "")).await.status, 303, "it is over");
    let nonsense = ask(&bench, &owner, (Method::POST, "end=x")).await;
    assert_eq!(nonsense.status, 400);
}
