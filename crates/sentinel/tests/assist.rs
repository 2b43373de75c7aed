//! What an editor is told while a text is being written.

use sentinel::{meaning, suggest};

/// What may stand at `|`.
fn next(text: &str) -> Vec<String> {
    let at = text.find('|').expect("a place");
    let channels = ["email", "ops", "every day"].map(str::to_owned);
    let found = suggest(&text.replace('|', ""), at, &channels);
    found.into_iter().map(|one| one.text).collect()
}

const HEAD: &str = "create sentinel a using http://a.example ";

fn after(rest: &str) -> Vec<String> {
    next(&format!("{HEAD}{rest}"))
}

#[test]
fn words_are_suggested_where_they_may_stand() {
    assert_eq!(next("|"), ["create sentinel"]);
    assert_eq!(next("cre|"), ["create sentinel"]);
    assert_eq!(next("create |"), ["sentinel"]);
    assert_eq!(next("create sentinel a |"), ["using"]);
    assert_eq!(next("create sentinel a using http://a.example\ncreate sentinel b using |"), ["a"]);
    let clauses = after("|");
    assert!(["monitor", "notify by", "tag"].iter().all(|one| clauses.contains(&one.to_string())));
    assert_eq!(after("mon|"), clauses, "a word that is begun counts as not written");
    assert_eq!(after("monitor links |")[..2], ["added", "removed"]);
    assert!(after("monitor links |").contains(&"fetch".to_owned()));
    let leaves = after("monitor |");
    assert_eq!(leaves[..3], ["any change", "links", "images"]);
    assert_eq!(after("monitor links and not (|"), leaves);
    assert_eq!(after("monitor all |"), ["links", "images", "words"]);
    assert_eq!(after("monitor keywords |"), [""; 0], "any word");
    assert_eq!(after("fetch |"), ["on change", "every"]);
    assert_eq!(after("fetch every 10 |")[..2], ["seconds", "minutes"]);
    assert_eq!(after("fetch every 10 minutes |")[0], "within");
    assert_eq!(after("notify |"), ["by"]);
    assert_eq!(after("notify by |"), ["interactive", "email", "ops", "`every day`"]);
    assert_eq!(after("notify by ops |")[..2], ["immediately", "best effort"]);
    assert_eq!(after("compare |"), ["pairwise", "moving", "every"]);
    assert_eq!(after("presentation |"), ["only change", "dual frame", "merged"]);
    assert_eq!(after("; |"), ["create sentinel"]);
}

#[test]
fn nothing_is_suggested_inside_a_text_or_a_comment() {
    assert_eq!(after("monitor phrase \"links |"), [""; 0]);
    assert_eq!(after("-- monitor |"), [""; 0]);
    assert_ne!(after("-- monitor\n|"), [""; 0]);
    assert_eq!(next("create sentinel `a |"), [""; 0]);
}

fn hover(text: &str) -> Option<String> {
    let at = text.find('|').expect("a place");
    meaning(&text.replace('|', ""), at).map(|meaning| meaning.text)
}

#[test]
fn a_word_is_explained_where_it_is_one() {
    let clause = hover(&format!("{HEAD}mon|itor links")).expect("a clause");
    assert_eq!(clause, "`monitor links and not images`: what counts as a change");
    let leaf = hover(&format!("{HEAD}monitor link|s")).expect("a leaf");
    assert!(leaf.starts_with("`links`: address"), "{leaf}");
    let unit = hover(&format!("{HEAD}fetch every 3 day|s")).expect("a unit");
    assert!(unit.contains("calendar"), "{unit}");
    assert!(hover(&format!("{HEAD}t|ag x")).expect("a clause").starts_with("`tag"));
    assert_eq!(hover("create sentinel ta|g using http://a.example"), None, "a name");
    assert_eq!(hover("create sentinel a using http://a.exa|mple"), None);
    assert_eq!(hover("|"), None);
}
