//! `serve --demo`.

use crate::cli::{Common, Serve};
use anyhow::{Result, bail};

pub async fn run(_: &Serve, _: &Common) -> Result<()> {
    bail!("the demo is not built yet; use `tidings serve`")
}
