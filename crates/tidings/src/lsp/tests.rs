use super::*;
use chronon::OwnerId;
use kernel::{Kernel, Purpose};
use sentinel::{Parsed, Redefine};

const URI: &str = "file:///a.sentinel";

/// Checks as a kernel with its defaults does.
fn check(text: &str, _: Occasion) -> Vec<Diagnostic> {
    let now = chronon::Instant::from_millis(1_798_761_600_000);
    let kernel = Kernel::load(kernel::Config::new(1), kernel::Snapshot::default(), now);
    let purpose = Purpose::Check(Redefine::Replace);
    let occasion = kernel::Occasion { owner: OwnerId::FIRST, purpose, now };
    kernel.vet(Parsed::of(text).compiled(), occasion).checked.diagnostics
}

fn framed(messages: &[Value]) -> Vec<u8> {
    let mut bytes = Vec::new();
    messages.iter().for_each(|message| wire::write(&mut bytes, message).expect("memory"));
    bytes
}

/// What a server says to these messages, and whether it ended well.
fn talk(messages: &[Value]) -> (Vec<Value>, bool) {
    let mut server = Server::new(&check, vec!["email".to_owned()]);
    let mut said = Vec::new();
    let ended = serve(&mut server, &mut &*framed(messages), &mut said).expect("it reads");
    let (mut said, mut answers) = (&*said, Vec::new());
    while let Some(message) = wire::read(&mut said).expect("a message") {
        answers.push(serde_json::from_slice(&message).expect("JSON"));
    }
    (answers, ended)
}

fn ask(id: u64, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn say(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

fn open(text: &str) -> Value {
    say("textDocument/didOpen", json!({"textDocument": {"uri": URI, "text": text}}))
}

fn at(line: u64, character: u64) -> Value {
    json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": character}})
}

#[test]
fn an_editor_is_served_from_hello_to_goodbye() {
    let text = "create sentinel 😀 using http://a.example\n";
    let right = "create  sentinel a using http://a.example monitor lins";
    let change = json!({"textDocument": {"uri": URI}, "contentChanges": [{"text": right}]});
    let (answers, ended) = talk(&[
        ask(1, "initialize", json!({})),
        say("initialized", json!({})),
        open(text),
        say("textDocument/didChange", change),
        ask(2, "textDocument/completion", at(0, 54)),
        ask(3, "textDocument/hover", at(0, 45)),
        ask(4, "textDocument/formatting", json!({"textDocument": {"uri": URI}})),
        say("textDocument/didClose", json!({"textDocument": {"uri": URI}})),
        ask(5, "shutdown", Value::Null),
        say("exit", Value::Null),
    ]);
    assert!(ended);
    assert_eq!(answers[0]["result"]["capabilities"]["hoverProvider"], true);
    let odd = &answers[1]["params"]["diagnostics"][0];
    assert_eq!(odd["range"]["start"], json!({"line": 0, "character": 16}));
    assert_eq!(odd["range"]["end"], json!({"line": 0, "character": 18}), "two units of UTF-16");
    let slip = &answers[2]["params"]["diagnostics"][0];
    assert_eq!(slip["range"]["start"], json!({"line": 0, "character": 50}));
    assert!(slip["message"].as_str().expect("text").ends_with("\ndid you mean `links`?"), "{slip}");
    let labels = answers[3]["result"].as_array().expect("a list");
    assert!(labels.iter().any(|item| item["label"] == "links"), "{labels:?}");
    let hover = answers[4]["result"]["contents"]["value"].as_str().expect("text");
    assert!(hover.contains("what counts as a change"), "{hover}");
    assert_eq!(answers[5]["result"], Value::Null, "what cannot be read is not formatted");
    assert_eq!(answers[6]["params"]["diagnostics"], json!([]));
    assert_eq!(answers[7], json!({"jsonrpc": "2.0", "id": 5, "result": null}));
}

#[test]
fn a_text_is_formatted_as_a_whole() {
    let (answers, _) = talk(&[
        ask(1, "initialize", json!({})),
        open("Create Sentinel a\r\n  USING http://a.example monitor LINKS"),
        ask(2, "textDocument/formatting", json!({"textDocument": {"uri": URI}})),
    ]);
    let edit = &answers[2]["result"][0];
    assert_eq!(edit["range"]["end"], json!({"line": 1, "character": 38}));
    let text = "create sentinel a using http://a.example\n  monitor all links\n";
    assert_eq!(edit["newText"], text);
    let (answers, _) = talk(&[
        ask(1, "initialize", json!({})),
        open(text),
        ask(2, "textDocument/formatting", json!({"textDocument": {"uri": URI}})),
    ]);
    assert_eq!(answers[2]["result"], json!([]));
}

#[test]
fn names_are_looked_up_anew_where_a_text_is_opened_or_saved_and_not_at_each_letter() {
    let asked = std::cell::RefCell::new(Vec::new());
    let check = |text: &str, occasion: Occasion| {
        asked.borrow_mut().push((text.to_owned(), occasion));
        Vec::new()
    };
    let mut server = Server::new(&check, Vec::new());
    let at = json!({"uri": URI});
    let change = json!({"textDocument": at, "contentChanges": [{"text": "b"}]});
    let said = ask(1, "initialize", json!({}));
    let saves = &server.take(&said)[0]["result"]["capabilities"]["textDocumentSync"]["save"];
    assert_eq!(*saves, true);
    server.take(&open("a"));
    server.take(&say("textDocument/didChange", change));
    server.take(&say("textDocument/didSave", json!({"textDocument": at})));
    use Occasion::{Changed, Opened};
    let expected = [("a", Opened), ("b", Changed), ("b", Opened)];
    assert_eq!(*asked.borrow(), expected.map(|(text, occasion)| (text.to_owned(), occasion)));
}

/// The text once an editor has carried out the edits of a quick fix.
fn mended(text: &str, fix: &Value) -> String {
    let document = Document::new(text, Vec::new());
    let edits = fix["edit"]["changes"][URI].as_array().expect("edits of the text");
    let [edit] = &edits[..] else { panic!("{edits:?}") };
    let start = document.offset(&edit["range"]["start"]);
    let end = document.offset(&edit["range"]["end"]);
    [&text[..start], edit["newText"].as_str().expect("a text"), &text[end..]].concat()
}

#[test]
fn a_quick_fix_writes_what_was_meant() {
    let text = "-- 😀\ncreate sentinel a using http://a.example\n  \
                monitor lins weight 1,5\n  fetch every monday";
    let actions = |(start, end): (Value, Value), only: Value| {
        let range = json!({"start": start["position"], "end": end["position"]});
        let context = json!({"diagnostics": [], "only": only});
        let params = json!({"textDocument": {"uri": URI}, "range": range, "context": context});
        let start = ask(1, "initialize", json!({}));
        let (answers, _) = talk(&[start, open(text), ask(2, "textDocument/codeAction", params)]);
        assert!(answers[0]["result"]["capabilities"]["codeActionProvider"].is_object());
        answers[2]["result"].as_array().expect("a list").clone()
    };
    let on_links = actions((at(2, 12), at(2, 12)), Value::Null);
    let [fix] = &on_links[..] else { panic!("{on_links:?}") };
    assert_eq!(fix["title"], "did you mean `links`?");
    assert_eq!(fix["kind"], "quickfix");
    assert_eq!(fix["diagnostics"][0]["range"]["start"], json!({"line": 2, "character": 10}));
    assert_eq!(mended(text, fix), text.replace("lins", "links"));

    let all = actions((at(0, 0), at(3, 20)), json!(["quickfix"]));
    let cured = all.iter().rev().fold(text.to_owned(), |text, fix| mended(&text, fix));
    assert_eq!(all.len(), 3);
    assert_eq!(check(&cured, Occasion::Opened), [], "{cured}");

    assert_eq!(actions((at(1, 0), at(1, 5)), Value::Null), Vec::<Value>::new());
    assert_eq!(actions((at(0, 0), at(3, 20)), json!(["refactor"])), Vec::<Value>::new());
}

#[test]
fn what_comes_out_of_order_or_is_unknown_is_refused_and_nothing_ends() {
    let (answers, ended) = talk(&[
        ask(1, "textDocument/hover", at(0, 0)),
        open("x"),
        ask(2, "initialize", json!({})),
        ask(3, "workspace/symbol", json!({})),
        ask(4, "textDocument/hover", at(0, 0)),
        json!({"jsonrpc": "2.0", "id": 5}),
        say("$/cancelRequest", json!({"id": 4})),
        json!({"jsonrpc": "2.0", "id": 1, "result": null}),
        json!(7),
        ask(6, "shutdown", Value::Null),
        ask(7, "textDocument/hover", at(0, 0)),
    ]);
    assert!(!ended, "the input ended without `exit`");
    let codes: Vec<i64> =
        answers.iter().map(|answer| answer["error"]["code"].as_i64().unwrap_or(0)).collect();
    let odd = INVALID_REQUEST;
    assert_eq!(codes, [NOT_INITIALIZED, 0, METHOD_NOT_FOUND, 0, odd, odd, 0, odd]);
}

#[test]
fn messages_that_break_off_or_are_too_long_end_the_conversation() {
    let reads = |bytes: &[u8]| {
        let mut server = Server::new(&check, Vec::new());
        serve(&mut server, &mut &*bytes, &mut Vec::new()).map_err(|error| error.to_string())
    };
    let refused = |bytes: &[u8]| reads(bytes).expect_err("refused");
    assert!(refused(b"Content-Length: 5\r\n\r\n{}").contains("breaks off"));
    assert!(refused(b"Content-Length: 99999999999\r\n\r\n").contains("are allowed"));
    assert!(refused(b"Content-Length: -1\r\n\r\n").contains("no length"));
    assert!(refused(b"X: y\r\n\r\n{}").contains("no Content-Length"));
    assert!(refused(&[b'x'; 10_000]).contains("too long"));
    assert!(refused(&b"a: b\r\n".repeat(50)).contains("headers"));
    assert_eq!(reads(b""), Ok(false));
    assert_eq!(reads(b"Content-Length: 1\r\n\r\n{"), Ok(false), "no JSON is answered");
}

#[test]
fn every_place_of_a_text_is_found_again() {
    let text = "a😀b\r\n\né\n";
    let document = Document::new(text, Vec::new());
    for (at, _) in text.char_indices().filter(|&(_, c)| c != '\r') {
        let range = document.range(at, at);
        assert_eq!(document.offset(&range["start"]), at);
    }
    assert_eq!(document.offset(&json!({"line": 99, "character": 0})), text.len());
    assert_eq!(document.offset(&json!({"line": 2, "character": 99})), text.len() - 1);
    assert_eq!(document.offset(&Value::Null), 0);
}
