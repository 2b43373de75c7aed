//! What the text functions of other watchers would tell: their text of a page differs.
//!
//! Pages only: feeds and JSON they are mostly asked to compare as they are.

use crate::{History, Result, replay::Told};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const SCRIPT: &str = include_str!("peers.py");
const NAMES: [&str; 2] = ["urlwatch", "changedetection.io"];

struct Peer {
    name: &'static str,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

#[derive(Default)]
pub struct Peers {
    running: Vec<Peer>,
    /// A sentence for each that is not there.
    pub missing: Vec<String>,
}

impl Peers {
    /// `python`: the program that may have them.
    pub fn start(python: &str) -> Peers {
        let mut peers = Peers::default();
        for name in NAMES {
            match Peer::start(python, name) {
                Ok(peer) => peers.running.push(peer),
                Err(why) => peers.missing.push(format!("not compared: {name} ({why})")),
            }
        }
        peers
    }

    /// Look by look, what each of them would tell.
    pub fn told(&mut self, history: &History) -> Result<Vec<(&'static str, Vec<Told>)>> {
        if history.media != "text/html" {
            return Ok(Vec::new());
        }
        self.running.iter_mut().map(|peer| Ok((peer.name, peer.told(history)?))).collect()
    }
}

impl Peer {
    fn start(program: &str, name: &'static str) -> Result<Peer> {
        let mut child = Command::new(program)
            .args(["-c", SCRIPT, name])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        let mut peer = Peer { name, child, input, output };
        match peer.line()?.as_str() {
            "ready" => Ok(peer),
            why => Err(why.into()),
        }
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line.trim().to_owned())
    }

    fn told(&mut self, history: &History) -> Result<Vec<Told>> {
        let mut before: Option<Value> = None;
        history
            .looks
            .iter()
            .map(|look| {
                let page = String::from_utf8_lossy(&look.body);
                writeln!(self.input, "{}", json!({ "page": page }))?;
                self.input.flush()?;
                let text: Value = serde_json::from_str(&self.line()?)?;
                let told = before.as_ref().is_some_and(|before| *before != text);
                before = Some(text);
                Ok(told)
            })
            .collect()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It ends with its input; what it says then is nobody's business.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
