//! Development commands: `cargo xtask test`, `tidy`, `bench`, `signal`, `sim`, `fuzz`, `mutants`,
//! `deny`, `dist`, `case`, `new-case`.

mod debian;
mod deny;
mod dist;
mod mutants;
mod packages;
mod tidy;

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode};

/// Seeds of random worlds that the test command runs.
const SEEDS: &str = "0..500";
/// Where histories of real pages may be.
const HISTORIES: &str = "../shared/data/histories";

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Development commands of Tidings")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run every test; installs what they need on Debian (as root)
    Test,
    /// Check what no compiler checks: architecture, purity, licences, style
    Tidy,
    /// Measure, each figure beside a baseline of the same run
    Bench {
        /// Only benchmarks whose name holds this
        filter: Option<String>,
    },
    /// Replay labelled histories of pages: what is told of changes that readers want, and of noise
    Signal {
        /// Say of each look what was told
        #[arg(long)]
        list: bool,
        /// Say what a lower bar would tell, and what a higher one would miss
        #[arg(long)]
        curve: bool,
        /// More histories, by kind: `html/*.tar.zst`, `xml`, `json`
        folder: Option<PathBuf>,
    },
    /// Run random worlds: `cargo xtask sim 0..10000`
    Sim { seeds: String },
    /// Coverage-guided fuzzing of one target, on the nightly toolchain with cargo-fuzz
    Fuzz {
        target: String,
        #[arg(default_value_t = 60)]
        seconds: u32,
    },
    /// Change the pure crates a little, one change at a time, and say which no test notices
    Mutants {
        /// Pure crates; all of them, if none is named
        crates: Vec<String>,
        /// Only one part of n: `3/20`
        #[arg(long, value_name = "K/N")]
        shard: Option<String>,
        /// Only functions whose name matches
        #[arg(long, value_name = "REGEX")]
        function: Option<String>,
    },
    /// Check licences, bans and advisories of all dependencies with cargo-deny, where it is there
    Deny,
    /// Make what people install: an archive, a Debian package, an OCI image, in `target/packages`
    Dist {
        /// Pack this binary, instead of one that is built
        #[arg(long, value_name = "FILE")]
        binary: Option<PathBuf>,
    },
    /// Play one story of `cases/` and print its trace with what each line means
    Case { name: String },
    /// Start a new story: `cargo xtask new-case looks/a-look-that-is-late`
    NewCase { name: String },
}

fn main() -> ExitCode {
    match run(&Cli::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: &Task) -> Result<()> {
    let root = root();
    match task {
        Task::Test => test(&root),
        Task::Tidy => tidy::run(&root),
        Task::Bench { filter } => bench(&root, filter.as_deref()),
        Task::Signal { list, curve, folder } => signal(&root, [*list, *curve], folder.as_deref()),
        Task::Sim { seeds } => sim(&root, seeds),
        Task::Fuzz { target, seconds } => fuzz(&root, target, *seconds),
        Task::Mutants { crates, shard, function } => {
            mutants::run(&root, crates, shard.as_deref(), function.as_deref())
        }
        Task::Deny => deny::run(&root),
        Task::Dist { binary } => dist::run(&root, binary.as_deref()),
        Task::Case { name } => {
            cargo(&root, &["run", "-q", "--locked", "-p", "sim", "--bin", "case", "--", name])
        }
        Task::NewCase { name } => new_case(&root, name),
    }
}

/// The workspace's root.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("crates/xtask is two folders down").to_owned()
}

fn test(root: &Path) -> Result<()> {
    debian::provide()?;
    let tests = ["test", "--workspace", "--locked", "--features", "tidings/lab"];
    cargo(root, &[&tests[..], &["--no-run"]].concat())?;
    // Many tests wait for a socket or a browser: the worlds take what they leave.
    let mut worlds = Worlds::begin(root)?;
    cargo(root, &tests)?;
    worlds.end()
}

/// The arguments for cargo that run worlds of these seeds.
fn worlds(seeds: &str) -> [&str; 10] {
    ["run", "--profile=worlds", "--locked", "-p", "sim", "--bin", "sim", "--", "--seeds", seeds]
}

fn sim(root: &Path, seeds: &str) -> Result<()> {
    cargo(root, &worlds(seeds))
}

/// Random worlds that run beside tests, and say nothing until they are over.
struct Worlds {
    process: Child,
    said: PathBuf,
}

impl Worlds {
    fn begin(root: &Path) -> Result<Worlds> {
        std::fs::create_dir_all(root.join("target"))?;
        let said = root.join("target/worlds.log");
        let log = File::create(&said).with_context(|| said.display().to_string())?;
        let mut command = command(root, &worlds(SEEDS));
        if cfg!(unix) {
            let program = command.get_program().to_owned();
            command = Command::new("nice");
            command.arg("-n10").arg(program).args(worlds(SEEDS)).current_dir(root);
        }
        command.stdout(log.try_clone()?).stderr(log);
        let process = command.spawn().with_context(|| format!("{:?}", command.get_program()))?;
        Ok(Worlds { process, said })
    }

    fn end(&mut self) -> Result<()> {
        let status = self.process.wait()?;
        eprintln!("$ cargo {}", worlds(SEEDS).join(" "));
        eprint!("{}", std::fs::read_to_string(&self.said)?);
        if !status.success() {
            bail!(
                "random worlds failed; what they say stands above, and in {}",
                self.said.display()
            );
        }
        Ok(())
    }
}

impl Drop for Worlds {
    /// Where a test failed, they are of no use.
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn bench(root: &Path, filter: Option<&str>) -> Result<()> {
    // Only these run the server.
    if filter
        .is_none_or(|filter| ["memory", "probe", "peers"].iter().any(|name| name.contains(filter)))
    {
        let shipped = ["--profile=dist", "--locked", "-p", "tidings", "--features=jemalloc"];
        cargo(root, &[&["build"][..], &shipped].concat())?;
    }
    let mut args = vec!["run", "--profile=dist", "--locked", "-p", "bench", "--"];
    args.extend(filter);
    let histories = std::path::absolute(root.join(HISTORIES))?;
    let mut command = command(root, &args);
    if histories.is_dir() {
        command.env("BENCH_HISTORIES", histories);
    }
    finish(command, &args)
}

fn signal(root: &Path, [list, curve]: [bool; 2], folder: Option<&Path>) -> Result<()> {
    let beside = root.join(HISTORIES);
    let folder = std::path::absolute(folder.unwrap_or(&beside))?;
    let folder = folder.to_string_lossy();
    let mut args = vec!["run", "-q", "--locked", "-p", "change", "--example", "signal", "--"];
    args.push(&folder);
    let python = std::env::var("PYTHON").map(|program| format!("--python={program}"));
    args.extend(python.as_deref());
    if list {
        args.push("--list");
    }
    if curve {
        args.push("--curve");
    }
    cargo(root, &args)
}

fn fuzz(root: &Path, target: &str, seconds: u32) -> Result<()> {
    let limit = format!("-max_total_time={seconds}");
    let fuzz = root.join("fuzz");
    // What is found goes into the first folder; the others are only read.
    let (corpus, seeds) = (format!("corpus/{target}"), format!("seeds/{target}"));
    std::fs::create_dir_all(fuzz.join(&corpus))?;
    let mut command = vec!["+nightly", "fuzz", "run", "--fuzz-dir", ".", target, &corpus];
    if fuzz.join(&seeds).is_dir() {
        command.push(&seeds);
    }
    command.extend(["--", &limit]);
    cargo(&fuzz, &command).context("cargo-fuzz and a nightly toolchain must be installed")
}

fn new_case(root: &Path, name: &str) -> Result<()> {
    let path = root.join("cases").join(format!("{name}.case"));
    let is_in_a_folder = name.contains('/') && path.parent().is_some_and(Path::is_dir);
    if !is_in_a_folder {
        bail!("write FOLDER/NAME, with one of the folders of cases/README.md");
    }
    if path.exists() {
        bail!("{} exists already", path.display());
    }
    let text = "# What happens, in one sentence.\n\
                -- sentinel s --\n\
                create sentinel s using https://site.example/ monitor any change\n  \
                fetch every 10 minutes within 3 minutes notify by email ana@example.org\n\
                -- page https://site.example/ @ 00:00 --\n\
                <p>before</p>\n\
                -- page https://site.example/ @ 00:15 --\n\
                <p>after</p>\n\
                -- expect --\n";
    std::fs::write(&path, text)?;
    println!("{}: write it, then UPDATE_EXPECT=1 cargo test -p sim --test cases", path.display());
    Ok(())
}

fn cargo(directory: &Path, args: &[&str]) -> Result<()> {
    finish(command(directory, args), args)
}

fn command(directory: &Path, args: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").filter(|_| !args[0].starts_with('+'));
    let mut command = Command::new(program.unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(directory);
    command
}

fn finish(mut command: Command, args: &[&str]) -> Result<()> {
    eprintln!("$ cargo {}", args.join(" "));
    if !command.status()?.success() {
        bail!("cargo {} failed", args.join(" "));
    }
    Ok(())
}
