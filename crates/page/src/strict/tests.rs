use super::*;

fn why_not(text: impl AsRef<[u8]>) -> String {
    let checked = well_formed(text.as_ref(), XmlNames::InNamespaces, &Limits::default());
    checked.map_or_else(|error| error.to_string(), |()| String::new())
}

#[test]
fn what_xml_allows_is_well_formed() {
    let right = [
        "<a/>",
        "\u{feff}<?xml version='1.0' encoding='UTF-8' standalone='no' ?>\n<a/><!-- b --><?c?>",
        "<a xml:lang='de'>1 &lt; &#x32; <![CDATA[ < & ]]><?b c?></a >",
        "<!DOCTYPE a SYSTEM 'a.dtd'><a>&declared-elsewhere;</a>",
        "<!DOCTYPE a [<!ENTITY b '<c>&#38;d;</c>'><!ENTITY d 'x'>]><a d='&d;'>&b;&b;</a>",
        "<!DOCTYPE a [<!ENTITY % b '<!ELEMENT a ANY>'>%b;<!NOTATION n PUBLIC 'p'>]><a/>",
        "<!DOCTYPE a [<!ELEMENT a (b, (c | d+)*, e?)?><!ELEMENT b (#PCDATA | c)*>]><a/>",
        "<!DOCTYPE a [<!ATTLIST a b CDATA #FIXED 'c' d (e|1) #IMPLIED\n f NOTATION (g) 'g'>]><a/>",
        "<a xmlns='u' xmlns:p='v' b='' p:b=''><p:c xmlns=''/></a>",
    ];
    for text in right {
        assert_eq!(why_not(text), "", "{text}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let wrong = [
        ("", "line 1: `<` is missing"),
        ("<a>\n</b>", "line 2: </b> closes an element that is not open"),
        ("<a><b/>", "<a> is not closed"),
        ("<a/>x", "content behind the root element"),
        ("<a>\u{1}</a>", "a character that XML does not allow"),
        ("<a b='1' b='2'/>", "two attributes `b`"),
        ("<a b='1'c='2'/>", "no space before an attribute"),
        ("<a b='<'/>", "`<` in an attribute"),
        ("<a b=1/>", "`\"` is missing"),
        ("<a>]]></a>", "`]]>` in text"),
        ("<a>&b;</a>", "&b; is not declared"),
        ("<a>&b</a>", "`;` is missing"),
        ("<a>&#0;</a>", "no character of XML"),
        ("<!-- a -- b --><a/>", "`>` is missing"),
        (" <?xml version='1.0'?><a/>", "not at the start"),
        ("<?xml encoding='UTF-8'?><a/>", "names no version"),
        ("<p:a/>", "the prefix of `p:a` is not declared"),
        (
            "<!DOCTYPE a [<!ENTITY b 'c'>]><a><d xmlns:p='u'>&b;</d><p:e/></a>",
            "the prefix of `p:e` is not declared",
        ),
        ("<a xmlns:p=''/>", "may not be declared as ``"),
        ("<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>", "two attributes `b` of one name space"),
        ("<?b:c?><a/>", "a colon in the name `b:c`"),
        ("<!DOCTYPE a [<!ELEMENT a (b | c, d)>]><a/>", "in one pair of brackets"),
        ("<!DOCTYPE a [<!ATTLIST a b (c|)>]><a/>", "a name is missing"),
        ("<!DOCTYPE a [<!ENTITY % b 'c'><!ENTITY d '%b;'>]><a/>", "`%` in an entity"),
        ("<!DOCTYPE a [<!ENTITY b SYSTEM 'c' NDATA d>]><a>&b;</a>", "&b; is no text"),
        ("<!DOCTYPE a [<!ENTITY b SYSTEM 'c'>]><a d='&b;'/>", "in a file of its own"),
        ("<!DOCTYPE a [<!ENTITY b '<c>'>]><a>&b;</c></a>", "<c> is not closed, in the entity"),
        ("<!DOCTYPE a [<!ENTITY b '&c;'><!ENTITY c '&b;'>]><a>&b;</a>", "holds itself"),
        ("<!DOCTYPE a [<!ENTITY b '&#60;'>]><a c='&b;'/>", "`<` in an attribute"),
    ];
    for (text, reason) in wrong {
        let said = why_not(text);
        assert!(said.contains(reason), "{text}: {said:?}, and not {reason:?}");
    }
}

#[test]
fn bytes_are_text_in_the_encoding_that_they_declare() {
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    assert_eq!(why_not(utf16("<?xml version='1.0' encoding='utf-16'?><a/>")), "");
    assert_eq!(why_not(utf16("\u{feff}<a/>")), "");
    assert_eq!(why_not(b"<?xml version='1.0' encoding='iso-8859-1'?><a>\xe9</a>"), "");
    assert!(why_not(b"<a>\xe9</a>").contains("bytes that are no UTF-8"));
    let wrong = why_not(b"<?xml version='1.0' encoding='utf-16'?><a/>");
    assert!(wrong.contains("not in the encoding `utf-16`"), "{wrong}");
}

#[test]
fn a_colon_is_a_sign_like_others_without_name_spaces() {
    let limits = Limits::default();
    assert!(well_formed(b"<p:a q:b=''/>", XmlNames::Plain, &limits).is_ok());
    assert!(well_formed(b"<p:a q:b=''/>", XmlNames::InNamespaces, &limits).is_err());
}

/// Each of the entities holds the one before ten times: expanded, there would be 10^30 of them.
#[test]
fn an_entity_is_looked_through_once_however_often_it_is_used() {
    let bomb = |count: usize| {
        let entities: String = (1..count)
            .map(|n| format!("<!ENTITY e{n} '{}'>", format!("&e{};", n - 1).repeat(10)))
            .collect();
        format!("<!DOCTYPE a [<!ENTITY e0 'x'>{entities}]><a>&e{};</a>", count - 1)
    };
    assert_eq!(why_not(bomb(30)), "");
    assert!(why_not(bomb(50)).contains("more than 40 entities inside each other"));
}

#[test]
fn depth_is_bounded_by_the_text_alone() {
    let deep = |tags: usize| format!("{}{}", "<a>".repeat(tags), "</a>".repeat(tags));
    assert_eq!(why_not(deep(200_000)), "");
    let brackets = "(".repeat(100_000);
    let wrong = why_not(format!("<!DOCTYPE a [<!ELEMENT a {brackets}>]><a/>"));
    assert!(wrong.contains("a name is missing"), "{wrong}");
}
