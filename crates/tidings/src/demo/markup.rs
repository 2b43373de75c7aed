//! The pages' frames, with the noise that frames have.

use super::sites::SITES;
use super::world::{DemoWeb, Moment};

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 Georgia,serif;max-width:46rem;margin:2rem auto;padding:0 1rem}\
h1{margin:0}header p{margin:.2rem 0 1.5rem;opacity:.7}\
aside,footer{border-top:1px solid #8886;margin-top:1.5rem;padding-top:.5rem;opacity:.75;font-size:.9em}\
li{margin:.4rem 0}img{width:3rem;height:3rem;vertical-align:middle;margin-right:.6rem;border-radius:.4rem}\
td{padding:.2rem .8rem .2rem 0}";

/// A whole page: a title, a line below it, and the body. Class names, the build number and the
/// hidden token are new at every look, as frameworks make them.
pub fn page(moment: &Moment<'_>, below: &str, body: &str) -> String {
    let mut noise = moment.noise("frame");
    let (build, class, token) = (noise.hex(), noise.hex(), noise.hex());
    let title = moment.site.title;
    format!(
        "<!doctype html>\n<html lang=\"en\" data-build=\"{build}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <meta name=\"csrf-token\" content=\"{token}\"><style>{STYLE}</style></head>\n\
         <body class=\"page-{class}\"><header class=\"h-{class}\"><h1>{title}</h1><p>{below}</p></header>\n\
         <form action=\"/search?token={token}\"><input type=\"hidden\" name=\"csrf\" value=\"{token}\"></form>\n\
         <main class=\"m-{class}\">\n{body}\n</main></body></html>\n",
    )
}

/// A box of the page that says something else every time.
pub fn sponsor(moment: &Moment<'_>) -> String {
    let mut noise = moment.noise("sponsor");
    let (name, line) =
        *SPONSORS.get(noise.below(SPONSORS.len() as u64) as usize).expect("below their number");
    let click = noise.hex();
    format!(
        "<aside class=\"box-{click}\"><img src=\"/sponsors/{slug}.svg?c={click}\" alt=\"{name}\">\
         <a href=\"/click/{click}\">{name}</a>: {line}</aside>",
        slug = slug(name),
    )
}

const SPONSORS: [(&str, &str); 6] = [
    ("Pell Umbrellas", "rain is only water."),
    ("Quiet Clocks", "they tick when you ask them to."),
    ("Osier Baskets", "woven on the other side of the river."),
    ("Lantern Insurance", "for boats, bicycles and second thoughts."),
    ("The Blue Door Bookshop", "open until the last reader leaves."),
    ("Anker and Daughters", "rope since 1871."),
];

/// `The night ferry is back` as `the-night-ferry-is-back`.
pub fn slug(text: &str) -> String {
    let letters = text
        .chars()
        .filter(|c| *c != '\'')
        .map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' });
    let plain: String = letters.collect::<String>().to_ascii_lowercase();
    plain.split_whitespace().collect::<Vec<_>>().join("-")
}

/// What stands behind a link: a page with the link's own title, and the way back.
pub fn leaf_page(moment: &Moment<'_>, path: &str) -> String {
    let last = path.rsplit('/').find(|part| !part.is_empty()).unwrap_or("page");
    let words: Vec<&str> = last.split('-').filter(|word| word.parse::<u64>().is_err()).collect();
    let mut title = words.join(" ").replace(|c: char| !c.is_ascii_alphanumeric() && c != ' ', "");
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let home = moment.site.path;
    let body = format!(
        "<h2>{title}</h2><p>The demo wrote only the title of this page; the rest is yours to \
         imagine.</p><p><a href=\"{home}\">Back to {}</a></p>",
        moment.site.title
    );
    page(moment, moment.site.about, &body)
}

/// Every site of the demo, for those who open `http://localhost:PORT/`.
pub fn directory(world: &DemoWeb) -> String {
    let rows: Vec<String> = SITES
        .iter()
        .map(|site| {
            let url = world.url(site);
            format!("<li><a href=\"{url}\">{}</a>: {}</li>", site.title, site.about)
        })
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>The demo's web</title>\
         <style>{STYLE}</style></head><body><header><h1>The demo's web</h1>\
         <p>Small sites that change while you watch. Open one, wait, reload.</p></header>\
         <ul>{}</ul></body></html>\n",
        rows.join("\n")
    )
}

/// A picture in the colours of its name.
pub fn picture(path: &str) -> String {
    let hue = path.bytes().fold(7u32, |sum, byte| sum.wrapping_mul(31) + u32::from(byte)) % 360;
    let other = (hue + 140) % 360;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 48 48\">\
         <rect width=\"48\" height=\"48\" fill=\"hsl({hue} 45% 72%)\"/>\
         <circle cx=\"24\" cy=\"27\" r=\"13\" fill=\"hsl({other} 40% 45%)\"/></svg>\n"
    )
}
