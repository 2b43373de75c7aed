//! Tidings: the binary. Configuration, wiring, command line; the only reader of clock, entropy and
//! environment.

mod book;
mod channels;
mod cli;
mod client;
mod clock;
mod commands;
mod datadir;
mod demo;
mod descriptors;
mod doubt;
mod engine;
mod launch;
mod looker;
mod lsp;
mod memory;
mod metrics;
mod newest;
mod past;
mod pdf;
mod readers;
mod replay;
mod roster;
mod runtime;
mod selftest;
mod serve;
mod settings;
mod sights;
mod upgrade;
mod vault;
mod watch;
mod worker;

use anyhow::Result;
use clap::{CommandFactory, Parser};
use cli::{Cli, Command};
use client::Api;
use commands::Exit;
use std::ffi::OsString;
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

/// Reading a page makes and drops thousands of small things, on whichever thread is free.
#[cfg(all(feature = "jemalloc", target_os = "linux", target_arch = "x86_64"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    end_quietly_with_the_reader();
    fetch::install_tls_provider();
    let cli = Cli::parse_from(meant(std::env::args_os().collect()));
    start_log(&cli);
    commands::settle_zone(&cli.common);
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error.into()),
    };
    match runtime.block_on(run(&cli)) {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(error) => failed(&error),
    }
}

/// The words of the command line; `help lst` as `lst`, which is answered with the nearest command.
fn meant(mut words: Vec<OsString>) -> Vec<OsString> {
    let asked = words.get(2).and_then(|word| word.to_str());
    let is_help = words.get(1).is_some_and(|word| word == "help");
    let is_known = |word: &str| word == "help" || Cli::command().find_subcommand(word).is_some();
    if is_help && asked.is_some_and(|word| !word.starts_with('-') && !is_known(word)) {
        words.remove(1);
    }
    words
}

/// Ends without a panic where the reader of standard output has had enough (`tidings list | head`).
fn end_quietly_with_the_reader() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let said = panic.payload_as_str().unwrap_or_default();
        if said.starts_with("failed printing to stdout") && said.contains("Broken pipe") {
            datadir::remove_copies();
            std::process::exit(Exit::Failed as i32);
        }
        usual(panic);
    }));
}

async fn run(cli: &Cli) -> Result<Exit> {
    let common = &cli.common;
    match &cli.command {
        Command::Serve(serve) => serve::run(serve, common).await.map(|()| Exit::Done),
        Command::Watch(watch) => watch::run(watch, common).await.map(|()| Exit::Done),
        Command::Check { verbose, files } => commands::check(common, files, *verbose),
        Command::Explain { replay, file } => commands::explain(common, file, *replay).await,
        Command::Fmt { check, files } => commands::fmt(common, files, *check),
        Command::Config { sample } => commands::config(common, *sample),
        Command::Replay(replay) => replay::run(replay, common),
        Command::Open { print } => commands::open(common, *print).await,
        Command::Backup { file } => commands::backup(common, file),
        Command::Repair => commands::repair(common),
        Command::Completions { shell } => commands::completions(*shell),
        Command::Man { folder } => commands::man(folder),
        Command::Lsp => lsp::run(common),
        Command::Selftest { jsonl: _ } => selftest::run(),
        #[cfg(feature = "lab")]
        Command::Lab(lab) => {
            lab::run(lab, &mut std::io::stdout().lock())?;
            Ok(Exit::Done)
        }
        asking => {
            // These may be the first command of all; the others need something to ask.
            let first =
                matches!(asking, Command::Apply { .. } | Command::Add { .. } | Command::Import(_));
            if !first {
                client::expect_data(common)?;
            }
            let api = Api::open(common).await?;
            api.say_who_looks();
            let exit = ask(asking, common, &api).await;
            // Why the engine ended says more than that it did not answer.
            api.close().await.and(exit)
        }
    }
}

/// The commands that need the owner of the data directory.
async fn ask(command: &Command, common: &cli::Common, api: &Api) -> Result<Exit> {
    match command {
        Command::Apply { files } => commands::apply(common, api, files).await,
        Command::Add { url, take, again } => {
            let taking = commands::Taking { number: *take, again: *again };
            commands::add(common, api, url, taking).await
        }
        Command::List { tag } => commands::list(common, api, tag.as_deref()).await,
        Command::Show { name } => commands::show(common, api, name).await,
        Command::Export { opml: true, .. } => commands::opml(common, api).await,
        Command::Export { with_secrets, .. } => commands::export(common, api, *with_secrets).await,
        Command::Import(import) => commands::import(common, api, import).await,
        Command::Enable { name } => commands::enable(common, api, name).await,
        Command::Disable { name } => commands::disable(common, api, name).await,
        Command::Remove { name } => commands::remove(common, api, name).await,
        Command::Raise { name, key } => commands::raise(common, api, name, key.as_deref()).await,
        Command::Snooze { name, until } => commands::snooze(common, api, name, until).await,
        Command::Look { name } => commands::look(common, api, name).await,
        Command::Wake { name } => commands::wake(common, api, name).await,
        Command::Rename { name, to } => commands::rename(common, api, name, to).await,
        Command::History { url } => commands::history(common, api, url).await,
        Command::Diff { url, from, to } => commands::diff(common, api, url, *from, *to).await,
        Command::Token(token) => commands::token(common, api, token).await,
        Command::Feed(feed) => commands::feed(common, api, feed).await,
        Command::Sessions(sessions) => commands::sessions(common, api, sessions).await,
        Command::Why { sentinel, at } => commands::why(common, api, sentinel, at).await,
        Command::Plan(plan) => commands::plan(common, api, plan).await,
        _ => unreachable!("handled before the API was opened"),
    }
}

/// Structured lines on standard error; `TIDINGS_LOG` filters them as `info,fetch=debug`.
fn start_log(cli: &Cli) {
    let quiet = !matches!(&cli.command, Command::Serve(serve) if !serve.demo);
    let usual = if quiet { "warn" } else { "info" };
    let filter = EnvFilter::try_from_env("TIDINGS_LOG").unwrap_or_else(|_| EnvFilter::new(usual));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let json = commands::settings(&cli.common, &[]).is_ok_and(|s| s.log_format == "json");
    if json {
        log.json().init();
    } else {
        let terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
        log.with_ansi(terminal && std::env::var_os("NO_COLOR").is_none()).with_target(false).init();
    }
}

fn failed(error: &anyhow::Error) -> ExitCode {
    // What an error repeats may come from outside; it is not to command the terminal.
    let text: String =
        format!("{error:#}").chars().filter(|c| *c == '\n' || !c.is_control()).collect();
    eprintln!("tidings: {text}");
    ExitCode::from(1)
}
