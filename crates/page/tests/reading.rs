//! What each kind of content gives.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use page::{Extract, Hints, Kind, Limits, ReadError, fingerprint, read, summary};
use url::Url;

fn read_as(body: impl AsRef<[u8]>, content_type: &str) -> Result<Extract, ReadError> {
    let url = Url::parse("https://site.example/dir/page.html?q=1").unwrap();
    let content_type = (!content_type.is_empty()).then_some(content_type);
    read(body.as_ref(), &Hints { content_type, url: &url }, &Limits::default())
}

fn html(body: &str) -> Extract {
    read_as(body, "text/html; charset=utf-8").unwrap()
}

fn blocks(extract: &Extract) -> Vec<&str> {
    extract.blocks.iter().map(|block| block.text.as_str()).collect()
}

fn links(extract: &Extract) -> Vec<(&str, &str)> {
    extract.links.iter().map(|link| (link.href.as_str(), link.text.as_str())).collect()
}

#[test]
fn block_elements_end_blocks_and_inline_elements_do_not() {
    let extract = html(
        "<title> The  title </title><h1>Head</h1><p>One <b>bo</b>ld\n  word<ul><li>a<li>b</ul>tail",
    );
    assert_eq!(blocks(&extract), ["Head", "One bold word", "a", "b", "tail"]);
    assert_eq!(extract.title.as_deref(), Some("The title"));
    assert_eq!(extract.kind, Kind::Html);
}

#[test]
fn several_paragraphs_in_bold_head_what_follows() {
    let text = "<p>Buffer may make interfaces available that let you build on what we do.</p>";
    let of = |names: &[&str]| -> Vec<u8> {
        let sections = names.iter().map(|name| format!("<p><strong>{name}</strong></p>{text}"));
        let extract = html(&format!("<h1>Terms</h1>{}", sections.collect::<String>()));
        extract.blocks.iter().skip(1).step_by(2).map(page::Block::level).collect()
    };
    let three = ["6. API Licence", "6.1 Reposting of Content.", "Contact"];
    assert_eq!(of(&three), [7, 7, 7]);
    assert_eq!(of(&["1. Refunds:", "(2) Fees:", "3.1 Courts:"]), [7, 7, 7], "a number says so");
    assert_eq!(of(&three[..2]), [0, 0], "a word in bold may be what the page says");
    for other in [
        "A whole sentence.",
        "Only 49 left",
        "12 May 2026",
        "To see:",
        "Some</strong> words<strong>",
        "<a href=/a>A link</a>",
    ] {
        assert_eq!(
            of(&["One of them", "Another one", "A third one", other]),
            [7, 7, 7, 0],
            "{other}"
        );
    }
    let one_after_the_other = "<p><b>Seven</b></p><p><b>Eight</b></p><p><b>Nine</b></p>";
    let extract = html(&format!("{one_after_the_other}<ul><li>a</ul>"));
    assert!(extract.blocks[..3].iter().all(|block| block.heads));
    assert!(html(one_after_the_other).blocks.iter().all(|block| !block.heads), "they head nothing");
}

#[test]
fn what_a_browser_hides_is_not_visible() {
    let extract = html(
        "<p hidden>no</p><script>no</script><style>no</style><template><p>no</p></template>\
         <noscript><p>no</p></noscript><!-- no --><div style='color:red; DISPLAY : none'>no</div>\
         <input type=hidden value=no><iframe>no</iframe><dialog>no</dialog><p aria-hidden=true>yes\
         <svg><title>no</title></svg><div hidden><a href=/no>no</a></div>",
    );
    assert_eq!(blocks(&extract), ["yes"]);
    assert!(extract.links.is_empty());
}

#[test]
fn a_remark_for_who_has_the_page_read_aloud_is_not_visible_and_a_fact_is() {
    let extract = html(
        "<p><a href=/a>Terms<span class=sr-only> (opens in a new window)</span></a></p>\
         <p>Kettle <b class='u-visuallyHidden'>In stock</b> <i class=sr-only>(sold out)</i> \
         <i>(new)</i></p>",
    );
    assert_eq!(blocks(&extract), ["Terms", "Kettle In stock (sold out) (new)"]);
    assert_eq!(links(&extract), [("https://site.example/a", "Terms")]);
    let aloud = |text: &str| format!("<span class=screen-reader-text>{text}</span>");
    let was = aloud("Original price was: £49.90.");
    let is = aloud("Current price is: £39.90.");
    let shop = html(&format!(
        "<p><del aria-hidden=true>£49.90</del> {was}<ins aria-hidden=true>£39.90</ins>{is}\
         <p>{}£40<p>{was}",
        aloud("Regular price")
    ));
    let stands = ["~~£49.90~~ £39.90", "£40", "Original price was: £49.90."];
    assert_eq!(blocks(&shop), stands, "what nothing else says is kept");
}

#[test]
fn a_bullet_in_front_of_a_text_is_no_part_of_it() {
    let extract = html("<p>• Kettles</p><p>•Teapots</p><p>•</p><p>○ Room 4</p><p>Tea • Coffee</p>");
    assert_eq!(blocks(&extract), ["Kettles", "Teapots", "•", "○ Room 4", "Tea • Coffee"]);
}

#[test]
fn one_break_is_a_space_and_two_are_a_paragraph() {
    assert_eq!(blocks(&html("<p>a<br>b<br> <br>c</p>")), ["a b", "c"]);
    assert_eq!(blocks(&html("<pre>v1\n  fix  it\nv2</pre>")), ["v1", "fix it", "v2"]);
}

#[test]
fn links_are_resolved_against_the_base() {
    let extract = html(
        "<base href='/other/'><a href='x'>  X  y</a><a href='#top'>top</a>\
         <a href=' JavaScript:void(0)'>js</a><a href='//cdn.example/y?b=2#f'><img src=i alt=Pic></a>\
         <map><area href=/area alt=Area></map><a href='mailto:a@example.org'>mail</a><a>none</a>",
    );
    assert_eq!(
        links(&extract),
        [
            ("https://site.example/other/x", "X y"),
            ("https://cdn.example/y?b=2#f", "Pic"),
            ("https://site.example/area", "Area"),
            ("mailto:a@example.org", "mail"),
        ]
    );
}

#[test]
fn what_is_struck_out_stands_between_marks() {
    let extract = html(
        "<p><s>£49.90</s> £39.90<p>Was <span class='price price--was'>£5</span>, now £4\
         <p><del>Open <b>Mic</b></del></p><del><p>Ceilidh</p><p>Quiz</p></del>\
         <table><tr><td>Kettle<td><s>40</s><td>30</table>",
    );
    assert_eq!(
        blocks(&extract),
        [
            "~~£49.90~~ £39.90",
            "Was ~~£5~~, now £4",
            "~~Open Mic~~",
            "~~Ceilidh~~",
            "~~Quiz~~",
            "Kettle | ~~40~~ | 30",
        ]
    );
}

#[test]
fn images_prefer_the_lazy_source_and_reduce_data_urls() {
    let extract = html(
        "<img src='data:image/gif;base64,R0lGOD' data-src=/real.jpg alt='A  b'>\
         <img srcset='small.png 1x, big.png 2x'><img src='data:image/gif;base64,R0lGOD'><img alt=x>",
    );
    let sources: Vec<&str> = extract.images.iter().map(|image| image.src.as_str()).collect();
    assert_eq!(
        sources[..2],
        ["https://site.example/real.jpg", "https://site.example/dir/small.png"]
    );
    assert!(sources[2].starts_with("data:image/gif;blake3="), "{sources:?}");
    assert_eq!(sources.len(), 3);
    assert_eq!(extract.images[0].alt, "A b");
}

#[test]
fn a_page_announces_its_feeds() {
    let page = "<link rel='alternate' type='application/rss+xml' title=News href=/rss><p>Two words <a href=/>x</a>";
    let extract = html(page);
    assert_eq!(extract.feeds[0].href, "https://site.example/rss");
    assert_eq!(summary(&extract), "page, 3 words, 1 link, a feed at https://site.example/rss");
    assert_eq!(fingerprint(&extract), fingerprint(&html(&page.replace("/rss>", "/atom>"))));
}

const RSS: &str = "<?xml version='1.0' encoding='ISO-8859-1'?><rss version='2.0'><channel>\
    <title>News</title><lastBuildDate>Mon, 06 Sep 2010 00:01:00 +0000</lastBuildDate>\
    <item><title>First &amp; last</title><description>&lt;p>Some &lt;b>bold&lt;/b> text&lt;/p>\
    &lt;p>More</description><link>/one</link><pubDate>Mon, 06 Sep 2010 00:01:00 +0000</pubDate>\
    </item><item><title>Second</title><link>https://site.example/two</link></item></channel></rss>";

#[test]
fn a_feed_gives_title_summary_and_link_of_each_entry_whatever_its_media_type() {
    for media in
        ["application/rss+xml", "text/xml", "application/xml", "text/html", "text/plain", ""]
    {
        let extract = read_as(RSS, media).unwrap();
        assert_eq!(extract.kind, Kind::Feed, "{media}");
        assert_eq!(blocks(&extract), ["First & last", "Some bold text · More", "Second"]);
        assert_eq!(
            links(&extract),
            [("https://site.example/one", "First & last"), ("https://site.example/two", "Second")]
        );
    }
}

#[test]
fn times_in_a_feed_are_no_content() {
    let later = RSS.replace("00:01:00", "12:34:56");
    let first = read_as(RSS, "text/xml").unwrap();
    assert_eq!(fingerprint(&first), fingerprint(&read_as(later, "text/xml").unwrap()));
}

#[test]
fn rss_of_any_version_or_none_is_a_feed() {
    for version in ["", " version='2.0.1' xmlns:x='u'", " xmlns:x='u'", "\nversion = \"0.92\""] {
        let extract = read_as(RSS.replace(" version='2.0'", version), "text/xml").unwrap();
        assert_eq!((extract.kind, extract.links.len()), (Kind::Feed, 2), "{version}");
    }
}

#[test]
fn an_entry_without_a_link_is_reached_by_its_id_or_enclosure() {
    let feed = "<rss version='2.0'><channel><item><title>a</title><guid>https://site.example/a</guid>\
        </item><item><title>b</title><guid>none</guid><enclosure url='https://site.example/b.mp3' \
        length='1' type='audio/mpeg'/></item></channel></rss>";
    let extract = read_as(feed, "text/xml").unwrap();
    assert_eq!(
        links(&extract),
        [("https://site.example/a", "a"), ("https://site.example/b.mp3", "b")]
    );
}

#[test]
fn entries_without_ids_that_share_an_address_are_told_apart_by_title() {
    let item =
        |title: &str| format!("<item><title>{title}</title><link>https://b.example/</link></item>");
    let rss = |items: &[&str]| {
        let items: String = items.iter().map(|title| item(title)).collect();
        read_as(format!("<rss><channel>{items}</channel></rss>"), "application/rss+xml").unwrap()
    };
    let keys = |extract: &Extract| -> Vec<String> {
        extract.blocks.iter().map(|block| block.key.clone().unwrap().into()).collect()
    };
    assert_eq!(
        keys(&rss(&["One", "Two", "Three"])),
        ["https://b.example/ One", "https://b.example/ Two", "https://b.example/ Three"]
    );
    assert_eq!(keys(&rss(&["One"])), ["https://b.example/"]);
    let json = r#"{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[
        {"url":"https://b.example/","title":"One"},{"url":"https://b.example/","title":"Two"}]}"#;
    let json = read_as(json, "application/feed+json").unwrap();
    assert_eq!(keys(&json), ["https://b.example/ One", "https://b.example/ Two"]);
}

#[test]
fn an_entry_says_its_summary_and_its_content() {
    let rss = |description: &str, content: &str| {
        let item = format!(
            "<item><title>T</title><description>{description}</description><content:encoded>\
             {content}</content:encoded></item>"
        );
        read_as(format!("<rss><channel>{item}</channel></rss>"), "application/rss+xml").unwrap()
    };
    assert_eq!(blocks(&rss("Rain", "It rains.")), ["T", "Rain", "It rains."]);
    assert_eq!(blocks(&rss("It rains [...]", "It rains in town.")), ["T", "It rains in town."]);
    assert_eq!(blocks(&rss("", "It rains.")), ["T", "It rains."]);
}

#[test]
fn atom_and_json_feeds_are_feeds() {
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title><id>x</id><entry>\
        <title type='html'>A &lt;i>b&lt;/i></title><link rel='self' href='/self'/>\
        <link href='/page'/><summary>S</summary></entry></feed>";
    let extract = read_as(atom, "application/atom+xml").unwrap();
    assert_eq!((extract.kind, blocks(&extract)), (Kind::Feed, vec!["A b", "S"]));
    assert_eq!(links(&extract), [("https://site.example/page", "A b")]);
    let json = r#"{"version":"https://jsonfeed.org/version/1.1","title":"T","items":
        [{"id":"1","url":"https://site.example/1","title":"One","content_text":"Text"}]}"#;
    let extract = read_as(json, "application/json").unwrap();
    assert_eq!((extract.kind, blocks(&extract)), (Kind::Feed, vec!["One", "Text"]));
}

#[test]
fn feeds_of_old_formats_are_read() {
    let atom = "<feed version='0.3' xmlns='http://purl.org/atom/ns#'><title>T</title><entry>\
        <title type='text/html' mode='escaped'>A &lt;i>b&lt;/i></title>\
        <link rel='alternate' type='text/html' href='/page'/><id>1</id>\
        <issued>2004-01-01T00:00:00Z</issued><modified>2004-01-02T00:00:00Z</modified>\
        <summary type='text/plain'>S</summary></entry></feed>";
    for atom in [
        atom.to_owned(),
        atom.replace("xmlns=", "xmlns:atom=")
            .replace("</", "</atom:")
            .replace('<', "<atom:")
            .replace("<atom:/atom:", "</atom:"),
    ] {
        let extract = read_as(&atom, "text/xml").unwrap();
        assert_eq!((extract.kind, blocks(&extract)), (Kind::Feed, vec!["A b", "S"]), "{atom}");
        assert_eq!(links(&extract), [("https://site.example/page", "A b")]);
    }
    let accented = RSS.replacen("<title>", "<title>Caf&eacute; ", 1);
    let title = read_as(&accented, "text/xml").unwrap().title.unwrap();
    assert!(title.starts_with("Café "), "{title}");
    let named = RSS.replace("<rss ", "<rss xmlns=\"http://backend.userland.com/rss2\" ");
    assert_eq!(read_as(&named, "text/xml").unwrap(), read_as(RSS, "text/xml").unwrap());
}

#[test]
fn a_feed_whose_last_sign_is_lost_is_read_and_one_that_lost_more_is_not() {
    let whole = RSS.trim_end();
    let cut = |bytes: usize| read_as(&whole[..whole.len() - bytes], "text/xml");
    assert_eq!(cut(1).unwrap(), read_as(RSS, "text/xml").unwrap());
    assert!(cut("</channel></rss>".len()).is_err() && cut(3).is_err());
}

#[test]
fn a_feed_is_read_past_declarations_that_stand_where_they_must_not() {
    let plain = read_as(RSS, "text/xml").unwrap();
    assert_eq!((plain.kind, plain.blocks.is_empty()), (Kind::Feed, false));
    for declaration in [
        "<?xml version=\"1.0\" encoding=\"utf-16\"?>",
        "<?xml encoding='iso-2022-jp'?>",
        "<?xml version='1.0'?>",
    ] {
        let places = RSS.match_indices(['<', '\n']).map(|(at, _)| at).chain([RSS.len()]);
        for at in places {
            let spliced = format!("{}{declaration}{}", &RSS[..at], &RSS[at..]);
            assert_eq!(read_as(&spliced, "text/xml").unwrap(), plain, "{spliced}");
        }
    }
    let quoted = "<rss version='2.0'><channel><title>T</title><item><title>\
        <![CDATA[<?xml encoding='gbk'?>]]> is shown</title></item></channel></rss>";
    assert_eq!(read_as(quoted, "text/xml").unwrap().kind, Kind::Feed);
}

#[test]
fn a_feed_is_read_though_it_is_not_quite_xml() {
    let read = |entry: &str| {
        let body = format!(
            "<rss version='2.0'><channel><title>T</title><item>{entry}</item>\
             <item><title>last</title></item></channel></rss>"
        );
        let extract = read_as(&body, "application/rss+xml").unwrap();
        assert_eq!((extract.kind, extract.left_out.is_nothing()), (Kind::Feed, true), "{entry}");
        extract
    };
    for (entry, texts) in [
        ("<title>Q & A at AT&T</title>", vec!["Q & A at AT&T"]),
        ("<title>5 < 6, x<y and z>1</title>", vec!["5 < 6, x<y and z>1"]),
        ("<title>a&nbsp;b &hellip; &unknown; &amp; c</title>", vec!["a b … &unknown; & c"]),
        ("<title>bell\u{7} &#0;&#x1f;rings</title>", vec!["bell \u{fffd}rings"]),
        ("<title>a<br>b <b>c</title><description><p>d<br>e</description>", vec!["a b c", "d e"]),
        ("<title><![CDATA[x & <b>y</b>]]></title></p><description>d &", vec!["x & y", "d &"]),
        ("<title>t</title><enclosure url=https://x.example/a?b&c type='audio'/>", vec!["t"]),
    ] {
        let extract = read(entry);
        let found = blocks(&extract);
        assert_eq!(found.split_last().unwrap(), (&"last", &texts[..]), "{entry}");
    }
    let linked = read("<title>t</title><link>https://x.example/?a=1&b=2</link>");
    assert_eq!(links(&linked), [("https://x.example/?a=1&b=2", "t")]);
    let cut = "<rss version='2.0'><channel><item><title>a & b</title></item>";
    assert!(read_as(cut, "text/xml").is_err(), "what is cut off is not what is gone");
}

#[test]
fn xml_gives_its_text_and_attributes_and_expands_no_entity() {
    let xml = "<!DOCTYPE r [<!ENTITY e 'boom'>]><r><a k='v&amp;w'>x &lt; &#65;</a><b/>\
        <c><![CDATA[<raw>]]></c>&e;</r>";
    let extract = read_as(xml, "application/xml").unwrap();
    assert_eq!(extract.kind, Kind::Xml);
    assert_eq!(blocks(&extract), ["k: v&w", "x < A", "<raw>", "&e;"]);
    let cut = read_as("<r><a>", "application/xml").unwrap_err();
    assert!(matches!(cut, ReadError::Malformed { format: "XML", .. }), "{cut}");
}

#[test]
fn a_drawing_gives_what_it_says() {
    let svg = "<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY e 'x'>]><svg width='9'><title>Cases\
        </title><style>.a{}</style><path d='M0 0'/><g><desc>By week</desc><text x='1'>Rain: \
        <tspan>12</tspan> mm</text></g><metadata><title>no</title></metadata><text style='display: \
        none'>no</text><g display='none'><text>no</text></g><foreignObject><p>one<p>two</p></p>\
        </foreignObject></svg>";
    let words = ["Cases", "By week", "Rain: 12 mm", "one", "two"];
    for media in ["image/svg+xml", "application/xml", "application/octet-stream"] {
        let extract = read_as(svg, media).unwrap();
        assert_eq!((extract.kind, blocks(&extract)), (Kind::Xml, words.to_vec()), "{media}");
    }
    let cut = read_as(svg.replace("</svg>", ""), "image/svg+xml").unwrap();
    assert_eq!((cut.kind, blocks(&cut)), (Kind::Html, words[2..].to_vec()), "as in a page");
    assert!(read_as("\u{89}PNG", "image/png").is_err());
}

#[test]
fn media_types_by_other_names_are_read_as_what_they_are() {
    let read = |body, media| {
        let extract = read_as(body, media).unwrap();
        (extract.kind, blocks(&extract).join("; "))
    };
    let text = |blocks: &str| (Kind::Text, blocks.to_owned());
    assert_eq!(read("{\"a\":1}", "application/x-json"), (Kind::Json, "a: 1".into()));
    assert_eq!(read("<r>1</r>", "application/x-xml"), (Kind::Xml, "1".into()));
    assert_eq!(read("# A\n- b\n", "application/markdown"), text("A; b"));
    let lines = "{\"a\":1}\n{\"a\":2}\n";
    for media in ["application/jsonl", "application/x-ndjson"] {
        assert_eq!(read(lines, media), text("{\"a\":1}; {\"a\":2}"));
    }
    for media in ["application/vnd.ms-excel", "text/comma-separated-values", "application/x-csv"] {
        assert_eq!(read("a;b\nx;1\n", media), text("x: b: 1"));
    }
    assert_eq!(read("one\ntwo\n", "text/comma-separated-values"), text("one; two"));
    for sheet in ["\u{0}\u{1},;", "<table><tr><td>a,b</table>", "word"] {
        assert!(read_as(sheet, "application/vnd.ms-excel").is_err(), "{sheet:?}");
    }
}

#[test]
fn json_gives_one_block_per_leaf() {
    let json = r#"{"b":{"x":[1,2.5,"t\nu"],"e":[],"o":{}},"a b":null,"t":true}"#;
    let extract = read_as(json, "application/json").unwrap();
    assert_eq!(
        blocks(&extract),
        [
            "b.x[0]: 1",
            "b.x[1]: 2.5",
            "b.x[2]: t u",
            "b.e: []",
            "b.o: {}",
            "[\"a b\"]: null",
            "t: true"
        ]
    );
    assert!(matches!(read_as("{", "application/json"), Err(ReadError::Malformed { .. })));
    assert_eq!(read_as("{not json", "text/plain").unwrap().kind, Kind::Text);
}

#[test]
fn text_gives_one_block_per_line() {
    let extract = read_as("a  b\n\n c\u{0}\u{200b}d\r\n", "text/css").unwrap();
    assert_eq!((extract.kind, blocks(&extract)), (Kind::Text, vec!["a b", "cd"]));
}

#[test]
fn a_wrapped_paragraph_of_text_is_one_block() {
    let wrapped = "The provider may change these terms at any time by giving notice\nto each \
         customer by electronic mail, who may then end the contract.";
    let (text, one) = (format!("Terms\n\n{wrapped}\n\nend"), wrapped.replace('\n', " "));
    let plain = read_as(&text, "text/plain").unwrap();
    assert_eq!(blocks(&plain), ["Terms", &one, "end"]);
    assert_eq!(blocks(&html(&format!("<pre>{text}</pre>"))), ["Terms", &one, "end"]);
    for code in ["code", "b"] {
        let page = html(&format!("<pre><{code}>{text}</{code}></pre>"));
        assert_eq!(page.blocks.len(), 4, "{code}");
    }
}

#[test]
fn markdown_and_tables_are_known_by_type_or_by_name() {
    let at = |path: &str, content_type, body: &str| {
        let url = Url::parse("https://site.example/").unwrap().join(path).unwrap();
        let hints = Hints { content_type: Some(content_type), url: &url };
        let extract = read(body.as_bytes(), &hints, &Limits::default()).unwrap();
        (extract.kind, blocks(&extract).join("; "))
    };
    let text = |blocks: &str| (Kind::Text, blocks.to_owned());
    let (list, table) = ("# Head\n- one\n", "a,b\nx,1\n");
    assert_eq!(at("x", "text/markdown; charset=utf-8", list), text("Head; one"));
    assert_eq!(at("README.md?raw=1", "text/plain", list), text("Head; one"));
    assert_eq!(at("x", "text/plain", list), text("# Head; - one"));
    assert_eq!(at("x", "text/csv", table), text("x: b: 1"));
    assert_eq!(at("T.CSV", "application/octet-stream", table), text("x: b: 1"));
    assert_eq!(at("x", "text/tab-separated-values", "a\tb\nx\t1\n"), text("x: b: 1"));
    assert_eq!(at("x.csv", "text/html", "<p>a,b"), (Kind::Html, "a,b".to_owned()));
    let long = "- one\n".repeat(100_000);
    assert!(at("x.md", "text/plain", &long).1.starts_with("- one; - one"), "read by its lines");
}

#[test]
fn selectors_look_into_markdown() {
    let url = Url::parse("https://site.example/x.md").unwrap();
    let hints = Hints { content_type: Some("text/plain"), url: &url };
    let view = page::View::Selected("css \"h2\"".into());
    let body = b"# One\n## Two\n";
    let found = page::extract(body, &hints, &Limits::default(), [view.clone()]).unwrap();
    assert_eq!(blocks(&found[&view]), ["Two"]);
}

#[test]
fn the_character_set_comes_from_mark_header_document_or_guess() {
    let latin = b"<p>caf\xe9 na\xefve d\xe9j\xe0 vu, \xe0 la carte, gar\xe7on".as_slice();
    let expected = "café naïve déjà vu, à la carte, garçon";
    assert_eq!(blocks(&read_as(latin, "text/html; charset=latin1").unwrap()), [expected]);
    assert_eq!(blocks(&read_as(latin, "text/html").unwrap()), [expected]);
    let meta = [b"<meta charset=windows-1252>", latin].concat();
    assert_eq!(blocks(&read_as(meta, "text/html").unwrap()), [expected]);
    let utf8 = ["\u{feff}<p>", expected].concat();
    assert_eq!(blocks(&read_as(utf8, "text/html; charset=latin1").unwrap()), [expected]);
    let xml = b"<?xml version='1.0' encoding='ISO-8859-1'?><r>caf\xe9</r>";
    assert_eq!(blocks(&read_as(xml, "text/xml").unwrap()), ["café"]);
    let utf16: Vec<u8> = "\u{feff}<p>é".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(blocks(&read_as(utf16, "text/html").unwrap()), ["é"]);
}

#[test]
fn the_text_of_an_entry_says_what_its_headings_lead_to() {
    let body = "<h2>Features</h2><ul><li>A label<li>A tab.</ul><h2>Fixes</h2><h3>Terminal</h3>\
                <p>It opens.</p><p>It closes</p><p>And more:</p><ul><li>One<li>Two</ul>\
                <h2>What now?</h2><p>Wait.</p>";
    let said = "Features: A label · A tab. · Fixes · Terminal: It opens. It closes · And more: \
                One · Two · What now? Wait.";
    let coded = body.replace('<', "&lt;");
    let summary = "Features A label A tab. Fixes Terminal It opens.";
    for entry in [
        format!("<description>{coded}</description>"),
        format!("<description>{summary}</description><content:encoded>{coded}</content:encoded>"),
    ] {
        let feed = format!("<rss version='2.0'><channel><item>{entry}</item></channel></rss>");
        assert_eq!(blocks(&read_as(&feed, "text/xml").unwrap()), [said]);
    }
}

#[test]
fn tags_in_the_texts_of_a_feed_hide_no_text() {
    let read = |body: &str| read_as(body, "text/xml").unwrap();
    let rss = |item: &str| read(&format!("<rss version='2.0'><channel>{item}</channel></rss>"));
    let atom = |entry: &str| {
        read(&format!("<feed xmlns='http://www.w3.org/2005/Atom'><entry>{entry}</entry></feed>"))
    };
    let item = "<item><title>Kettle <b>20 %</b> off</title>\
                <description><p>Ends <i>today</i></p> or so</description></item>";
    assert_eq!(blocks(&rss(item)), ["Kettle 20 % off", "Ends today · or so"]);
    let entry = "<id>1</id><title>A <b>b</b> c</title><content type='html'>D <p>e</p></content>";
    assert_eq!(blocks(&atom(entry)), ["A b c", "D · e"]);
    let tree = "<id>1</id><title type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>A <b>b</b>\
                </div></title>";
    assert_eq!(blocks(&atom(tree)), ["A b"]);
}

#[test]
fn what_a_feed_says_in_other_ways_is_read() {
    let read = |body: &str| read_as(body, "text/xml").unwrap();
    let rss = |item: &str| {
        read(&format!(
            "<rss version='2.0'><channel><title>T</title><image><title>No</title></image>\
             <item>{item}</item></channel></rss>"
        ))
    };
    let atom = |name: &str, entry: &str| {
        read(&format!("<feed {name}><title>T</title><entry>{entry}</entry></feed>"))
    };
    let new = "xmlns='http://www.w3.org/2005/Atom'";
    for (extract, expected) in [
        (rss("<TITLE>a</TITLE><body xmlns='http://www.w3.org/1999/xhtml'><p>b</p></body>"), "a b"),
        (rss("<dc:title>a</dc:title><fullitem>&lt;p>b&lt;/p></fullitem>"), "a b"),
        (rss("<title>a</title><media:content url='/x'/><description>b</description>"), "a b"),
        (atom(new, "<title type='text'>1 &lt;b&gt; 2</title><summary>s</summary>"), "1 <b> 2 s"),
        (atom(new, "<title type='text/plain' mode='base64'>YSA8\nYg==</title>"), "a <b"),
        (atom(new, "<title type='x/y'>PGI+\nYjwvYj4=</title>"), "b"),
        (atom("", "<title>a</title><content>b</content>"), "a b"),
        (atom("xmlns='http://purl.org/atom/ns#'", "<title>a</title><summary> </summary>"), "a"),
        (read("<CHANNEL><ITEM HREF='/x'><TITLE>a</TITLE></ITEM></CHANNEL>"), "a"),
    ] {
        assert_eq!((extract.kind, blocks(&extract).join(" ")), (Kind::Feed, expected.to_owned()));
    }
    let based = "<link href='x'/><title>a</title>";
    let extract = atom(&format!("{new} xml:base='https://other.example/'"), based);
    assert_eq!(links(&extract), [("https://other.example/x", "a")]);
    let paid = "<title>a</title><link rel='payment' xmlns='http://www.w3.org/2005/Atom' \
                href='/pay'/><enclosure url='/a.mp3'/>";
    assert_eq!(links(&rss(paid)), [("https://site.example/a.mp3", "a")]);
}

#[test]
fn xml_that_only_has_the_name_of_a_feed_stays_xml() {
    for xml in [
        "<feed xmlns='https://site.example/products'><product>Kettle</product></feed>",
        "<channel><name>One</name></channel>",
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><x>y</x></rdf:RDF>",
    ] {
        assert_eq!(read_as(xml, "application/xml").unwrap().kind, Kind::Xml, "{xml}");
    }
}

#[test]
fn a_feed_that_has_no_entries_is_one() {
    let rdf = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
               xmlns='http://purl.org/rss/1.0/'><channel><title>Jobs</title></channel></rdf:RDF>";
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><title>Jobs</title></feed>";
    for feed in [rdf, atom, "<rss><channel><title>Jobs</title></channel></rss>"] {
        assert_eq!(read_as(feed, "application/xml").unwrap().kind, Kind::Feed, "{feed}");
    }
}

#[test]
fn feeds_in_utf_32_are_read() {
    let feed = "<?xml version='1.0' encoding='utf-32'?><rss version='2.0'><channel>\
                <item><title>Prix 5 €</title></item></channel></rss>";
    for (mark, content_type) in [("", "text/xml; charset=utf-8"), ("\u{feff}", "")] {
        let signs = || mark.chars().chain(feed.chars()).map(u32::from);
        let big: Vec<u8> = signs().flat_map(u32::to_be_bytes).collect();
        let little: Vec<u8> = signs().flat_map(u32::to_le_bytes).collect();
        for body in [&big, &little] {
            let read = read_as(body, content_type).unwrap();
            assert_eq!((read.kind, blocks(&read)), (Kind::Feed, vec!["Prix 5 €"]));
        }
        assert!(read_as(&big[..big.len() - 2], content_type).is_err(), "cut off");
    }
}

#[test]
fn xml_in_utf_16_needs_no_byte_order_mark() {
    let feed = "<?xml version='1.0' encoding='utf-16'?><rss version='2.0'><channel>\
                <item><title>Prix 5 €</title></item></channel></rss>";
    let big: Vec<u8> = feed.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let little: Vec<u8> = feed.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for body in [&big, &little] {
        for content_type in ["application/rss+xml", "text/xml; charset=utf-8", ""] {
            let read = read_as(body, content_type).unwrap();
            assert_eq!((read.kind, blocks(&read)), (Kind::Feed, vec!["Prix 5 €"]));
        }
    }
}

#[test]
fn what_is_no_text_is_refused_with_its_name() {
    let refused = |body: &[u8], media: &str| read_as(body, media).unwrap_err().to_string();
    assert!(refused(b"%PDF-1.7", "text/html").contains("a PDF document"));
    assert!(refused(b"x", "image/png").contains("of type image/png"));
    assert!(refused(b"a\0b", "application/octet-stream").contains("binary data"));
    let url = Url::parse("https://site.example/").unwrap();
    let limits = Limits { body_bytes_max: 3, ..Limits::default() };
    let error = read(b"four", &Hints { content_type: None, url: &url }, &limits).unwrap_err();
    assert_eq!(error, ReadError::TooLarge { bytes: 4, max: 3 });
}

#[test]
fn an_untyped_body_is_recognized_by_its_first_bytes() {
    assert_eq!(read_as("<!DOCTYPE html><p>x", "").unwrap().kind, Kind::Html);
    assert_eq!(read_as("<div>x</div>", "application/octet-stream").unwrap().kind, Kind::Html);
    assert_eq!(read_as("[1]", "text/plain").unwrap().kind, Kind::Json);
    assert_eq!(read_as("just words", "").unwrap().kind, Kind::Text);
    assert_eq!(read_as("<html><p>x", "application/xhtml+xml").unwrap().kind, Kind::Html);
}

#[test]
fn encoding_gives_the_extract_back_and_refuses_damage() {
    let extract = html("<title>t</title><p>é<a href=x>y</a><img src=z alt=w>");
    assert_eq!(page::decode(&page::encode(&extract)).unwrap(), extract);
    assert!(page::decode(b"{}").is_err());
}

#[test]
fn a_fingerprint_tells_lists_and_borders_apart() {
    let one = html("<p>ab<p>c");
    assert_ne!(fingerprint(&one), fingerprint(&html("<p>a<p>bc")));
    assert_ne!(fingerprint(&one), fingerprint(&html("<p>ab<p>c<img src=x>")));
    assert_eq!(fingerprint(&one), fingerprint(&html("<title>n</title><div>ab</div> <p> c ")));
}

#[test]
fn a_mail_address_hidden_under_changing_keys_is_one_link() {
    let hide = |key: u8| {
        let bytes = "a@b.example".bytes().map(|byte| format!("{:02x}", byte ^ key));
        format!(
            "<a href='/cdn-cgi/l/email-protection#{key:02x}{}'>mail</a>",
            bytes.collect::<String>()
        )
    };
    for key in [0, 0x55, 0xff] {
        assert_eq!(links(&html(&hide(key))), [("mailto:a@b.example", "mail")]);
    }
}

#[test]
fn a_row_of_data_is_one_block_and_a_row_of_layout_is_none() {
    let extract = html(
        "<table><tr><th>City<th>Fare<tr><td>Lisbon<td><p>40</p><tr><td>Oslo<td></table>\
         <table><tr><td><h2>News</h2><p>One</p><td><ul><li>a<li>b</ul></table>",
    );
    assert_eq!(blocks(&extract), ["City | Fare", "Lisbon | 40", "Oslo |", "News", "One", "a", "b"]);
}

#[test]
fn the_parts_of_a_page_are_told_apart() {
    let extract = html(
        "<header>Site</header><nav>Menu</nav><div class='side x-cookie-banner'>We use cookies</div>\
         <main><header>By Ana</header><h1>Fares</h1><p>Lisbon 40<aside class=related>See also</aside></main>\
         <p class=with-sidebar>Tail<footer>Imprint</footer>",
    );
    let parts: Vec<(&str, bool, u8)> = extract
        .blocks
        .iter()
        .map(|block| (block.text.as_str(), block.part.is_main(), block.heading))
        .collect();
    assert_eq!(
        parts,
        [
            ("Site", false, 0),
            ("Menu", false, 0),
            ("We use cookies", false, 0),
            ("By Ana", true, 0),
            ("Fares", true, 1),
            ("Lisbon 40", true, 0),
            ("See also", false, 0),
            ("Tail", false, 0),
            ("Imprint", false, 0),
        ]
    );
    let only_frame = html("<nav>Lisbon 40 and Oslo 30</nav>");
    assert!(only_frame.blocks[0].part.is_main(), "a page is there for something");
}

/// The texts of a page that are not its main content, each with the initial of its part.
fn around(body: &str) -> Vec<String> {
    let around = html(body).blocks.into_iter().filter(|block| !block.part.is_main());
    let shown = |block: page::Block| format!("{:.1}: {}", format!("{:?}", block.part), block.text);
    around.map(shown).collect()
}

const NONE: [&str; 0] = [];

#[test]
fn a_name_that_sounds_like_a_frame_is_none_where_it_holds_the_page() {
    let text = "Fares to Lisbon, by day. ".repeat(9);
    assert_eq!(around(&format!("<div class=sidebar-layout><p>{text}<p>Oslo</div>")), NONE);
    assert_eq!(around(&format!("<div class=sidebar><p>Oslo</div><p>{text}")), ["F: Oslo"]);
    let nested = format!(
        "<div class=sidebar-layout><nav>Menu</nav><div class=social>Share</div><p>{text}</div>"
    );
    assert_eq!(around(&nested), ["F: Menu", "F: Share"]);
}

#[test]
fn what_stands_beside_the_main_element_is_the_frame_where_that_has_more() {
    let text = "Fares to Lisbon, by day. ".repeat(9);
    assert_eq!(around(&format!("<p>Top<main><p>{text}</main><p>Tail")), ["F: Top", "F: Tail"]);
    assert_eq!(around(&format!("<main><p>Soon</main><p>{text}")), NONE);
    assert_eq!(around(&format!("<p>Top<article><p>{text}</article>")), NONE);
    let alert = "<div role=alert>All trains are cancelled</div>";
    assert_eq!(around(&format!("{alert}<p>Top<main><p>{text}</main>")), ["F: Top"]);
    assert_eq!(around(&format!("<h1>Fares</h1><p>40 EUR<main><p>{text}</main>")), NONE);
}

#[test]
fn the_only_heading_of_a_page_is_content_though_it_stands_in_its_header() {
    let text = format!("<p>{}", "Rooms have a view of the lake. ".repeat(9));
    let header = |inner: &str| format!("<header><p>Acme, since 1922{inner}<p>Search</header>");
    let (tagline, search, title) = ("F: Acme, since 1922", "F: Search", "<h1>Winter prices</h1>");
    let all = [tagline, "F: Winter prices", search];
    assert_eq!(around(&format!("{}{text}", header(title))), [tagline, search]);
    let named = header(&format!("<div class=site-header>{title}</div>"));
    let banner = format!("<div role=banner><p>Acme, since 1922{title}<p>Search</div>");
    assert_eq!(around(&format!("{banner}{text}")), [tagline, search]);
    assert_eq!(around(&format!("{named}{text}")), [tagline, search]);
    assert_eq!(around(&format!("{}<h1>Rooms</h1>{text}", header(title))), all);
    assert_eq!(around(&format!("{}<main>{text}</main>", header(title))), all);
    assert_eq!(around(&format!("{}{text}", header(&format!("<nav>{title}</nav>")))), all);
    assert_eq!(around(&format!("{}{text}", header(&title.replace("h1", "h2")))), all);
}

#[test]
fn a_policy_of_cookies_under_a_header_is_no_question_about_them() {
    let policy = "<p>We use cookies for what you put into your basket, and for nothing else.\
                  <p>Each of them is deleted after thirty days.<button>Accept all</button>";
    let page = |inner: &str| format!("<header><h1>Cookie policy</h1></header>{inner}");
    assert_eq!(around(&page(&format!("<div>{policy}</div>"))), ["C: Accept all"]);
    // A question beside other content is one.
    let rooms = format!("<p>{}", "Rooms have a view of the lake. ".repeat(9));
    let beside = around(&page(&format!("{rooms}<div>{policy}</div>")));
    assert!(beside.iter().any(|line| line.starts_with("F: We use cookies")), "{beside:?}");
}

#[test]
fn a_control_is_what_a_person_works_the_page_by() {
    let text = "A lamp of brass and blown glass.";
    let page = format!(
        "<p>{text}<button>Add to cart</button><div role=button>Share</div><label>Size</label>\
         <select><option selected>Small</select><input type=submit value=Go><a href='#'>More</a>\
         <details><summary>Details</summary><p>Brass</details>"
    );
    let controls = ["Add to cart", "Share", "Size", "Small", "Go", "More", "Details"]
        .map(|c| format!("C: {c}"));
    assert_eq!(around(&page), controls);
    let row = "<table><tr><td>Park A<td><button>Map</button><td>Open</table><dl><dt><label>Adult</label>\
               <dd>12 EUR</dl><p>Open <span role=button>i</span> today";
    assert_eq!(around(row), NONE, "a row is one, and so is a sentence");
    let card = format!("<div role=button>{text} {text} {text}</div><h2><button>Why?</button></h2>");
    assert_eq!(around(&card), NONE, "a card is no control, and neither is a question");
    assert_eq!(around(&format!("<nav><button>Menu</button></nav><p>{text}")), ["F: Menu"]);
}

#[test]
fn a_table_of_contents_is_part_of_the_frame() {
    let page = "<p><a href='#a'>1. Fares</a><p><a href='#b'>2. Days</a><h2 id=a><a href='#a'>1. Fares\
                </a></h2><p>Lisbon, see <a href='#b'>2. Days</a>";
    assert_eq!(around(page), ["F: 1. Fares"], "no heading says the other");
    assert_eq!(around("<h1>Work</h1><p><a href='#/jobs/1'>Welder</a>"), NONE);
}

#[test]
fn a_footer_is_told_by_what_it_says() {
    let text = format!("<p>{}</p>", "A lamp of brass and blown glass. ".repeat(5));
    let text = format!("<h1>Lamps</h1>{}", text.repeat(5));
    let link = |at: usize| format!("<p><a href=/{at}>Place {at}</a></p>");
    let links: String = (0..3).map(link).collect();
    assert_eq!(around(&format!("{text}<div>{links}</div>")), NONE);
    let signed = around(&format!("{text}<div>{links}<p>© 2026 Loft</div>"));
    assert_eq!(signed, ["F: Place 0", "F: Place 1", "F: Place 2", "F: © 2026 Loft"]);
    assert_eq!(around(&format!("<p>{}<p>All rights reserved", "Lamps. ".repeat(30))).len(), 1);
    assert_eq!(around("<p>© 2026 Loft"), NONE, "the page says nothing else");
    let networks = "<p><a href=//x.com/loft>X</a><p><a href=//github.com/loft>Code</a>";
    assert_eq!(around(&format!("{text}<div>{links}{networks}</div>")).len(), 5);
    // Two columns of links to many places; the entries of a list lead into one folder.
    let column = |from: usize| (from..from + 4).map(link).collect::<String>();
    let list = format!("<div><b>Shop</b>{}<b>House</b>{}</div>", column(0), column(4));
    let columns = list.replace("Place 4", "Terms").replace("Place 5", "Press");
    assert_eq!(around(&format!("{text}{columns}")).len(), 10);
    assert_eq!(around(&format!("{text}{list}")), NONE, "it may be a list of anything");
    assert_eq!(around(&format!("{text}{}", columns.replace("href=/", "href=/jobs/"))), NONE);
    assert_eq!(around(&format!("<main>{text}{columns}</main>")), NONE);
    assert_eq!(around(&format!("{columns}{text}")).len(), 8, "a menu above the heading");
    let headline = "Harbour bridge opens to cyclists in spring, council says";
    let front = format!("<p><a href=/1>{headline}</a>").repeat(5);
    assert_eq!(around(&format!("{front}{text}")), NONE);
    // Prices and people beside what a site says at its end.
    let prices = "<tr><td>Massage<td>45 EUR".repeat(6);
    let spa = format!("<div><table>{prices}</table>{links}<p>© 2026 Spa</div>");
    assert_eq!(around(&format!("<p>{}{spa}", "Rest. ".repeat(20))), ["F: © 2026 Spa"]);
    let person = "<p>Ana<p>Chair<p><a href=//x.com/a>X</a><p><a href=//github.com/a>Code</a>";
    assert_eq!(around(&format!("{text}<div>{}</div>", person.repeat(4))), NONE);
    assert_eq!(around("<p>Flood in Porto (© Lusa)<p>Reading: 4 June<br>© Ana 2026"), NONE);
    // What a page of a few texts lists may be what it is there for.
    let few = format!("<h1>Work</h1><p>{}</p>", "We make lamps. ".repeat(9));
    assert_eq!(around(&format!("{few}{columns}")), NONE);
    let signed = format!("{few}<div>{columns}<div>{networks}<p><a href=/t>Terms</a></div></div>");
    assert_eq!(around(&signed), ["F: X", "F: Code", "F: Terms"]);
}

#[test]
fn what_a_site_asks_about_cookies_is_part_of_the_frame() {
    let asks = "<div><p>Cookies</p><div><p>We use cookies to see which lamps people like.</p>\
                <button>Accept all</button><button>Settings</button></div></div>";
    let asked = [
        "F: Cookies",
        "F: We use cookies to see which lamps people like.",
        "F: Accept all",
        "F: Settings",
    ];
    assert_eq!(around(&format!("<div><p>A lamp of brass</p></div>{asks}")), asked);
    let page = asks.replace("button", "p");
    assert_eq!(around(&format!("<div><p>A lamp of brass</p></div>{page}")), NONE);
}

#[test]
fn a_dialogue_does_not_make_an_error_page_content() {
    let says = "We use cookies and similar technologies. ".repeat(30);
    let error = "<h2>This page isn't available</h2><p>An unexpected error has occurred.";
    let body = format!("{error}<div role=dialog><p>{says}</div>");
    assert_eq!(page::odd(&html(&body)), Some(page::Odd::Error));
    let event = format!("<a href=/>Home</a><div role=dialog><p>{says}</div>");
    assert_eq!(around(&event), NONE, "beside a link alone the dialogue is the page");
    assert_eq!(around(&format!("<p>{says}<div aria-modal=false><p>Lisbon</div>")), NONE);
    let all = html(&format!("<div role=dialog><p>{says}</div>"));
    assert!(all.blocks[0].part.is_main(), "a page is there for something");
}

#[test]
fn a_button_does_not_end_a_box_of_what_others_bought() {
    let page = "<p>A lamp of brass</p><div><h2>Others bought</h2><p>Kettle <button>Add to cart</button>\
                <p>Pot<input type=submit value=Go><p>Pan</div>";
    let all = ["F: Kettle", "F: Add to cart", "F: Pot", "F: Go", "F: Pan"];
    assert_eq!(around(page), all);
}

#[test]
fn texts_that_only_a_style_sets_apart_do_not_touch() {
    let extract = html(
        "<li><a href=/c><span>Create</span><span>Build your library</span></a></li>\
         <div><a href=/a>Sign up</a><a href=/b>Log in</a></div><p><b>Mac</b>Donald",
    );
    assert_eq!(blocks(&extract), ["Create Build your library", "Sign up Log in", "MacDonald"]);
    assert_eq!(extract.links[0].text, "Create Build your library");
}

#[test]
fn a_list_shows_its_choice_and_a_field_its_text() {
    let extract = html(
        "<select><option>Lisbon<option selected>Oslo</select><textarea>typed</textarea>\
         <p style='visibility: hidden'>no</p>",
    );
    assert_eq!(blocks(&extract), ["Oslo", "typed"]);
}

#[test]
fn a_list_without_a_choice_shows_the_first_that_can_be_chosen() {
    let extract = html(
        "<select><option>Lisbon<option>Oslo</select><select><option disabled>Choose<optgroup \
         disabled><option>Rome</optgroup><optgroup label=x><option>Bern<option>Bonn</select>\
         <select multiple><option>Faro</select><select size=3><option>Lagos</select>\
         <select size=1><option hidden>Pick<option>Nice</select><select><option hidden selected>\
         Which?<option>Pisa</select><datalist><option>Riga</datalist><option>Graz",
    );
    assert_eq!(blocks(&extract), ["Lisbon", "Bern", "Pick", "Which?"]);
}

#[test]
fn a_term_is_one_block_with_what_is_said_of_it() {
    let extract = html(
        "<dl><dt>Harbour</dt><dd>Closed</dd><dt>Old town:<dd><p>9 to 17<dd>Bring a passport\
         <dt>Long<dd><ul><li>one<li>two</ul></dl>",
    );
    assert_eq!(
        blocks(&extract),
        ["Harbour: Closed", "Old town: 9 to 17", "Bring a passport", "Long", "one", "two"]
    );
}

#[test]
fn each_text_of_a_drawing_is_a_block() {
    let extract =
        html("<svg><title>no</title><text x=1>40</text><text><tspan>5</tspan>0</text></svg>");
    assert_eq!(blocks(&extract), ["40", "50"]);
}

#[test]
fn a_box_of_what_others_read_is_part_of_the_frame() {
    let extract = html(
        "<main><h1>Latest</h1><p>Fire in the market</p><section><h2>Most read</h2><ol><li>Rain</ol>\
         </section><p>More tomorrow</p><div><h2>Related</h2><p>Old cinema</p><h2>Dates</h2><p>May\
         </div></main>",
    );
    let parts = extract.blocks.iter().map(|block| (&*block.text, block.part.is_main()));
    assert_eq!(
        parts.collect::<Vec<_>>(),
        [
            ("Latest", true),
            ("Fire in the market", true),
            ("Most read", true),
            ("Rain", false),
            ("More tomorrow", true),
            ("Related", true),
            ("Old cinema", false),
            ("Dates", true),
            ("May", true),
        ]
    );
}

#[test]
fn a_page_that_is_called_as_a_box_is_none() {
    for name in ["Recommended products", "Similar items", "Trending"] {
        let extract = html(&format!(
            "<main><div><h1>{name}</h1><ul><li>Kettle, 40 EUR<li>Mug</ul></div></main>"
        ));
        assert!(extract.blocks.iter().all(|block| block.part.is_main()), "{name}");
    }
}

#[test]
fn a_section_of_the_main_content_may_have_the_name_of_a_frame() {
    let text = "We keep what you tell us for thirty days. ".repeat(9);
    let main = |part: &str| around(&format!("<main><h1>Policy</h1><p>{text}</p>{part}</main>"));
    for names in ["id=cookies", "id=newsletter", "id=related-terms", "class=footer-note"] {
        assert_eq!(main(&format!("<section {names}><p>We sell none of it.</section>")), NONE);
    }
    for names in ["id=sidebar", "id=cookie-banner", "class=related", "class='share-box x'"] {
        assert_eq!(main(&format!("<div {names}><p>Tell others</div>")), ["F: Tell others"]);
    }
    let headed = "<section class=cookies><div><h2>Cookies</h2></div><p>We set two.</section>";
    assert_eq!(main(headed), NONE);
    let listed = "<section class=related><h2>Also</h2><a href=/a>Cookies of others</a></section>";
    assert_eq!(main(listed), ["F: Also", "F: Cookies of others"]);
    let asks = "<div class=newsletter><h3>Letter</h3><p>Each week<button>Go</button></div>";
    assert_eq!(main(asks), ["F: Letter", "F: Each week", "F: Go"]);
    assert_eq!(around(&format!("<div class=share-price>12 EUR</div><p>{text}")), NONE);
    let tab = format!("<p>{text}<div class=tab-pane id=nav-shipping>Ships today</div>");
    assert_eq!(around(&tab), NONE);
    assert_eq!(around(&tab.replace("class=tab-pane", "role=tabpanel")), NONE);
}

#[test]
fn an_aside_of_the_main_content_is_content_unless_it_is_a_list_or_says_so() {
    let text = "A kettle of steel with a long spout. ".repeat(9);
    let main = |aside: &str| around(&format!("<main><h1>Kettle</h1><p>{text}</p>{aside}</main>"));
    assert_eq!(main("<aside class=buybox><p>49 EUR<p>In stock</aside>"), NONE);
    assert_eq!(main("<aside aria-label=Caution><p>Do not heat it empty.</aside>"), NONE);
    assert_eq!(main("<aside><p>Do not heat it empty.</aside>"), NONE);
    let others = "<p>See <a href=/a>pots</a><p><a href=/b>Pans</a>";
    assert_eq!(main(&format!("<aside>{others}</aside>")), ["F: See pots", "F: Pans"]);
    for names in ["class=sidebar", "aria-label='Related articles'", "class=inline-promo"] {
        assert_eq!(main(&format!("<aside {names}><p>Pots, too</aside>")), ["F: Pots, too"]);
    }
    let page = |aside: &str| around(&format!("<h1>Kettle</h1><p>{text}</p>{aside}"));
    assert_eq!(page("<aside><p>Pots, too</aside>"), ["F: Pots, too"]);
    assert_eq!(page("<aside class=buybox><p>49 EUR</aside>"), NONE);
    assert_eq!(page("<aside role=note><p>Do not heat it empty.</aside>"), NONE);
    let beside = format!("<main><p>{text}</main><aside><p>Pots, too</aside>");
    assert_eq!(around(&beside), ["F: Pots, too"]);
}
