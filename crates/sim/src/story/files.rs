//! Where the stories are: files in folders by subject.

use std::io;
use std::path::{Path, PathBuf};

/// Every `.case` file in `folder` and the folders in it, in the order of their paths.
///
/// # Errors
/// A folder cannot be read.
pub fn all(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut waiting, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "case") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
