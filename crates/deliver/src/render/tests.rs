use super::*;

const CHANGE: &str = r#"{"format": 1, "id": "k", "type": "change", "sentinel": "s1", "sentinel_id": 7,
 "seq": 12, "rule": null, "summary": "3 changes on cnn.com",
 "detected_at": "2027-01-31T09:00:00.000Z", "composed_at": "2027-01-31T09:00:01.000Z",
 "sources": [{"url": "https://cnn.com/", "name": null, "from_version": 3, "to_version": 4}],
 "leaves": ["all links", "keyword oil"],
 "changes": [
  {"leaf": 0, "type": "links", "kind": "insert", "source": 0, "old": null,
   "new": {"text": "Oil falls", "href": "https://cnn.com/oil"}, "context": {"before": "", "after": ""}},
  {"leaf": 0, "type": "links", "kind": "delete", "source": 0,
   "old": {"text": "Gold", "href": "javascript:alert(1)"}, "new": null},
  {"leaf": 1, "type": "keywords", "kind": "update", "source": 0, "old": {"word": "oil", "count": 1},
   "new": {"word": "oil", "count": 3}, "context": {"before": "price of", "after": "falls"}},
  {"leaf": 0, "type": "images", "kind": "move", "source": 0, "old": {"src": "https://cnn.com/a.png",
   "alt": "a"}, "new": {"src": "https://cnn.com/a.png", "alt": "a"}}],
 "changes_total": 6, "combinations": [[0, 2]],
 "missed": [{"source": 0, "start": "2027-01-31T08:00:00.000Z", "finish": "2027-01-31T08:05:00.000Z",
             "reason": "503"}]}"#;

#[test]
fn a_change_reads_as_lines_with_marks_and_links() {
    assert_eq!(
        render_text(CHANGE.as_bytes()),
        "\
2027-01-31 09:00:00 UTC  s1  3 changes on cnn.com
  https://cnn.com/  (v3 → v4)
  + Oil falls  https://cnn.com/oil  [all links]
  - Gold  [all links]
  ~ oil ×1
  → oil ×3  [keyword oil]
    … price of «oil ×3» falls …
  ~ a  https://cnn.com/a.png  [moved, all links]
  and 2 more
  ! no answer from https://cnn.com/ between 2027-01-31 08:00:00 UTC and 2027-01-31 08:05:00 UTC: 503
"
    );
}
