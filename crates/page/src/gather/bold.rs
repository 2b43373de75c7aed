//! Paragraphs in bold that head what follows them: what editors of pages write where a heading
//! would be.

use crate::Block;

/// Fewer on a page are no headings: a word in bold may be what the page says.
const HEADS_MIN: usize = 3;
/// The size of one, in bytes.
const HEAD_BYTES_MAX: usize = 120;
/// The size of a paragraph that has a heading, at least.
const TEXT_BYTES_MIN: usize = 40;

/// Decides which blocks in bold are headings: at least three of a page, each of them short, without
/// a link, in the main content, and before a list, a paragraph or another of them. O(n).
pub(super) fn settle(blocks: &mut [Block]) {
    let mut heads = 0;
    for at in (0..blocks.len()).rev() {
        let has_text = blocks.get(at + 1).is_some_and(|next| {
            let is_text = next.list > 0 || next.text.len() >= TEXT_BYTES_MIN && next.row.is_none();
            next.part.is_main() && (next.heads || next.heading == 0 && is_text)
        });
        let block = &mut blocks[at];
        block.heads = block.heads && has_text && may_head(block);
        heads += usize::from(block.heads);
    }
    if heads < HEADS_MIN {
        blocks.iter_mut().for_each(|block| block.heads = false);
    }
}

/// Whether a block in bold is a heading by itself: no sentence, no price, no day.
fn may_head(block: &Block) -> bool {
    let is_plain = block.heading == 0 && block.list == 0 && block.row.is_none();
    let is_number = |c: char| c.is_ascii_digit() || "().§".contains(c);
    let name = block.text.trim_start_matches(is_number).trim_start();
    let is_numbered = name.len() < block.text.len();
    let has_words = name.chars().filter(|c| c.is_alphabetic()).nth(2).is_some();
    let ends_sentence = name.ends_with([',', ';', '：', '!', '…', '。'])
        || name.ends_with(['.', ':']) && !is_numbered;
    // A number in a name may be what changes.
    is_plain
        && block.part.is_main()
        && block.links == 0
        && block.images == 0
        && block.text.len() <= HEAD_BYTES_MAX
        && has_words
        && !ends_sentence
        && !name.contains(|c: char| c.is_numeric() || "€$£¥".contains(c))
}
