//! The text of PDF documents, read by a program of its own (poppler's `pdftotext`).
//!
//! PDF is a format to attack readers with, so that it is read in another process: without our
//! environment, with bounds on its time, its memory and what it writes, and a few at a time. Where
//! the program is not found, a PDF document is a failed look that says so.

use crate::settings::Settings;
use fetch::{Content, Failure, Outcome};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::Semaphore;

/// What every PDF document starts with.
const MAGIC: &[u8] = b"%PDF-";
/// UTF-8, no page breaks, no messages, from standard input to standard output.
const ARGUMENTS: [&str; 6] = ["-enc", "UTF-8", "-nopgbrk", "-q", "-", "-"];
/// Documents read at one time; others wait.
const READ_AT_ONCE_MAX: usize = 2;
/// How long one document may take.
const TIME_MAX: Duration = Duration::from_secs(20);
const TEXT_BYTES_MAX: u64 = 4 << 20;
#[cfg(target_os = "linux")]
const MEMORY_BYTES_MAX: u64 = 1 << 30;

/// Reads PDF documents, where there is a program for it. Clones share its places.
#[derive(Clone)]
pub struct Pdf {
    /// The program and its arguments.
    words: Option<Vec<OsString>>,
    places: Arc<Semaphore>,
    time_max: Duration,
}

impl Pdf {
    /// The program of the settings, if it is there.
    pub fn of(settings: &Settings) -> Pdf {
        let words = found(&settings.fetch_pdf_program).map(|program| {
            let arguments = ARGUMENTS.iter().map(OsString::from);
            std::iter::once(program.into_os_string()).chain(arguments).collect()
        });
        Pdf::with(words, TIME_MAX)
    }

    fn with(words: Option<Vec<OsString>>, time_max: Duration) -> Pdf {
        Pdf { words, places: Arc::new(Semaphore::new(READ_AT_ONCE_MAX)), time_max }
    }

    /// The answer; one that is a PDF document as its text.
    pub async fn read(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Content(content) if content.body.starts_with(MAGIC) => {
                match self.text(&content.body).await {
                    Ok(text) => Outcome::Content(Content {
                        body: text.into(),
                        content_type: Some("text/plain; charset=utf-8".to_owned()),
                        ..content
                    }),
                    Err(reason) => failed(content.status, reason),
                }
            }
            other => other,
        }
    }

    async fn text(&self, body: &[u8]) -> Result<Vec<u8>, String> {
        let (program, arguments) = self.words.as_ref().and_then(|all| all.split_first()).ok_or(
            "the answer is a PDF document; install `pdftotext` (poppler-utils), and start Tidings \
             again",
        )?;
        let _place = self.places.acquire().await.map_err(|_| "the server stops".to_owned())?;
        let mut child = start(program, arguments)
            .map_err(|error| format!("{} cannot be run: {error}", program.display()))?;
        let read = tokio::time::timeout(self.time_max, converse(&mut child, body)).await;
        let text = read.map_err(|_| {
            format!("the PDF document takes more than {} s to read", self.time_max.as_secs())
        })??;
        if text.iter().all(u8::is_ascii_whitespace) {
            return Err("the PDF document holds no text; it may be made of pictures".to_owned());
        }
        Ok(text)
    }
}

fn failed(status: u16, reason: String) -> Outcome {
    let status = Some(status);
    Outcome::Failed(Failure { status, reason, holds_host: false, retry_after: None })
}

/// A program by its path, or by its name in `PATH`; an empty name finds none.
fn found(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let paths = std::env::var_os("PATH").filter(|_| !name.is_empty())?;
    std::env::split_paths(&paths).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Starts the program, which ends with what is returned. It is bounded before it gets any input.
fn start(program: &OsString, arguments: &[OsString]) -> std::io::Result<Child> {
    let child = Command::new(program)
        .args(arguments)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    bound(&child)?;
    Ok(child)
}

#[cfg(target_os = "linux")]
fn bound(child: &Child) -> std::io::Result<()> {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    let limit = Some(MEMORY_BYTES_MAX);
    prlimit(pid, Resource::As, Rlimit { current: limit, maximum: limit })?;
    Ok(())
}

/// Other systems have the bounds of time and output alone.
#[cfg(not(target_os = "linux"))]
fn bound(_: &Child) -> std::io::Result<()> {
    Ok(())
}

/// Hands the document over, and takes the text.
async fn converse(child: &mut Child, body: &[u8]) -> Result<Vec<u8>, String> {
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let tell = async {
        if let Some(mut stdin) = stdin {
            // A program may end without reading what it is given; its status says why.
            let _ = stdin.write_all(body).await;
        }
    };
    let listen = async {
        let mut text = Vec::new();
        if let Some(stdout) = stdout {
            // What is read is checked below: an error here leaves too little.
            let _ = stdout.take(TEXT_BYTES_MAX + 1).read_to_end(&mut text).await;
        }
        text
    };
    let ((), text) = tokio::join!(tell, listen);
    if text.len() as u64 > TEXT_BYTES_MAX {
        return Err(format!(
            "the PDF document holds more than {} MiB of text",
            TEXT_BYTES_MAX >> 20
        ));
    }
    let status = child.wait().await.map_err(|error| format!("the PDF reader was lost: {error}"))?;
    if status.success() {
        Ok(text)
    } else {
        Err(format!("the PDF document cannot be read: the program ended with {status}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads with a shell script for a program, which finds its input where `pdftotext` does.
    async fn read(script: &str, time_max: Duration, body: &'static [u8]) -> Outcome {
        let words = ["/bin/sh", "-c", script].map(OsString::from);
        Pdf::with(Some(words.to_vec()), time_max).read(answer(body)).await
    }

    fn answer(body: &'static [u8]) -> Outcome {
        Outcome::Content(Content {
            status: 200,
            body: body.into(),
            content_type: Some("application/pdf".to_owned()),
            final_url: "https://a.example/x.pdf".to_owned(),
            etag: None,
            last_modified: None,
            modified_at: None,
        })
    }

    fn reason(outcome: Outcome) -> String {
        match outcome {
            Outcome::Failed(failure) => failure.reason,
            other => panic!("it was read: {other:?}"),
        }
    }

    const LONG: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn a_pdf_document_is_read_as_the_text_that_the_program_gives() {
        let script = "read -r line; echo \"Text of $line\"";
        let Outcome::Content(content) = read(script, LONG, b"%PDF-1.7\n").await else {
            panic!("it is read")
        };
        assert_eq!(&content.body[..], b"Text of %PDF-1.7\n");
        assert_eq!(content.content_type.as_deref(), Some("text/plain; charset=utf-8"));
        let Outcome::Content(page) = read("exit 1", LONG, b"<p>Lisbon").await else {
            panic!("a page is left alone")
        };
        assert_eq!(&page.body[..], b"<p>Lisbon");
    }

    #[tokio::test]
    async fn what_cannot_be_read_says_why_and_nothing_lasts_for_ever() {
        let none = Pdf::with(None, LONG).read(answer(b"%PDF-1.7")).await;
        assert!(reason(none).contains("install `pdftotext`"));
        let body = b"%PDF-1.7";
        assert!(reason(read("exit 3", LONG, body).await).contains("exit status: 3"));
        assert!(reason(read("echo", LONG, body).await).contains("no text"));
        let endless = "while :; do echo 0123456789012345678901234567890123456789; done";
        assert!(reason(read(endless, LONG, body).await).contains("more than 4 MiB"));
        let soon = Duration::from_millis(50);
        assert!(reason(read("while :; do :; done", soon, body).await).contains("takes more than"));
    }

    #[test]
    fn a_program_is_found_by_its_path_or_its_name() {
        assert_eq!(found("/bin/sh"), Some(PathBuf::from("/bin/sh")));
        assert!(found("sh").is_some_and(|path| path.ends_with("sh")));
        assert_eq!(found(""), None);
        assert_eq!(found("/bin/no-such-program"), None);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_program_has_bounded_memory_and_none_of_our_environment() {
        let script = "read -r line; echo \"$(ulimit -v) ${HOME:-none}\"";
        let Outcome::Content(content) = read(script, LONG, b"%PDF-1.7\n").await else {
            panic!("it is read")
        };
        assert_eq!(&content.body[..], b"1048576 none\n");
    }
}
