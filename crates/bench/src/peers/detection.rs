//! changedetection.io is a server: it is given the pages, and asked to look again and again.

use super::PAGES;
use crate::probes::{Run, Web};
use crate::process;
use anyhow::{Context, Result, bail};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Looks that are counted.
const LOOKS: u64 = 5 * PAGES as u64;
/// How long the server may take to start, and to look so often.
const PATIENCE: Duration = Duration::from_secs(300);
/// How often it is asked to look again: those under way are not counted twice.
const AGAIN: Duration = Duration::from_millis(200);

/// What a look takes, once every page has been looked at.
pub(super) fn look(programs: &Path, web: &Web) -> Result<Run> {
    let folder = tempfile::tempdir()?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let mut child = Command::new(programs.join("changedetection.io"))
        .args(["-C", "-h", "127.0.0.1", "-p", &port.to_string(), "-d"])
        .arg(folder.path())
        .env("ALLOW_IANA_RESTRICTED_ADDRESSES", "true")
        .env("MINIMUM_SECONDS_RECHECK_TIME", "0")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let runtime = tokio::runtime::Runtime::new()?;
    let run = runtime.block_on(measure(&mut child, folder.path(), port, web));
    // Killed, not asked: nothing of it is needed any more.
    let _ = child.kill();
    let _ = child.wait();
    run
}

async fn measure(child: &mut Child, folder: &Path, port: u16, web: &Web) -> Result<Run> {
    let client = reqwest::Client::builder()
        .no_proxy()
        .tls_backend_preconfigured(fetch::client_tls(&[])?)
        .build()?;
    let api = format!("http://127.0.0.1:{port}/api/v1");
    let key = started(child, folder, &client, &api).await?;
    let watched = answered(client.get(format!("{api}/watch")).header("x-api-key", &key)).await?;
    let samples: serde_json::Value = serde_json::from_str(&watched)?;
    for sample in samples.as_object().context("a list of watches")?.keys() {
        let gone = client.delete(format!("{api}/watch/{sample}")).header("x-api-key", &key);
        answered(gone).await?;
    }
    let pages: Vec<String> = (0..PAGES).map(|n| web.page(n)).collect();
    let import = client.post(format!("{api}/import")).header("x-api-key", &key);
    let import = import.header("content-type", "text/plain").body(pages.join("\n"));
    answered(import).await?;
    let began = Instant::now();
    let mut window = None;
    loop {
        if began.elapsed() > PATIENCE {
            bail!("it did not look {LOOKS} times in {PATIENCE:?}");
        }
        tokio::time::sleep(AGAIN).await;
        let again = client.get(format!("{api}/watch?recheck_all=1")).header("x-api-key", &key);
        answered(again).await?;
        let (served, cpu) = (web.served(), process::cpu_seconds(child.id())?);
        match window {
            None if web.asked_at_least(PAGES, 2) => window = Some((Instant::now(), served, cpu)),
            Some((opened, before, used)) if served - before >= LOOKS => {
                let looks = (served - before) as f64;
                let rate = looks / opened.elapsed().as_secs_f64();
                let memory = process::resident_bytes(child.id())? as f64 / 1e6;
                return Ok(Run { rate, cpu: (cpu - used) / looks * 1e6, memory });
            }
            _ => {}
        }
    }
}

/// What it answers; what it says of a failure is the reason.
async fn answered(request: reqwest::RequestBuilder) -> Result<String> {
    let answer = request.send().await?;
    let (status, place) = (answer.status(), answer.url().path().to_owned());
    let said = answer.text().await?;
    if status.is_success() {
        return Ok(said);
    }
    let said: String = said.chars().take(200).collect();
    bail!("{place} answered {status}: {said}")
}

/// The key of the API, once it answers.
async fn started(
    child: &mut Child,
    folder: &Path,
    client: &reqwest::Client,
    api: &str,
) -> Result<String> {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait()? {
            bail!("it ended while it started: {status}");
        }
        tokio::time::sleep(AGAIN).await;
        let stored = std::fs::read_to_string(folder.join("changedetection.json"));
        let stored = stored.ok().and_then(|text| serde_json::from_str(&text).ok());
        let stored: serde_json::Value = stored.unwrap_or_default();
        let place = "/settings/application/api_access_token";
        let Some(key) = stored.pointer(place).and_then(serde_json::Value::as_str) else { continue };
        if client.get(format!("{api}/watch")).header("x-api-key", key).send().await.is_ok() {
            return Ok(key.to_owned());
        }
    }
    bail!("it did not start in {PATIENCE:?}")
}
