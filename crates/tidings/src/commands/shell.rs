//! `completions`, `man`: what shells and readers of manuals are given, from the declaration of the
//! command line.

use super::Exit;
use crate::cli::Cli;
use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;
use std::path::Path;

/// `tidings completions SHELL`
pub fn completions(shell: Shell) -> Result<Exit> {
    let mut written = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "tidings", &mut written);
    print!("{}", String::from_utf8_lossy(&written));
    Ok(Exit::Done)
}

/// `tidings man FOLDER`
pub fn man(folder: &Path) -> Result<Exit> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    clap_mangen::generate_to(Cli::command(), folder)
        .with_context(|| format!("cannot write manual pages into {}", folder.display()))?;
    Ok(Exit::Done)
}
