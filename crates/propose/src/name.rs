//! Names for sentinels, out of titles and addresses.

/// Words of a title that a name has.
const WORDS_MAX: usize = 4;
/// Characters of a name, its ending aside.
const CHARS_MAX: usize = 40;

/// A name as the language writes it without backticks: the first words of the title, or of the
/// address where there is none, and `ending`. It has a hyphen, so it is no keyword.
pub fn name_of(title: &str, url: &str, ending: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let stem = [own_part(title), host].into_iter().map(slug).find(|slug| !slug.is_empty());
    let stem = stem.unwrap_or_else(|| "page".to_owned());
    // A name begins with a letter.
    let stem = if stem.starts_with(|c: char| c.is_ascii_alphabetic()) {
        stem
    } else {
        format!("page-{stem}")
    };
    format!("{stem}-{ending}")
}

/// A title without the site's name behind a dash or a bar: what stands before it, if that is more
/// than a word.
fn own_part(title: &str) -> &str {
    let ends = [" – ", " — ", " - ", " | ", " · "].into_iter().filter_map(|sign| title.find(sign));
    let part = ends.min().map_or(title, |end| &title[..end]);
    if part.split_whitespace().count() > 1 { part } else { title }
}

fn slug(text: &str) -> String {
    let letters = |c: char| c.is_ascii_alphanumeric();
    let words = text.split(|c: char| !letters(c)).filter(|word| !word.is_empty());
    let mut slug = String::new();
    for word in words.take(WORDS_MAX) {
        if !slug.is_empty() && slug.len() + word.len() >= CHARS_MAX {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.extend(word.chars().take(CHARS_MAX).map(|c| c.to_ascii_lowercase()));
    }
    slug
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn a_name_comes_of_the_title_or_else_of_the_address() {
        let url = "https://www.shop.example/kettle?id=7";
        assert_eq!(name_of("Acme kettle – 49.90 EUR", url, "price"), "acme-kettle-price");
        assert_eq!(name_of("Forge - a project", url, "page"), "forge-a-project-page");
        assert_eq!(name_of("", url, "page"), "shop-example-page");
        assert_eq!(name_of("2027 in review", url, "page"), "page-2027-in-review-page");
        assert_eq!(name_of("日本語", "日本", "page"), "page-page");
    }
}
