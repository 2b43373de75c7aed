//! Content made to harm: nothing overflows the stack, takes quadratic time or grows beyond limits.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use base64::Engine;
use page::{Extract, Hints, Kind, Limits, ReadError, read};
use std::path::Path;
use std::process::{Command, Stdio};
use url::Url;

fn read_as(body: &[u8], content_type: &str) -> Result<Extract, ReadError> {
    let url = Url::parse("https://site.example/").unwrap();
    let hints = Hints { content_type: Some(content_type), url: &url };
    read(body, &hints, &Limits::default())
}

fn html(body: &str) -> Extract {
    read_as(body.as_bytes(), "text/html").unwrap()
}

fn all_text(extract: &Extract) -> String {
    extract.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Small enough for the debug build; quadratic behaviour would still take minutes.
const MANY: usize = 100_000;

#[test]
fn deep_nesting_keeps_its_text() {
    for (open, close) in [("<div>", "</div>"), ("<b>", "</b>"), ("<div></x>", ""), ("<svg><g>", "")]
    {
        let body = format!("{}deep{}<p>after", open.repeat(MANY), close.repeat(MANY));
        let text = all_text(&html(&body));
        assert!(text.contains("deep") && text.contains("after"), "{open}: {text:?}");
    }
}

#[test]
fn shallow_content_after_a_deep_place_keeps_its_links() {
    let body = format!("{}x{}<p><a href=/y>y</a>", "<div>".repeat(600), "</div>".repeat(600));
    assert_eq!(html(&body).links.len(), 1);
}

#[test]
fn unclosed_and_misnested_elements_stay_bounded() {
    for part in
        ["<a><b><i><font>", "<table><font size=1>", "<p><b>", "<table><tr><td><div>", "<li>x"]
    {
        html(&part.repeat(MANY / 4));
    }
    let fonts: String = (0..2_000).map(|n| format!("<font size={n}>")).collect();
    html(&format!("<div>{fonts}</div>{}", "<p>x".repeat(MANY)));
}

#[test]
fn attribute_floods_are_cut_and_the_page_goes_on() {
    let flood: String = (0..MANY).map(|n| format!(" a{n}='>'")).collect();
    let body = format!("<p id=x{flood}>seen<script>if (a<b) {{}}</script>\n<p>after");
    assert_eq!(all_text(&html(&body)), "seen after");
    let plain: String = (0..MANY).map(|n| format!(" a{n}")).collect();
    let hidden = format!(
        "<p a='<q {plain}'>seen<!-- <p {plain} --><textarea><p b{plain}></textarea {plain}>!"
    );
    let text = all_text(&html(&hidden));
    assert!(text.starts_with("seen") && text.ends_with('!'));
    let script = format!("<script>x<y{flood} <!--<script></script>--></script>after");
    assert_eq!(all_text(&html(&script)), "after");
}

#[test]
fn an_attribute_value_may_be_megabytes_long() {
    let body = format!("<img src='data:image/png;base64,{}' alt=x>after", "A/b ".repeat(500_000));
    let extract = html(&body);
    assert_eq!(all_text(&extract), "after");
    assert!(extract.images[0].src.len() < 200);
}

#[test]
fn a_line_of_megabytes_is_cut_at_the_text_limit() {
    let limits = Limits::default();
    let line = "word ".repeat(limits.text_bytes_max / 4);
    for media in ["text/plain", "text/html"] {
        let extract = read_as(line.as_bytes(), media).unwrap();
        let bytes: usize = extract.blocks.iter().map(|block| block.text.len()).sum();
        assert!(bytes > limits.text_bytes_max / 2 && bytes <= limits.text_bytes_max, "{bytes}");
    }
}

#[test]
fn lists_are_cut_in_document_order() {
    let limits = Limits::default();
    let extract = html(&"<p><a href=x>x</a>".repeat(limits.blocks_max + 10));
    assert_eq!(extract.blocks.len(), limits.blocks_max);
    assert_eq!(extract.links.len(), limits.links_max);
}

#[test]
fn what_a_limit_keeps_out_is_said() {
    let limits = Limits::default();
    let extract = html(&"<p><a href=x>x</a>".repeat(21_005));
    assert_eq!((extract.left_out.links, extract.left_out.text), (1_005, false));
    let said = page::summary(&extract);
    assert_eq!(said, "page, 21005 words, only the first 20,000 of 21,005 links");
    let whole = html(&"<p><a href=x>x</a><a href='#top'>top</a>".repeat(20_000));
    assert!(whole.left_out.is_nothing(), "{:?}", whole.left_out);

    let text = |body: &str, media| read_as(body.as_bytes(), media).unwrap().left_out.text;
    let line = "word ".repeat(limits.text_bytes_max / 4);
    let list = format!("[{}1]", "1,".repeat(limits.blocks_max + 1));
    assert!(text(&line, "text/plain") && text(&line, "text/html"));
    assert!(text(&list, "application/json"));
    assert!(text(&"x\n".repeat(limits.blocks_max + 1), "text/plain"));
    assert!(!text(&"x\n".repeat(limits.blocks_max), "text/plain"));

    let fonts: String = (0..400).map(|n| format!("<font size={n}>")).collect();
    let multiplied = format!("<div>{fonts}</div>{}", "<p>x".repeat(1_000));
    assert!(html(&multiplied).left_out.markup, "tags that make hundreds of nodes each");
    let images = html(&"<img src=x>".repeat(20_001));
    assert_eq!(images.left_out.images, 1);
}

#[test]
fn the_markup_inside_a_feed_has_bounds_of_its_own() {
    let feed = |markup: &str, entries: usize| {
        let entry =
            format!("<item><title>t</title><description><![CDATA[{markup}]]></description></item>");
        let body = format!("<rss version='2.0'><channel>{}</channel></rss>", entry.repeat(entries));
        read_as(body.as_bytes(), "text/xml").unwrap()
    };
    let deep = format!("{}{}", "<x>".repeat(500), "</y>".repeat(20_000));
    assert!(feed(&deep, 1).left_out.markup, "500 steps for each of four bytes");
    assert!(html(&deep).left_out.is_nothing(), "a page may");
    let long = format!("<p>{}</p>", "long ".repeat(120_000));
    let cut = feed(&long, 1);
    assert!(
        cut.left_out.markup && cut.blocks[1].text.len() <= Limits::default().embedded_bytes_max
    );
    assert!(feed(&"<p>an <b>ordinary</b> text</p>".repeat(1_000), 3).left_out.is_nothing());
}

#[test]
fn nul_bytes_and_controls_do_no_harm() {
    assert_eq!(all_text(&html("<p>a\0b\u{1}c<\0p>")), "abc<p>");
    assert!(read_as(b"<r>\0</r>", "text/xml").is_err());
}

#[test]
fn deep_or_crowded_xml_is_refused() {
    let deep = format!("{}{}", "<a>".repeat(MANY), "</a>".repeat(MANY));
    assert!(read_as(deep.as_bytes(), "text/xml").unwrap_err().to_string().contains("depth_max"));
    let names: String = (0..300).map(|n| format!(" xmlns:n{n}='u'")).collect();
    let crowd = format!("<rss version='2.0'{names}><channel/></rss>");
    assert!(read_as(crowd.as_bytes(), "text/xml").is_err());
    let flood: String = (0..MANY).map(|n| format!(" a{n}='v'")).collect();
    assert!(read_as(format!("<r{flood}/>").as_bytes(), "text/xml").is_err());
}

#[test]
fn deep_json_is_refused_and_long_keys_stay_bounded() {
    let deep = "[".repeat(MANY);
    assert!(read_as(deep.as_bytes(), "application/json").is_err());
    let key = "k".repeat(1_000_000);
    let body = format!("{{\"{key}\":[{}1]}}", "1,".repeat(MANY));
    let extract = read_as(body.as_bytes(), "application/json").unwrap();
    assert!(all_text(&extract).len() <= Limits::default().text_bytes_max + MANY);
}

#[test]
fn a_long_base_url_is_not_used() {
    let base = format!("//x.example/{}", "a/".repeat(5_000));
    let extract = html(&format!("<base href='{base}'>{}", "<a href=y>y</a>".repeat(MANY)));
    assert_eq!(extract.links[0].href, "https://site.example/y");
    assert_eq!(extract.links.len(), Limits::default().links_max);
}

#[test]
fn a_json_feed_is_cut_and_its_authors_are_not_multiplied() {
    let authors: Vec<String> = (0..3_000).map(|n| format!("{{\"name\":\"{n}\"}}")).collect();
    let items = vec!["{\"title\":\"t\"}"; 30_000].join(",");
    let version = "https://jsonfeed.org/version/1.1";
    let body = format!(
        "{{\"version\":\"{version}\",\"title\":\"x\",\"authors\":[{}],\"items\":[{items}]}}",
        authors.join(",")
    );
    let extract = read_as(body.as_bytes(), "application/feed+json").unwrap();
    assert_eq!((extract.kind, extract.blocks.len()), (Kind::Feed, 20_000));
}

#[test]
fn what_a_feed_says_is_not_multiplied() {
    let kind = |entry: &str| {
        let body = format!(
            "<rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/'><channel>{entry}\
             </channel></rss>"
        );
        read_as(body.as_bytes(), "application/rss+xml").unwrap().kind
    };
    let group = "<media:group><media:content url='http://x/'/></media:group>".repeat(50);
    let text = "d".repeat(1_000_000);
    let described = format!("<item><media:description>{text}</media:description>{group}</item>");
    assert_eq!(kind(&described), Kind::Feed);
    assert_eq!(kind(&format!("<item>{}</item>", "<category/>".repeat(200_000))), Kind::Xml);
    let based = |bytes| format!("<item xml:base='http://x/{}'/>", "a".repeat(bytes));
    assert_eq!(kind(&based(100).repeat(50)), Kind::Feed);
    let many = "<item xml:base='x'/>".repeat(19_000);
    let long = format!("<channel xml:base='http://x/{}/'>{many}</channel>", "a".repeat(990));
    let read = read_as(format!("<rdf>{long}</rdf>").as_bytes(), "application/rss+xml").unwrap();
    assert_eq!(read.kind, Kind::Feed);
}

#[test]
fn of_a_feed_with_too_many_entries_the_first_are_read_and_that_is_said() {
    let read = |entries: usize| {
        let items: String =
            (0..entries).map(|n| format!("<item><title>T{n}</title></item>")).collect();
        let body = format!("<rss version='2.0'><channel>{items}</channel></rss>");
        read_as(body.as_bytes(), "application/rss+xml").unwrap()
    };
    let [all, some] = [20_000, 60_000].map(read);
    assert_eq!((all.kind, all.left_out.is_nothing()), (Kind::Feed, true));
    assert_eq!((some.kind, some.left_out.text), (Kind::Feed, true));
    assert_eq!(some.blocks, all.blocks);
}

#[test]
fn the_attack_samples_do_no_harm() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let path = root.join("suites/xml_html_attacks/cases.jsonl.gz");
    if !path.exists() {
        println!("not run: {} is absent", path.display());
        return;
    }
    let output = Command::new("gzip").arg("-dc").arg(&path).stderr(Stdio::inherit()).output();
    let Ok(output) = output else {
        println!("not run: no gzip program");
        return;
    };
    let lines = String::from_utf8(output.stdout).unwrap();
    for line in lines.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let input = case["input_b64"].as_str().unwrap();
        let body = base64::engine::general_purpose::STANDARD.decode(input).unwrap();
        let media = match case["kind"].as_str().unwrap() {
            "html" => "text/html",
            "json" => "application/json",
            _ => "application/xml",
        };
        match read_as(&body, media) {
            Ok(extract) => {
                let text = all_text(&extract);
                assert!(text.len() <= body.len() && !text.contains("root:"), "{}", case["id"]);
            }
            Err(error) => println!("{}: {error}", case["id"]),
        }
    }
    assert!(lines.lines().count() >= 12);
}

#[test]
fn what_is_known_of_tables_is_no_more_than_they_say() {
    let head = |n| format!("<tr><th>a<th colspan=999>b{n}<tr><td>x<td>y");
    let heads: String = (0..MANY / 4).map(head).collect();
    let spans = format!("<tr>{}{}", "<td rowspan=0>x".repeat(120), "<tr><td>y".repeat(MANY / 4));
    let tables = "<table><tr><th>a<th>b<tr><td>x<td>y</table>".repeat(MANY / 8);
    for body in [heads, spans, tables] {
        let extract = html(&format!("<table>{body}"));
        let headings = extract.headings.iter().map(|names| names.len()).sum::<usize>();
        let rows = extract.blocks.iter().filter_map(|block| block.row.as_deref());
        let known = headings + rows.map(|row| row.cells.len() + row.spanned.len()).sum::<usize>();
        assert!(known <= body.len(), "{known} of {}", body.len());
        assert!(extract.blocks.len() > MANY / 8);
    }
}

#[test]
fn the_choice_of_a_long_list_is_found_in_linear_time() {
    let long = |option: &str| html(&format!("<select>{}", option.repeat(MANY))).blocks.len();
    assert_eq!(["<option>x", "<option disabled>x"].map(long), [1, 0]);
}

#[test]
fn a_crowd_of_headings_is_read_in_linear_time() {
    let page = html(&"<h2>a</h2>".repeat(200_000));
    assert_eq!(page.blocks.len(), Limits::default().blocks_max);
}

#[test]
fn a_cell_that_spans_every_row_is_told_of_each_in_part() {
    let above = format!("<tr><td rowspan=0>{}<td>first", "long ".repeat(190)).repeat(4);
    let rows: String = (0..MANY / 4).map(|n| format!("<tr><td>N{n}")).collect();
    let extract = html(&format!("<table>{above}{rows}"));
    let told = |at: usize| extract.told(at).unwrap().len();
    let named = |at: usize| -> usize {
        extract.row_name(at).unwrap().cells.iter().map(|cell| cell.len()).sum()
    };
    assert_eq!(extract.blocks.len(), MANY / 4 + 4);
    let most = (4..extract.blocks.len()).map(|at| told(at).max(named(at))).max().unwrap();
    assert!((800..1_000).contains(&most), "{most}");
}
