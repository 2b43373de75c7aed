//! `tidings lsp`: the Language Server Protocol over standard input and output, for editors.
//!
//! Diagnostics, quick fixes, completion, hover and formatting of texts that an editor has open.
//! The names that the store has are read, and nothing is fetched or changed. JSON-RPC is plain JSON
//! behind a length (docs/decisions/034).

mod document;
#[cfg(test)]
mod tests;
mod wire;

use crate::cli::Common;
use crate::commands::{Exit, Known, settings};
use anyhow::Result;
use document::{Document, QUICK_FIX};
use sentinel::Diagnostic;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{BufRead, Write};

/// Texts that may be open at once.
const DOCUMENTS_MAX: usize = 1_000;

/// Codes of JSON-RPC and of the protocol.
const PARSE_ERROR: i64 = -32_700;
const INVALID_REQUEST: i64 = -32_600;
const METHOD_NOT_FOUND: i64 = -32_601;
const NOT_INITIALIZED: i64 = -32_002;

/// Answers an editor until it says `exit`.
pub fn run(common: &Common) -> Result<Exit> {
    let settings = settings(common, &[])?;
    let known = Known::of(&settings)?;
    let channels = known.config.channels.iter().map(|channel| channel.name.clone()).collect();
    let known = RefCell::new(known);
    let check = |text: &str, occasion: Occasion| {
        if occasion == Occasion::Opened {
            known.borrow_mut().renew();
        }
        known.borrow().check(text).diagnostics
    };
    let mut server = Server::new(&check, channels);
    let ended = serve(&mut server, &mut std::io::stdin().lock(), &mut std::io::stdout().lock())?;
    Ok(if ended { Exit::Done } else { Exit::Failed })
}

/// Whether the editor said goodbye in the right order.
fn serve(server: &mut Server, input: &mut impl BufRead, output: &mut impl Write) -> Result<bool> {
    while let Some(message) = wire::read(input)? {
        let answers = match serde_json::from_slice::<Value>(&message) {
            Ok(message) => server.take(&message),
            Err(error) => vec![failure(&Value::Null, PARSE_ERROR, &error.to_string())],
        };
        for answer in answers {
            wire::write(output, &answer)?;
        }
        if server.stage == Stage::Gone {
            return Ok(server.was_shut_down);
        }
    }
    Ok(false)
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Stage {
    New,
    Running,
    ShutDown,
    Gone,
}

/// What is wrong with a text.
type Check<'a> = &'a dyn Fn(&str, Occasion) -> Vec<Diagnostic>;

/// Why a text is checked.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Occasion {
    /// It was opened or saved: what is stored may be another since.
    Opened,
    /// A letter was typed.
    Changed,
}

/// The state of one editor.
struct Server<'a> {
    check: Check<'a>,
    channels: Vec<String>,
    stage: Stage,
    was_shut_down: bool,
    /// By the address that the editor gives.
    open: BTreeMap<String, Document>,
}

impl<'a> Server<'a> {
    fn new(check: Check<'a>, channels: Vec<String>) -> Server<'a> {
        let open = BTreeMap::new();
        Server { check, channels, stage: Stage::New, was_shut_down: false, open }
    }

    /// What is said to one message, in order.
    fn take(&mut self, message: &Value) -> Vec<Value> {
        let (id, params) = (&message["id"], &message["params"]);
        let Some(method) = message["method"].as_str() else {
            // An answer to nothing that was asked.
            let is_answer = message.get("result").or(message.get("error")).is_some();
            let odd = failure(id, INVALID_REQUEST, "a message needs a `method`");
            return if is_answer { Vec::new() } else { vec![odd] };
        };
        if message.get("id").is_none() {
            return self.hear(method, params);
        }
        let answer = match (self.stage, method) {
            (Stage::New, "initialize") => {
                self.stage = Stage::Running;
                Ok(abilities())
            }
            (Stage::New, _) => Err((NOT_INITIALIZED, "say `initialize` first".to_owned())),
            (Stage::Running, _) => self.answer(method, params),
            _ => Err((INVALID_REQUEST, "the server was shut down".to_owned())),
        };
        vec![match answer {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err((code, said)) => failure(id, code, &said),
        }]
    }

    /// What a notification leads to.
    fn hear(&mut self, method: &str, params: &Value) -> Vec<Value> {
        if method == "exit" {
            self.was_shut_down = self.stage == Stage::ShutDown;
            self.stage = Stage::Gone;
        }
        if self.stage != Stage::Running {
            return Vec::new();
        }
        let Some(uri) = params["textDocument"]["uri"].as_str() else { return Vec::new() };
        let mut occasion = Occasion::Opened;
        let text = match method {
            "textDocument/didOpen" => params["textDocument"]["text"].as_str(),
            "textDocument/didSave" => self.open.get(uri).map(Document::text),
            // The whole text each time, as agreed.
            "textDocument/didChange" => {
                occasion = Occasion::Changed;
                let changes = params["contentChanges"].as_array();
                changes.and_then(|changes| changes.last()?["text"].as_str())
            }
            "textDocument/didClose" => {
                self.open.remove(uri);
                return vec![published(uri, &[])];
            }
            _ => None,
        };
        let Some(text) = text.map(str::to_owned) else { return Vec::new() };
        if self.open.len() >= DOCUMENTS_MAX && !self.open.contains_key(uri) {
            let said = format!("{DOCUMENTS_MAX} texts are open; close some to have others checked");
            return vec![notification("window/showMessage", json!({"type": 2, "message": said}))];
        }
        let document = Document::new(&text, (self.check)(&text, occasion));
        let diagnostics = document.diagnostics();
        self.open.insert(uri.to_owned(), document);
        vec![published(uri, &diagnostics)]
    }

    fn answer(&mut self, method: &str, params: &Value) -> Result<Value, (i64, String)> {
        if method == "shutdown" {
            self.stage = Stage::ShutDown;
            return Ok(Value::Null);
        }
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let Some(document) = self.open.get(uri) else {
            return match method {
                _ if method.starts_with("textDocument/") => Ok(Value::Null),
                other => Err((METHOD_NOT_FOUND, format!("`{other}` is not supported"))),
            };
        };
        let place = document.offset(&params["position"]);
        match method {
            "textDocument/completion" => {
                let found = sentinel::suggest(document.text(), place, &self.channels);
                let item = |one: sentinel::Suggestion| json!({"label": one.text, "detail": one.meaning, "kind": 14});
                Ok(found.into_iter().map(item).collect())
            }
            "textDocument/hover" => Ok(match sentinel::meaning(document.text(), place) {
                Some(meaning) => json!({
                    "contents": {"kind": "markdown", "value": meaning.text},
                    "range": document.range(meaning.start, meaning.end),
                }),
                None => Value::Null,
            }),
            "textDocument/codeAction" => {
                let only = params["context"]["only"].as_array();
                let is_asked = only.is_none_or(|kinds| kinds.contains(&json!(QUICK_FIX)));
                let fixes = is_asked.then(|| document.quick_fixes(uri, &params["range"]));
                Ok(fixes.unwrap_or_default().into())
            }
            "textDocument/formatting" => Ok(match sentinel::format(document.text()) {
                Ok(text) if text == document.text() => json!([]),
                Ok(text) => {
                    let range = document.range(0, document.text().len());
                    json!([{"range": range, "newText": text}])
                }
                // The diagnostics say why.
                Err(_) => Value::Null,
            }),
            other => Err((METHOD_NOT_FOUND, format!("`{other}` is not supported"))),
        }
    }
}

/// What the server can do.
fn abilities() -> Value {
    json!({
        "serverInfo": {"name": "tidings", "version": env!("CARGO_PKG_VERSION")},
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": {"openClose": true, "change": 1, "save": true},
            "completionProvider": {},
            "hoverProvider": true,
            "documentFormattingProvider": true,
            "codeActionProvider": {"codeActionKinds": [QUICK_FIX]},
        },
    })
}

fn published(uri: &str, diagnostics: &[Value]) -> Value {
    let params = json!({"uri": uri, "diagnostics": diagnostics});
    notification("textDocument/publishDiagnostics", params)
}

fn notification(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

fn failure(id: &Value, code: i64, said: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": said}})
}
