//! What a file may cost.

/// Bytes of a file.
pub const FILE_BYTES_MAX: usize = 64 << 20;

/// Bytes of one file in an archive that is read, and of all of them.
pub const MEMBER_BYTES_MAX: u64 = 16 << 20;
pub const MEMBERS_BYTES_MAX: u64 = 256 << 20;

/// Files in an archive.
pub const MEMBERS_MAX: usize = 200_000;

/// Entries of a file.
pub const ENTRIES_MAX: usize = 100_000;

/// Values of a YAML file, those within others counted too: a job has about ten.
pub const YAML_NODES_MAX: usize = 20 * ENTRIES_MAX;

/// Nested outlines of OPML.
pub const OUTLINES_DEPTH_MAX: usize = 64;

/// Characters of a sentinel's name, as the language has it.
pub const NAME_CHARS_MAX: usize = 100;
