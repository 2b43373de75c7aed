use crate::{Hints, Limits, read};

fn seen(style: &str, body: &str) -> Vec<String> {
    let url = url::Url::parse("https://a.example/").expect("a URL");
    let hints = Hints { content_type: Some("text/html"), url: &url };
    let page = format!("<style>{style}</style><body>{body}");
    let extract = read(page.as_bytes(), &hints, &Limits::default()).expect("it is a page");
    extract.blocks.into_iter().map(|block| block.text).collect()
}

#[test]
fn what_a_page_hides_by_class_or_id_is_not_seen() {
    let body = "<p class='a b'>one<p id=two>two<div class=c>three</div>";
    assert_eq!(seen("", body), ["one", "two", "three"]);
    assert_eq!(seen("/* .c{} */ .a { display: none }", body), ["two", "three"]);
    assert_eq!(seen("#two, div.c { visibility:hidden !important; }", body), ["one"]);
    assert_eq!(seen("p.c { display:none }", body), ["one", "two", "three"]);
    assert_eq!(seen("@media print { .a, .c { display:none } }", body), ["one", "two", "three"]);
    assert_eq!(seen(".a:not(.x) { display:none } x .c { display: none }", body).len(), 3);
}

#[test]
fn what_another_rule_shows_is_seen() {
    let body = "<p class='a b'>one<p class=a>two";
    assert_eq!(seen(".a{display:none} .a.b{display:block}", body), ["one"]);
    assert_eq!(seen(".a{display:none} .a{display:block}", body), ["one", "two"]);
    assert_eq!(seen(".a{display:none;display:flex}", body), ["one", "two"]);
    assert_eq!(
        seen(".a{display:none} @media (min-width:9px){.a{display:block}}", body),
        ["one", "two"]
    );
    assert_eq!(seen(".a{display:none} .x:hover .a{display:block}", body), ["one", "two"]);
}

#[test]
fn a_rule_within_a_rule_hides_nothing_and_may_show_both() {
    let body = "<div class=card>one<p class=note>two</div>";
    let both = ["one", "two"];
    assert_eq!(seen(".card { .note { color: red; display: none; } }", body), both);
    assert_eq!(seen(".card { color: red; &.shut { color: red; display: none } }", body), both);
    assert_eq!(seen(".card { @media print { a: b; display: none } }", body), both);
    assert_eq!(seen(".card { display: none; .note { color: red } }", body), [""; 0]);
    assert_eq!(seen(".note { display: none } .card { .note { display: block } }", body), both);
    assert_eq!(seen(".note { display: none; &:hover { display: block } }", body), both);
    assert_eq!(seen(".note { color: red; display: none; .x { top: 0 } }", body), ["one"]);
    let deep = format!(".note{{display:none;{}display:block{}", "a{".repeat(30), "}".repeat(31));
    assert_eq!(seen(&deep, body), both);
}

#[test]
fn a_page_with_more_style_than_is_read_hides_nothing() {
    let body = "<p class=a>one<p class=b>two";
    let fonts = "x".repeat(super::BYTES_MAX);
    let page = format!("<style>.a{{display:none}}</style><style>{fonts}</style>{body}");
    assert_eq!(seen("", &page), ["one", "two"]);
    let many = ".c{top:0;display:none}".repeat(super::SELECTORS_MAX);
    assert_eq!(seen(&format!(".a{{display:none}} {many}"), body), ["one", "two"]);
}

#[test]
fn of_two_rules_the_stronger_counts_and_of_equals_the_later() {
    let body = "<p class='hide show'>one<p class=hide id=two>two";
    let both = ["one", "two"];
    assert_eq!(seen(".hide{display:none} .show{display:block}", body), ["one"]);
    assert_eq!(seen(".show{display:block} .hide{display:none}", body), [""; 0]);
    assert_eq!(seen(".hide{display:none} #two{display:block} p{display:block}", body), ["two"]);
    assert_eq!(seen(".hide{display:none!important} .hide.show{display:block}", body), [""; 0]);
    assert_eq!(seen(".hide{display:none} p{display:block ! IMPORTANT}", body), both);
    assert_eq!(seen(".hide{display:none} .show:not(.x){display:block}", body), ["one"]);
    assert_eq!(seen(".hide{display:none} .show::before{display:block}", body), [""; 0]);
    assert_eq!(seen(r".hide{display:none} .sh\6fw{display:block}", body), ["one"]);
    assert_eq!(seen(".hide{display:none} .x .show{display:block}", body), ["one"], "by scripts");
    assert_eq!(
        seen(".show{color:red} .hide::after{content:'}'} .hide{display:none}", body).len(),
        0
    );
    let escaped = r".hide{display:none} @media (min-width:9px){.md\:block{display:block}}";
    assert_eq!(seen(escaped, "<p class='hide md:block'>one"), ["one"]);
    let many: String = (0..super::CLASSES_MAX).map(|n| format!(" c{n}")).collect();
    assert_eq!(seen(".a{display:none}", &format!("<p class='a{many}'>one<p class=a>two")).len(), 1);
}

#[test]
fn what_an_element_says_itself_counts_before_rules() {
    let style = ".a{display:none} .b{display:none!important} .c{visibility:hidden}";
    let body = "<p class=a style='display:block'>one<p class=b style='display:block'>two\
                <p class=b style='display: block !important'>three\
                <p class=c style='visibility:visible'>four<p style='display:none;display:flex'>five";
    assert_eq!(seen(style, body), ["one", "three", "four", "five"]);
    assert_eq!(seen(".a{display:flex}", "<p class=a style='display:none'>one<p>two"), ["two"]);
    assert_eq!(seen(".a{display:flex!important}", "<p class=a style='display:none'>one"), ["one"]);
}

#[test]
fn hidden_is_what_no_rule_shows() {
    let body = "<p class=a hidden>one<p hidden>two<p hidden style='display:block'>three<p>four";
    assert_eq!(seen("", body), ["three", "four"]);
    assert_eq!(seen(".a{display:flex}", body), ["one", "three", "four"]);
    assert_eq!(seen("p{display:block}", body), ["one", "two", "three", "four"]);
    let again = ".a{display:flex} [hidden]{display:none}";
    assert_eq!(seen(again, body), ["three", "four"]);
    assert_eq!(seen("[hidden]{display:none!important} .a{display:flex}", body), ["four"]);
    let framework = "[hidden]:where(:not([hidden=\"until-found\"])){display:none!important}";
    assert_eq!(seen(&format!("{framework} .a{{display:flex}}"), body), ["four"]);
    let doubtful = ".a:hover{display:flex} .x .a{display:flex} @media (hover){.a{display:flex}}";
    assert_eq!(seen(doubtful, body), ["three", "four"]);
}

#[test]
fn what_is_visible_within_what_is_not_is_seen() {
    let body = "<div class=a>one<p class=b>two<p><a href=/x>three</a><p style='visibility:visible'>\
                four <b class=c>five</b></div>six";
    let style = ".a,.c{visibility:hidden} .b{visibility:visible}";
    assert_eq!(seen(style, body), ["two", "four", "six"]);
    assert_eq!(seen(".a{visibility:hidden} .b{visibility:inherit}", body), ["four five", "six"]);
    assert_eq!(seen(".a{visibility:hidden;display:none} .b{visibility:visible}", body), ["six"]);
    let inline = "<div style='visibility:hidden'>one<p style='visibility:visible'>two</div>";
    assert_eq!(seen("", inline), ["two"]);
}

#[test]
fn the_style_of_a_template_is_not_obeyed() {
    let page = "<template><style>.a{display:none}</style></template><p class=a>one";
    assert_eq!(seen("", page), ["one"]);
    assert_eq!(seen("", "<style type=text/x>.a{display:none}</style><p class=a>one"), ["one"]);
}

#[test]
fn a_style_for_other_media_does_not_count() {
    let body = "<p class=a>one<p>two";
    for hides in [
        "@media screen{.a{display:none}}",
        "@media (min-width:768px){.a{display:none}}",
        "@media all{@media screen and (min-width:20em){.a{display:none}}}",
        ".a{display:none} @media (max-width:600px){.a{display:block}}",
        ".a{display:none} @media print{.a{display:block!important}}",
        ".a{display:none; @media print {display:block}}",
        "@layer x{.a{display:none}}",
        "@supports (display:grid){.a{display:none}}",
        "@layer b,c; @layer c{.a{display:none}} @layer b{.a.a{display:block}}",
        "@keyframes k{from{visibility:visible}} <!-- .a{display:none} -->",
    ] {
        assert_eq!(seen(hides, body), ["two"], "{hides}");
    }
    for shows in [
        "@media (min-width:1200px){.a{display:none}}",
        "@media (max-width:1400px){.a{display:none}}",
        "@media not all{.a{display:none}}",
        ".a{display:none} @media (min-width:1200px){.a{display:block}}",
        "@supports not (display:grid){.a{display:none}}",
        "@container (min-width:9px){.a{display:none}}",
        "@layer x{p.a{display:none}} .a{display:block}",
        "@layer x{.a{display:none}} @layer y{p{display:block}}",
        "@layer x{@layer y{p.a{display:none}}}",
        "@layer x{.a{display:block!important}} .a{display:none!important}",
        ".a,.b..c{display:none}",
        ".a,input:-ms-x{display:none}",
    ] {
        assert_eq!(seen(shows, body), ["one", "two"], "{shows}");
    }
    let styled = |media: &str| {
        seen("", &format!("<style media='{media}'>.a{{display:none}}</style>{body}")).len()
    };
    assert_eq!(["screen", "all", "print", "(min-width:1500px)"].map(styled), [1, 1, 2, 2]);
    let deep = format!(".a{{display:none}} {}.a{{display:block}}", "@media all{".repeat(30));
    assert_eq!(seen(&deep, body), ["one", "two"]);
}

#[test]
fn elements_and_what_stands_in_others_are_hidden() {
    let body = "<main><p class=x>one<div><p class=x>two</div></main><p class=x>three";
    assert_eq!(seen("p{display:none}", "<p>one<div>two</div>"), ["two"]);
    assert_eq!(seen("main .x{display:none}", body), ["three"]);
    assert_eq!(seen("main > .x{display:none}", body), ["two", "three"]);
    assert_eq!(seen("body>main div>p.x{display:none}", body), ["one", "three"]);
    assert_eq!(seen("main.x .x, aside .x, main + .x, main>>.x{display:none}", body).len(), 3);
    assert_eq!(seen("main .x{display:none} .x{display:block}", body), ["three"]);
    assert_eq!(
        seen(".x{display:none} main .x{display:block} div p.x{display:none}", body),
        ["one", "three"]
    );
    // Scripts take these away.
    let none = "body{display:none!important} html{visibility:hidden} .no-js .x{display:none}";
    let page = format!("<html class=no-js>{body}");
    assert_eq!(seen(none, &page).len(), 3);
}

#[test]
fn a_drawing_hides_by_attributes_too() {
    let body = "<svg><text display=none>one</text><g visibility=hidden><text>two</text>\
                <text visibility=visible>three</text></g><text class=a display=none>four</text></svg>\
                <p display=none>five";
    assert_eq!(seen("", body), ["three", "five"]);
    assert_eq!(seen(".a{display:inline}", body), ["three", "four", "five"]);
}

#[test]
fn rules_that_take_long_to_try_hide_nothing_in_the_end() {
    let rules = ".y .x .x .a{display:none}".repeat(super::SELECTORS_MAX / 2);
    let deep = format!("{}<p class=a>one{}", "<div class=x>".repeat(400), "</div>".repeat(400));
    let page = format!("<p class=b>zero{}<p class=b>two", deep.repeat(20));
    let seen = seen(&format!(".b{{display:none}} {rules}"), &page);
    assert_eq!((seen.len(), &*seen[20]), (21, "two"));
}
