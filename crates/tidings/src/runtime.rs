//! The user's runtime directory: where a demo says where it is, and a browser finds its way in.
//!
//! What is in it is the user's alone, and gone at the latest when they log out.

use crate::datadir::{create_private_dir, refuse_if_others_may_write, write_private};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Where the demo that runs keeps its data, for `tidings open`.
#[derive(Serialize, Deserialize)]
struct DemoPlate {
    dashboard: String,
    data_dir: PathBuf,
    pid: u32,
}

const DEMO: &str = "demo.json";

/// `tidings` below `$XDG_RUNTIME_DIR`, else below the user's folder of states; made if need be.
/// `None`: there is neither. A folder that everybody may write would not be safe.
fn folder() -> Result<Option<PathBuf>> {
    let variable = |name| {
        let path = std::env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let state = || variable("HOME").map(|home| home.join(".local/state"));
    // One that is not there, as in a container, is not ours to make.
    let runtime = variable("XDG_RUNTIME_DIR").filter(|path| path.is_dir());
    let base = runtime.or_else(|| variable("XDG_STATE_HOME")).or_else(state);
    let Some(folder) = base.map(|base| base.join("tidings")) else { return Ok(None) };
    create_private_dir(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    refuse_if_others_may_write(&folder)?;
    Ok(Some(folder))
}

/// Says where a demo is, until it is dropped.
pub struct DemoSign {
    path: Option<PathBuf>,
}

impl DemoSign {
    /// Where no sign can be put up the demo goes on without one: `open` needs its `--data-dir`.
    pub fn put_up(dashboard: String, data_dir: PathBuf) -> DemoSign {
        let plate = DemoPlate { dashboard, data_dir, pid: std::process::id() };
        let path = write_demo(&plate).unwrap_or_else(|error| {
            tracing::warn!("`tidings open` will not find this demo by itself: {error:#}");
            None
        });
        DemoSign { path }
    }
}

impl Drop for DemoSign {
    fn drop(&mut self) {
        // Another demo may have put its own in this place.
        let ours = read_demo().is_some_and(|plate| plate.pid == std::process::id());
        if let Some(path) = self.path.as_ref().filter(|_| ours) {
            // A sign that stays leads to a lock that nobody holds.
            let _ = std::fs::remove_file(path);
        }
    }
}

fn write_demo(plate: &DemoPlate) -> Result<Option<PathBuf>> {
    let Some(folder) = folder()? else { return Ok(None) };
    let path = folder.join(DEMO);
    write_private(&path, &serde_json::to_vec(plate)?)?;
    Ok(Some(path))
}

fn read_demo() -> Option<DemoPlate> {
    let text = std::fs::read(folder().ok()??.join(DEMO)).ok()?;
    serde_json::from_slice(&text).ok()
}

/// The data directory of the demo that runs, or that was killed.
pub fn demo_data_dir() -> Option<PathBuf> {
    read_demo().map(|plate| plate.data_dir)
}

/// A page of the user's own that leads a browser to `url`: what is on a command line is seen by
/// everybody on the machine, and this address logs in.
pub fn page_to(url: &str) -> Result<Option<PathBuf>> {
    let Some(folder) = folder()? else { return Ok(None) };
    let path = folder.join("open.html");
    let address = url.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    let page = format!(
        "<!doctype html><meta charset=\"utf-8\"><title>Tidings</title>\
         <meta name=\"referrer\" content=\"no-referrer\">\
         <meta http-equiv=\"refresh\" content=\"0; url={address}\">\
         <a href=\"{address}\">Open Tidings</a>\n"
    );
    write_private(&path, page.as_bytes())?;
    Ok(Some(path))
}
