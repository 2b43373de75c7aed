//! How commands reach the owner of the data directory: the running server over its API, or, if
//! none runs, the same API inside this process for one command.

use crate::cli::Common;
use crate::datadir::{self, DataDir};
use crate::launch::{self, Running};
use crate::{commands, runtime, serve};
use anyhow::{Context, Result, anyhow, bail};
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use serde_json::Value;
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};
use store_sqlite::SqliteStore;
use tower::ServiceExt;

/// Bytes of an answer a command takes.
const ANSWER_BYTES_MAX: usize = 64 << 20;

/// How long an owner of the data directory may take to say where its API is, and how often it is
/// asked.
const OWNER_PATIENCE: Duration = Duration::from_secs(10);
const OWNER_PAUSE: Duration = Duration::from_millis(50);

/// What is asked with a text, and changes nothing.
const READING: [&str; 2] = ["/api/v1/check", "/api/v1/propose"];

/// The API, wherever it runs.
pub enum Api {
    Remote { client: reqwest::Client, address: SocketAddr, token: String },
    Local { router: Router, token: String, running: Box<Running>, dir: DataDir },
}

/// Whether the directory that `--data-dir` names holds anything: a slip of the pen is not answered
/// with a new and empty one.
pub fn expect_data(common: &Common) -> Result<()> {
    match &common.data_dir {
        Some(dir) if !dir.join("tidings.db").exists() => bail!(
            "{} holds no Tidings data; is --data-dir right? `tidings serve` or `tidings apply` \
             creates it",
            dir.display()
        ),
        _ => Ok(()),
    }
}

/// Where the service of the Debian package keeps its data.
const SERVICE_DATA: &str = "/var/lib/tidings";

/// What to add where somebody may have meant the service of this machine.
fn elsewhere(folder: &Path) -> String {
    let service = Path::new(SERVICE_DATA);
    if folder == service || !service.is_dir() {
        return String::new();
    }
    format!(
        "; the service of this machine is asked with `sudo tidings … --data-dir {SERVICE_DATA}`"
    )
}

/// A request to the API.
pub struct Call<'a> {
    pub method: &'a str,
    /// Below `/api/v1`.
    pub path: &'a str,
    pub text: Option<String>,
    /// What is sent again under its key is done once.
    pub key: Option<&'a str>,
}

impl Call<'_> {
    fn get(path: &str) -> Call<'_> {
        Call { method: "GET", path, text: None, key: None }
    }
}

/// An answer of the API.
pub struct Answer {
    pub status: u16,
    pub json: Value,
}

impl Api {
    /// Finds the owner of the configured data directory, or becomes it. An owner that does not
    /// say yet where its API is (a server that starts, another command) is waited for a moment.
    pub async fn open(common: &Common) -> Result<Api> {
        let settings = commands::settings(common, &[])?;
        let path = settings.data_folder();
        let began = Instant::now();
        let (dir, store) = loop {
            if let Some(own) = own_store(&path)? {
                break own;
            }
            match datadir::doorplate(&path) {
                Ok(plate) => return Api::remote(plate),
                Err(error) if began.elapsed() >= OWNER_PATIENCE => return Err(error),
                Err(_) => tokio::time::sleep(OWNER_PAUSE).await,
            }
        };
        let running = launch::start_idle(&settings, Box::new(store))?;
        let token = dir.token()?;
        let mut config = serve::web_config(&running, settings.listen, &settings);
        // The keys of what cannot be written stay where they are.
        config.links = (!dir.is_borrowed()).then(|| dir.link_key()).transpose()?;
        let notice = std::sync::Arc::clone(&running.notice);
        config.ready = std::sync::Arc::new(move || notice.get().map_or(Ok(()), Err));
        let keeper = launch::keeper(&running, &token)?;
        let router = web::router(running.desk.clone(), keeper, config);
        Ok(Api::Local { router, token, running: Box::new(running), dir })
    }

    /// Says on standard error that nobody looks, and which folder that is about, where no server
    /// runs: it may be another's that the caller means.
    pub fn say_who_looks(&self) {
        let Api::Local { dir, .. } = self else { return };
        let folder = dir.path();
        if dir.is_borrowed() {
            eprintln!(
                "tidings: {} cannot be written: this reads a copy of it, and changes nothing",
                folder.display()
            );
        }
        eprintln!(
            "tidings: no server runs on {}, so nobody looks; `tidings serve` starts one{}",
            folder.display(),
            elsewhere(folder)
        );
    }

    /// The server that owns the configured data directory; if none runs, and no other directory was
    /// asked for, the demo.
    pub async fn of_server(common: &Common) -> Result<Api> {
        let path = commands::settings(common, &[])?.data_folder();
        let demo = runtime::demo_data_dir().filter(|_| common.data_dir.is_none());
        for dir in [Some(&path), demo.as_ref()].into_iter().flatten() {
            if let Some(plate) = plate_of_owner(dir).await? {
                return Api::remote(plate);
            }
        }
        bail!(
            "no server runs on {}; start one with `tidings serve`, or name another --data-dir{}",
            path.display(),
            elsewhere(&path)
        )
    }

    fn remote(plate: datadir::Doorplate) -> Result<Api> {
        let client = reqwest::Client::builder()
            .no_proxy()
            .tls_backend_preconfigured(fetch::client_tls(&[])?)
            .timeout(Duration::from_secs(60))
            .build()?;
        Ok(Api::Remote { client, address: plate.address, token: plate.token })
    }

    /// One request; `path` is below `/api/v1`. An error status comes back as an [`Answer`].
    pub async fn call(&self, method: &str, path: &str, text: Option<String>) -> Result<Answer> {
        self.ask(Call { method, path, text, key: None }).await
    }

    /// The same as [`Api::call`], under a key if there is one.
    pub async fn ask(&self, call: Call<'_>) -> Result<Answer> {
        let path = call.path;
        let (status, bytes) = self.send(call).await?;
        let mut json = if bytes.is_empty() {
            Value::Null
        } else {
            serde_json::from_slice(&bytes).context("the server's answer is not JSON")?
        };
        let name = path.strip_prefix("/sentinels/").or_else(|| path.strip_prefix("/rules/"));
        let name = name.filter(|_| status == 404);
        if let Some(near) = self.name_near(name).await? {
            let detail = json["detail"].as_str().unwrap_or_default();
            json["detail"] = format!("{detail} Did you mean `{near}`?").into();
        }
        Ok(Answer { status, json })
    }

    /// The sentinel or rule whose name is nearest to what stands in a path.
    async fn name_near(&self, path: Option<&str>) -> Result<Option<String>> {
        let Some(name) = path.and_then(|path| path.split(['/', '?']).next()) else {
            return Ok(None);
        };
        let pair = format!("name={name}");
        let pair = url::form_urlencoded::parse(pair.as_bytes()).next();
        let name = pair.map(|(_, name)| name.into_owned()).unwrap_or_default();
        let mut names = Vec::new();
        for path in ["/sentinels?limit=1000", "/rules?limit=1000"] {
            let (status, bytes) = self.send(Call::get(path)).await?;
            let json: Value = serde_json::from_slice(&bytes).unwrap_or_default();
            let items = json["items"].as_array().filter(|_| status == 200).cloned();
            let items = items.unwrap_or_default();
            names.extend(items.iter().filter_map(|one| one["name"].as_str().map(str::to_owned)));
        }
        let names = names.iter().map(String::as_str);
        Ok(crate::settings::nearest(&name, names).map(str::to_owned))
    }

    /// What is no JSON, as it is stored; `None`: it is not there.
    pub async fn bytes(&self, path: &str) -> Result<Option<Vec<u8>>> {
        let (status, bytes) = self.send(Call::get(path)).await?;
        match status {
            200 => Ok(Some(bytes.into())),
            404 => Ok(None),
            other => bail!("the server answered {other} when it was asked for a stored page"),
        }
    }

    async fn send(&self, call: Call<'_>) -> Result<(u16, axum::body::Bytes)> {
        let Call { method, path, text, key } = call;
        let path = format!("/api/v1{path}");
        let headers = [("content-type", "text/plain")].into_iter();
        let headers = headers.chain(key.map(|key| ("idempotency-key", key)));
        let answered = match self {
            Api::Remote { client, address, token } => {
                let address = reachable(*address);
                let method = method.parse::<reqwest::Method>()?;
                let request = client.request(method, format!("http://{address}{path}"));
                let request = request.bearer_auth(token);
                let request =
                    headers.fold(request, |request, (name, value)| request.header(name, value));
                let sent = request.body(text.unwrap_or_default()).send().await;
                let answer = sent.with_context(|| {
                    format!("the server on {address} does not answer; is it still starting?")
                })?;
                (answer.status().as_u16(), answer.bytes().await?)
            }
            Api::Local { router, token, dir, .. } => {
                if dir.is_borrowed() && method != "GET" && !READING.contains(&&*path) {
                    bail!(
                        "{} cannot be written; run this as its owner, or copy it to a folder of \
                         your own and name that as --data-dir",
                        dir.path().display()
                    );
                }
                let request = axum::http::Request::builder()
                    .method(method)
                    .uri(&path)
                    .header("host", here().to_string())
                    .header("authorization", format!("Bearer {token}"))
                    .extension(ConnectInfo(here()));
                let request =
                    headers.fold(request, |request, (name, value)| request.header(name, value));
                let request = request.body(Body::from(text.unwrap_or_default()))?;
                let answer = router.clone().oneshot(request).await.map_err(|e| anyhow!("{e}"))?;
                let status = answer.status().as_u16();
                (status, axum::body::to_bytes(answer.into_body(), ANSWER_BYTES_MAX).await?)
            }
        };
        Ok(answered)
    }

    /// Like [`Api::call`], and an error status is an error with the server's sentence.
    pub async fn get(&self, path: &str) -> Result<Value> {
        let answer = self.call("GET", path, None).await?;
        answer.ok()
    }

    /// Every item of a list, page by page; `path` may have a query.
    pub async fn list(&self, path: &str) -> Result<Vec<Value>> {
        let (mut items, mut cursor) = (Vec::new(), String::new());
        let joint = if path.contains('?') { '&' } else { '?' };
        loop {
            let page = self.get(&format!("{path}{joint}limit=1000{cursor}")).await?;
            items.extend(page["items"].as_array().cloned().unwrap_or_default());
            match page["next"].as_str() {
                Some(next) => cursor = format!("&cursor={}", encode(next)),
                None => return Ok(items),
            }
        }
    }

    /// Stops an engine that ran for this command only; an error if it had to end before.
    pub async fn close(self) -> Result<()> {
        match self {
            Api::Local { running, .. } => serve::stopped(running.stop().await),
            Api::Remote { .. } => Ok(()),
        }
    }
}

impl Answer {
    pub fn ok(self) -> Result<Value> {
        if (200..300).contains(&self.status) {
            return Ok(self.json);
        }
        let text = |name: &str| self.json[name].as_str().unwrap_or_default().to_owned();
        let (title, detail) = (text("title"), text("detail"));
        Err(if detail.is_empty() { anyhow!("{title}") } else { anyhow!("{detail}") })
    }
}

/// The data directory at `path` with its store, or, where it cannot be written, a copy of it to
/// read; `None` if another process has it.
fn own_store(path: &Path) -> Result<Option<(DataDir, SqliteStore)>> {
    let own = || {
        let Some(dir) = DataDir::own(path)? else { return Ok(None) };
        let store = serve::open(&dir)?;
        Ok(Some((dir, store)))
    };
    let error = match own() {
        Err(error) if datadir::cannot_be_written(&error) => error,
        other => return other,
    };
    tokio::spawn(serve::end_with_a_signal(datadir::remove_copies));
    let Some(dir) = DataDir::borrow(path)? else { return Err(error) };
    let store = serve::open(&dir).with_context(|| format!("in a copy of {}", path.display()))?;
    Ok(Some((dir, store)))
}

/// The doorplate of the process that owns `dir`; `None` if nobody does. One that a killed owner
/// left is not believed: it would send the token to a stranger.
async fn plate_of_owner(dir: &Path) -> Result<Option<datadir::Doorplate>> {
    let began = Instant::now();
    loop {
        if !dir.join("lock").exists() || DataDir::own(dir)?.is_some() {
            return Ok(None);
        }
        match datadir::doorplate(dir) {
            Ok(plate) => return Ok(Some(plate)),
            Err(error) if began.elapsed() >= OWNER_PATIENCE => return Err(error),
            Err(_) => tokio::time::sleep(OWNER_PAUSE).await,
        }
    }
}

/// A path segment or query value, percent-encoded.
pub fn encode(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

fn here() -> SocketAddr {
    ([127, 0, 0, 1], 1).into()
}

/// A server that listens on every address is reached over loopback.
fn reachable(address: SocketAddr) -> SocketAddr {
    match address {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => ([127, 0, 0, 1], v4.port()).into(),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => {
            (std::net::Ipv6Addr::LOCALHOST, v6.port()).into()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn without_a_server_times_are_in_the_configured_zone() {
        let home = tempfile::tempdir().expect("a directory");
        let file = home.path().join("tidings.toml");
        std::fs::write(&file, "timezone = \"Asia/Tokyo\"").expect("written");
        let data_dir = Some(home.path().join("data"));
        let common = Common { config: Some(file), data_dir, json: false };
        let api = Api::open(&common).await.expect("nobody has it");
        let text = "create sentinel a using https://a.example/ from 2099-01-01 09:00";
        let made = api.call("POST", "/sentinels", Some(text.to_owned())).await.expect("asked");
        assert_eq!(made.status, 201, "{}", made.json);
        let shown = api.get("/sentinels/a").await.expect("there");
        assert_eq!(shown["next"]["text"], "begins at 2099-01-01 09:00 Asia/Tokyo", "{shown}");
        api.close().await.expect("nothing stood in its way");
    }

    #[tokio::test]
    async fn an_owner_that_has_not_said_where_it_is_is_waited_for() {
        let home = tempfile::tempdir().expect("a directory");
        let path = home.path().join("data");
        let owner = DataDir::own(&path).expect("it is made").expect("nobody has it");
        let common = Common { config: None, data_dir: Some(path), json: false };
        let goes = async {
            // By now the command has found the owner and waits.
            tokio::task::yield_now().await;
            drop(owner);
        };
        let (api, ()) = tokio::join!(Api::open(&common), goes);
        let api = api.expect("the owner has gone");
        assert!(matches!(api, Api::Local { .. }));
        api.close().await.expect("nothing stood in its way");
    }
}
