//! What keeps one hostile page from costing more than a page.

/// Bounds of one extract. Lists beyond them are cut in document order; a body beyond
/// `body_bytes_max` is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a body, decompressed. Default 8 MiB.
    pub body_bytes_max: usize,
    /// Elements nested in each other; deeper HTML elements are left out and their text is kept,
    /// deeper XML is refused. Default 512, as in browsers.
    pub depth_max: u32,
    /// Nodes of an HTML document, and eight for each of its tags; what comes after is left out.
    /// Default 500,000 (150 MB).
    pub nodes_max: u32,
    /// Bytes of the markup in one entry of a feed; of longer markup the start is read.
    /// Default 512 KiB.
    pub embedded_bytes_max: usize,
    /// Steps of the HTML parser: for each tag and text as many as its place is deep, and as often
    /// again as it makes nodes. What comes after is left out. Default 200,000,000: a page of half
    /// a million nodes a hundred deep takes 125,000,000.
    pub steps_max: u64,
    /// Attributes of one tag; further ones are left out of HTML, and XML with more is refused.
    /// Default 1,000.
    pub attributes_max: usize,
    /// Blocks of text. Default 50,000.
    pub blocks_max: usize,
    /// Links, and as many images. Default 20,000.
    pub links_max: usize,
    /// Bytes of all blocks, link texts and alternative texts together. Default 4 MiB.
    pub text_bytes_max: usize,
    /// Bytes of one URL; of a longer one the start and a hash of the whole are kept.
    /// Default 4,096.
    pub url_bytes_max: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body_bytes_max: 8 << 20,
            depth_max: 512,
            nodes_max: 500_000,
            embedded_bytes_max: 512 << 10,
            steps_max: 200_000_000,
            attributes_max: 1_000,
            blocks_max: 50_000,
            links_max: 20_000,
            text_bytes_max: 4 << 20,
            url_bytes_max: 4_096,
        }
    }
}
