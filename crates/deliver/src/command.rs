//! A program of this machine that is handed the notification.

use crate::http::duration;
use crate::render::clean_line;
use crate::{Delivered, Delivery, Format};
use chronon::Span;
use notice::Notice;
use rustix::process::{Pid, Signal, kill_process_group};
use std::fmt;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// Bytes kept of what the program says on standard error.
const SAID_BYTES_MAX: u64 = 4_096;
/// How long its last words are waited for once it has ended.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// A program and how it is called.
#[derive(Clone)]
pub struct Command {
    /// The program, then its arguments. No shell reads them.
    pub words: Vec<String>,
    pub format: Format,
    /// After so long it is killed, and what it has started with it.
    pub limit: Span,
}

impl fmt::Debug for Command {
    /// Arguments may be secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Command").field("program", &self.words.first()).finish()
    }
}

/// One attempt: delivered if the program ends with 0.
pub(crate) async fn send(command: &Command, delivery: &Delivery<'_>) -> Delivered {
    let Some((program, arguments)) = command.words.split_first() else {
        return Delivered::failed("the channel names no program");
    };
    let started = start(program, arguments, delivery);
    let child = match started {
        Ok(child) => child,
        Err(error) => return Delivered::failed(format!("{program} cannot be run: {error}")),
    };
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let body = delivery.formatted(command.format).into_owned();
    let mut whole = tokio::task::spawn_blocking(move || converse(child, body));
    let result = match tokio::time::timeout(duration(command.limit), &mut whole).await {
        Ok(result) => result,
        Err(_) => {
            if let Some(pid) = pid {
                // It may have ended by itself in this moment.
                let _ = kill_process_group(pid, Signal::KILL);
            }
            let limit = command.limit;
            return Delivered::failed(format!("{program} was killed: it took more than {limit}"));
        }
    };
    match result {
        Ok(Ok((status, _))) if status.success() => Delivered::Delivered,
        Ok(Ok((status, said))) => {
            let said = clean_line(&said, 200);
            let said = if said.is_empty() { said } else { format!(": {said}") };
            Delivered::failed(format!("{program} ended with {}{said}", code(status)))
        }
        Ok(Err(error)) => Delivered::failed(format!("{program} was lost: {error}")),
        Err(_) => Delivered::failed(format!("{program} was lost")),
    }
}

/// The program gets the environment but for our own settings, which may be secrets.
fn start(
    program: &str,
    arguments: &[String],
    delivery: &Delivery<'_>,
) -> Result<Child, std::io::Error> {
    let notice = Notice::read(delivery.body).unwrap_or_default();
    let mut command = std::process::Command::new(program);
    let ours = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with("TIDINGS_");
    for (name, _) in std::env::vars_os().filter(|(name, _)| ours(name)) {
        command.env_remove(name);
    }
    let attempt = delivery.attempt.to_string();
    let sentinel = clean_line(notice.sentinel.as_deref().unwrap_or_default(), 200);
    let summary = clean_line(&notice.summary, 200);
    command
        .args(arguments)
        .env("TIDINGS_KEY", clean_line(delivery.key, 64))
        .env("TIDINGS_TYPE", notice.kind.name())
        .env("TIDINGS_SENTINEL", sentinel)
        .env("TIDINGS_SUMMARY", summary)
        .env("TIDINGS_ATTEMPT", attempt)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
}

/// Hands the body over and waits for the end. What it leaves behind may hold standard error open;
/// nobody waits for that.
fn converse(mut child: Child, body: Vec<u8>) -> std::io::Result<(ExitStatus, String)> {
    if let Some(mut stdin) = child.stdin.take() {
        // A program may end without reading what it is given.
        std::thread::spawn(move || stdin.write_all(&body));
    }
    let (sender, receiver) = mpsc::channel();
    if let Some(stderr) = child.stderr.take() {
        std::thread::spawn(move || {
            let mut stderr = stderr;
            let mut said = Vec::new();
            let _ = (&mut stderr).take(SAID_BYTES_MAX).read_to_end(&mut said);
            let _ = sender.send(String::from_utf8_lossy(&said).into_owned());
            // It must not wait for somebody to listen.
            let _ = std::io::copy(&mut stderr, &mut std::io::sink());
        });
    }
    let status = child.wait()?;
    Ok((status, receiver.recv_timeout(LAST_WORDS).unwrap_or_default()))
}

fn code(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => code.to_string(),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "no code".to_owned(),
    }
}
