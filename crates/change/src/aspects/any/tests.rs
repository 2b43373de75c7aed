use super::told::{page_of, told};

#[test]
fn in_scripts_without_blanks_texts_are_alike_by_their_signs() {
    let page = |guests: u32, said: &str| {
        let texts = [said, &format!("本日の来館者は{guests}人でした")];
        format!("<h1>お知らせ</h1>{}", page_of("p", &texts))
    };
    let one = "ワークショップの参加者を募集しています";
    let edit = "本日の来館者は130人でした -> 本日の来館者は167人でした";
    let other = "年末年始は休館いたします";
    let seen = told(&page(130, one), &page(167, other));
    assert!(seen.contains(&edit.to_owned()), "{seen:?}");
    assert_eq!(seen.len(), 3, "the other is another text: {seen:?}");
}

#[test]
fn numbers_without_a_word_are_edits_in_turn() {
    let page = |prices: &[&str]| format!("<h1>Fares</h1>{}", page_of("div", prices));
    let seen = told(&page(&["12.40", "9.80"]), &page(&["13", "10.19"]));
    assert_eq!(seen, ["12.40 -> 13", "9.80 -> 10.19"]);
}
