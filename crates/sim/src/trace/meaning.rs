//! What the lines of a trace mean, for those who read one for the first time.

/// A sentence for a line of this kind; looks are told apart by how they ended.
pub(super) fn of(kind: &str, line: &str) -> &'static str {
    match kind {
        "probe" => of_probe(line),
        "detect" => "what the sentinel monitors holds between these two versions",
        "follow" => "what has come of a look that the message of what was found waits for",
        "rule" => "what the rule waited for occurred, and it acts",
        "tells" => "a message of a rule reached its recipient, with all that took part",
        "trouble" => "what a rule could not do, and why",
        "notify" => "a message of this sentinel reached its recipient, or was refused as it says",
        "digest" => "one message with all that its window gathered",
        "blind" => "the recipient hears that a selector finds nothing",
        "sees" => "the recipient hears that it finds again",
        "failing" => "the recipient hears that the page cannot be looked at",
        "recover" => "a recipient who heard that the page fails hears that it is back",
        "unheard" => "another channel says that a channel takes no messages",
        "test" => "a message that a person asked for, to try the channel",
        "gave up" => "the notification is not tried any more, for this reason",
        "cancel" => "the notification is no longer wanted, and is not sent",
        "missed" => "no look succeeded inside this interval; the last reason",
        "state" => "the sentinel's state from now on",
        "answer" => "what the person who asked is told",
        "refuse" => "what is wrong with the text; nothing of it was taken",
        "channel" => "the channel takes no messages until a test of it arrives",
        "held" => "the host is not asked before this time",
        "crash" => "the process dies; what was not durable is lost",
        "start" => "the process starts again and takes up what it owes",
        "completeness" => "intervals captured of all; mean time from a change to its detection",
        _ => "",
    }
}

fn of_probe(line: &str) -> &'static str {
    if line.ends_with("-> v1") {
        "a look: the first version, the baseline; it is stored and nobody is told"
    } else if line.contains(" -> v") {
        "a look: people see something else than before; it is stored as this version"
    } else if line.contains(" held as v") {
        "a look: a doubtful answer, stored and compared with nothing until a second look"
    } else if line.ends_with(" the same") {
        "a look: an answer in full, in which people see what they saw before"
    } else if line.ends_with(" not modified") {
        "a look: the server says that nothing changed (304)"
    } else if line.contains(", again at ") {
        "a look that failed, for this reason; when the next one is due"
    } else {
        "a look that failed, for this reason"
    }
}

#[cfg(test)]
mod tests {
    use super::of;
    use crate::trace::GROUPS;

    #[test]
    fn every_kind_of_line_has_a_meaning() {
        for kind in GROUPS.iter().flat_map(|(_, kinds)| *kinds) {
            assert!(!of(kind, "00:00  probe   u1 reset").is_empty(), "{kind}");
        }
    }

    #[test]
    fn a_look_is_explained_by_how_it_ended() {
        let ends = ["-> v1", "-> v12", "held as v2, again at 00:01", "the same", "not modified"];
        let failures = ["503, again at 00:11", "it timed out"];
        let all: std::collections::BTreeSet<_> = (ends.iter().chain(&failures))
            .map(|end| of("probe", &format!("00:10  probe   u1 {end}")))
            .collect();
        assert_eq!(all.len(), 7);
    }
}
