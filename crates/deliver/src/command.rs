//! A program of this machine that is handed the notification.

use crate::http::duration;
use crate::render::clean_line;
use crate::{Delivered, Delivery, Format};
use chronon::Span;
use notice::Notice;
use rustix::process::{Pid, Signal, kill_process_group};
use std::fmt;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Child;
use tokio::sync::oneshot;

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

/// What a command has started: the processes of its group, which end with this.
struct Group(Option<Pid>);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(pid) = self.0 {
            // All of it may have ended by itself.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }
}

/// One attempt: delivered if the program ends with 0. What it has started and left behind is killed
/// with it, also where the attempt is given up.
pub(crate) async fn send(command: &Command, delivery: &Delivery<'_>) -> Delivered {
    let Some((program, arguments)) = command.words.split_first() else {
        return Delivered::failed("the channel names no program");
    };
    let mut child = match start(program, arguments, delivery) {
        Ok(child) => child,
        Err(error) => return Delivered::failed(format!("{program} cannot be run: {error}")),
    };
    let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    let group = Group(pid);
    let body = delivery.formatted(command.format).into_owned();
    let whole = converse(&mut child, &body, group);
    match tokio::time::timeout(duration(command.limit), whole).await {
        Ok(Ok((status, _))) if status.success() => Delivered::Delivered,
        Ok(Ok((status, said))) => {
            let said = clean_line(&said, 200);
            let said = if said.is_empty() { said } else { format!(": {said}") };
            Delivered::failed(format!("{program} ended with {}{said}", code(status)))
        }
        Ok(Err(error)) => Delivered::failed(format!("{program} was lost: {error}")),
        Err(_) => {
            let limit = command.limit;
            Delivered::failed(format!("{program} was killed: it took more than {limit}"))
        }
    }
}

/// The program gets the environment but for our own settings, which may be secrets.
fn start(program: &str, arguments: &[String], delivery: &Delivery<'_>) -> std::io::Result<Child> {
    let notice = Notice::read(delivery.body).unwrap_or_default();
    let mut command = tokio::process::Command::new(program);
    let ours = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with("TIDINGS_");
    for (name, _) in std::env::vars_os().filter(|(name, _)| ours(name)) {
        command.env_remove(name);
    }
    let attempt = delivery.attempt.to_string();
    let sentinel =
        clean_line(notice.sentinel.as_deref().or(notice.rule.as_deref()).unwrap_or_default(), 200);
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

/// Hands the body over and waits for the end. What the program has left behind is killed then, so
/// that nobody holds standard error open.
async fn converse(
    child: &mut Child,
    body: &[u8],
    group: Group,
) -> std::io::Result<(ExitStatus, String)> {
    let (stdin, stderr) = (child.stdin.take(), child.stderr.take());
    let tell = async {
        if let Some(mut stdin) = stdin {
            // A program may end without reading what it is given.
            let _ = stdin.write_all(body).await;
            drop(stdin);
        }
        std::future::pending::<()>().await
    };
    let (end, mut ended) = oneshot::channel();
    let listen = async {
        let Some(mut stderr) = stderr else { return String::new() };
        let mut said = Vec::new();
        {
            let hear = async {
                let _ = (&mut stderr).take(SAID_BYTES_MAX).read_to_end(&mut said).await;
                // It must not wait for somebody to listen.
                let _ = tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await;
            };
            tokio::pin!(hear);
            tokio::select! {
                () = &mut hear => {}
                // What left the group may hold it open; nobody waits for that.
                _ = &mut ended => { let _ = tokio::time::timeout(LAST_WORDS, hear).await; }
            }
        }
        String::from_utf8_lossy(&said).into_owned()
    };
    let wait = async {
        let status = tokio::select! {
            status = child.wait() => status,
            () = tell => unreachable!("it never ends"),
        };
        drop(group);
        let _ = end.send(());
        status
    };
    let (status, said) = tokio::join!(wait, listen);
    Ok((status?, said))
}

fn code(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => code.to_string(),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "no code".to_owned(),
    }
}
