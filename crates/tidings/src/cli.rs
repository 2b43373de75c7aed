//! The command line, as people type it.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Tidings watches web pages and feeds and tells you of the changes you care about.
///
/// Hear first. Ask less.
#[derive(Parser)]
#[command(name = "tidings", version)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub common: Common,
}

/// What every command takes.
#[derive(Args, Clone)]
pub struct Common {
    /// The configuration file [default: tidings.toml, if there is one]
    #[arg(long, global = true, value_name = "FILE", env = "TIDINGS_CONFIG")]
    pub config: Option<PathBuf>,
    /// Where versions and settings live
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long, global = true)]
    pub json: bool,
}

/// A version as `history` prints it, or its number alone.
fn version(written: &str) -> Result<u32, String> {
    let number = written.strip_prefix('v').unwrap_or(written).parse();
    number.map_err(|_| "a version is written v3 or 3; `tidings history URL` lists them".to_owned())
}

/// An id as a list prints it.
fn id(written: &str) -> Result<u64, String> {
    let why = "an id is the number in the first column of the list";
    written.parse().map_err(|_| why.to_owned())
}

/// A budget in words, as probes per second.
fn budget(written: &str) -> Result<f64, String> {
    crate::settings::parse_budget(written).map_err(|error| format!("it {error}"))
}

#[derive(Subcommand)]
pub enum Command {
    /// Run the server: look, compare, tell, and serve the dashboard
    Serve(Serve),
    /// Watch one page or feed here in the terminal, until Ctrl-C
    Watch(Watch),
    /// Say what is wrong with sentinel files; change nothing
    Check {
        /// Also say in sentences what each sentinel will do
        #[arg(short, long)]
        verbose: bool,
        /// `-` for standard input
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Say what each clause of a file means, what it finds now, and when it looks next
    Explain {
        /// Also say what it would have told over the stored versions of the last four weeks
        #[arg(long)]
        replay: bool,
        /// `-` for standard input
        file: PathBuf,
    },
    /// Format sentinel files in place
    Fmt {
        /// Only say which files are not formatted; exit with 1 if any is not
        #[arg(long)]
        check: bool,
        /// `-` reads standard input and writes standard output
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Create or replace the sentinels of these files: all of a file, or none
    Apply {
        /// `-` for standard input
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Look at a page and propose sentinels for it; start the one you take
    Add {
        /// The address of a page or feed
        url: String,
        /// Take this proposal without asking; 1 is the best guess
        #[arg(long, value_name = "N")]
        take: Option<usize>,
        /// Start it although a sentinel tells you the same already
        #[arg(long)]
        again: bool,
    },
    /// List sentinels and rules
    List {
        /// Those with this tag alone
        #[arg(long)]
        tag: Option<String>,
    },
    /// Show one sentinel or rule: its text, its state, what it told
    Show { name: String },
    /// Write the texts of all sentinels and rules to standard output, as `apply` reads them
    Export {
        /// With passwords and the addresses of webhooks, which are `‹secret 1›` otherwise
        #[arg(long)]
        with_secrets: bool,
        /// As OPML instead, for feed readers: a name and an address each
        #[arg(long, conflicts_with = "with_secrets")]
        opml: bool,
    },
    /// Move in with what other tools and feed readers watched
    Import(Import),
    /// Let a disabled sentinel or rule work again; what a page shows then is its baseline
    Enable { name: String },
    /// Stop a sentinel or a rule for a while
    Disable { name: String },
    /// Remove a sentinel or a rule, for good; what it has told stays readable
    Remove { name: String },
    /// Raise an event that a rule listens to
    Raise {
        /// As the rule writes it after `event`
        name: String,
        /// Names this occasion, 1 to 255 visible ASCII letters: sent again, it counts once
        #[arg(long)]
        key: Option<String>,
    },
    /// Look at the pages of a sentinel now, not when its next look is due
    Look { name: String },
    /// Hear nothing of a sentinel until a time; what it finds is one message then
    Snooze {
        name: String,
        /// How long, `2d`; or `until` and a time, as `from` takes it: until 2027-03-01 09:00
        #[arg(value_name = "until TIME", required = true)]
        until: Vec<String>,
    },
    /// End a snooze: what was found meanwhile is told now
    Wake { name: String },
    /// Give a sentinel another name; looks, counts and history go on
    Rename { name: String, to: String },
    /// List the versions of a source
    History { url: String },
    /// Show what changed on a source, between its last two versions or two given ones
    Diff {
        url: String,
        /// The older version, `v3` or `3` as `history` lists them
        #[arg(value_parser = version)]
        from: Option<u32>,
        /// The newer one; without it, the newest
        #[arg(value_parser = version)]
        to: Option<u32>,
    },
    /// Say why something was told or was not: of a sentinel, a page, or a rule
    Why {
        /// The name of a sentinel or rule, or the address of a page
        sentinel: String,
        /// `at` and a time, as `from` takes it [default: now]
        #[arg(value_name = "at TIME")]
        at: Vec<String>,
    },
    /// Show what the budget buys: looks a day and expected delay per source, and why
    Plan(Plan),
    /// Replay a recorded page history and print what would have been told
    Replay(Replay),
    /// Show the configuration that holds, or a sample of every key
    Config {
        /// Print a sample tidings.toml
        #[arg(long)]
        sample: bool,
    },
    /// Print what completes commands in a shell: `tidings completions bash >> ~/.bashrc`
    Completions { shell: clap_complete::Shell },
    /// Write the manual pages into a folder, one for each command
    Man {
        /// Made if it is not there
        folder: PathBuf,
    },
    /// Serve an editor over standard input and output, in the Language Server Protocol
    Lsp,
    /// Answer other projects' test cases from standard input, with the server's own readers
    Selftest {
        /// One JSON request a line, one JSON answer a line
        #[arg(long, required = true)]
        jsonl: bool,
    },
    /// Print a link that opens the dashboard logged in, and open it where there is a browser
    Open {
        /// Only print it
        #[arg(long)]
        print: bool,
    },
    /// Make, list and revoke tokens for programs
    #[command(subcommand)]
    Token(TokenCommand),
    /// Make, list and revoke feeds for feed readers
    #[command(subcommand)]
    Feed(FeedCommand),
    /// List the browsers that are logged in, or end their sessions
    Sessions(Sessions),
    /// Copy the store into a new file, while the server runs or not
    Backup { file: PathBuf },
    /// Keep what can be read of a damaged store, and set the rest aside in a file
    Repair,
    /// The papers' experiments: policies beside baselines and bounds
    #[cfg(feature = "lab")]
    Lab(lab::Lab),
}

#[derive(Args)]
pub struct Import {
    /// Backups, exports and lists of addresses; `-` for standard input. An address of the web is
    /// downloaded, and watched if it is no export
    #[arg(required = true, value_name = "FILE|URL")]
    pub sources: Vec<String>,
    /// Only show what would be created
    #[arg(long)]
    pub dry_run: bool,
    /// Whom all of them tell, as after `notify by`: `--notify "email me@example.org"`
    #[arg(long, value_name = "CHANNEL")]
    pub notify: Vec<String>,
}

#[derive(Args)]
pub struct Serve {
    /// Start a small living web of our own and watch it: see alerts within seconds
    #[arg(long)]
    pub demo: bool,
    /// Address and port of the dashboard and the API [default: 127.0.0.1:7780]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<String>,
    /// Believe this computer's clock, also where it is behind what the store has seen
    #[arg(long)]
    pub trust_clock: bool,
}

#[derive(Subcommand)]
pub enum TokenCommand {
    /// Make a token and print it, this once
    #[command(aliases = ["make", "create", "add"])]
    New {
        /// What it may do
        #[arg(long, value_enum, default_value = "read")]
        scope: TokenScope,
        /// For you to know it by
        #[arg(long, default_value = "", hide_default_value = true)]
        name: String,
        /// For sentinels with this tag alone
        #[arg(long)]
        tag: Option<String>,
    },
    /// List tokens: what they may do, when they were used
    List,
    /// End tokens, and the sessions that were opened with them
    Revoke {
        /// As `tidings token list` lists them
        #[arg(required = true, value_parser = id)]
        ids: Vec<u64>,
    },
}

#[derive(Subcommand)]
pub enum FeedCommand {
    /// Make a feed and print its addresses; without a choice it tells all that is told
    New {
        /// What sentinels with this tag tell
        #[arg(long)]
        tag: Option<String>,
        /// What one sentinel tells
        #[arg(long, value_name = "NAME", conflicts_with = "tag")]
        sentinel: Option<String>,
    },
    /// List feeds with their addresses, which are secret
    List,
    /// End feeds; their addresses open nothing any more
    Revoke {
        /// As `tidings feed list` lists them
        #[arg(required = true, value_parser = id)]
        ids: Vec<u64>,
    },
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub enum TokenScope {
    /// See everything, change nothing
    Read,
    /// Change sentinels, notifications and channels, too
    Write,
}

#[derive(Args)]
pub struct Sessions {
    #[command(subcommand)]
    pub command: Option<SessionsCommand>,
}

#[derive(Subcommand)]
pub enum SessionsCommand {
    /// End sessions; their browsers have to log in again
    End {
        /// As `tidings sessions` lists them
        #[arg(required_unless_present = "all", value_parser = id)]
        ids: Vec<u64>,
        /// All of them
        #[arg(long, conflicts_with = "ids")]
        all: bool,
    },
}

#[derive(Args)]
pub struct Plan {
    /// Another budget than the configured one, as "20 per second"
    #[arg(long, value_name = "BUDGET", value_parser = budget)]
    pub budget: Option<f64>,
    /// List every source, not only the worst
    #[arg(long)]
    pub all: bool,
}

#[derive(Args)]
pub struct Replay {
    /// A folder with times.csv (`version,unix_time,file`), the files and page.json; or of such; or
    /// a trace of postings (`source,time`)
    pub dir: PathBuf,
    /// Looks a day over all sources, and no other limit [default: configured]
    #[arg(long, value_name = "N")]
    pub budget_per_day: Option<f64>,
    /// Days at the start of which no delay is measured
    #[arg(long, value_name = "DAYS", default_value_t = 0)]
    pub train_days: u32,
    /// Sentinels to try on it; their `using` is the `url` of page.json
    #[arg(long, value_name = "FILE", conflicts_with_all = ["monitor", "every"])]
    pub sentinel: Option<PathBuf>,
    /// Without a file: what counts as a change, as after `monitor`
    #[arg(long, default_value = "any change")]
    pub monitor: String,
    /// Without a file: how often to look, as after `fetch every` [default: on change]
    #[arg(long)]
    pub every: Option<String>,
}

#[derive(Args)]
pub struct Watch {
    /// The page or feed, with http:// or https://
    pub url: String,
    /// What counts as a change, as after `monitor`: `links added`, `phrase "sold out"`, …
    #[arg(long, default_value = "any change")]
    pub monitor: String,
    /// How often to look, as after `fetch every`
    #[arg(long, default_value = "1 minute")]
    pub every: String,
    /// Look at addresses that are not public, too (your router, localhost)
    #[arg(long)]
    pub allow_private: bool,
}
