//! Reverse proxies as people run them: Debian's nginx, haproxy and Caddy, with the files of
//! `docs/examples`, in which nothing but ports and paths is replaced. Each gets a frame that makes
//! it a private instance.

use crate::harness::{Lines, PATIENCE, clean, signal};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// What nginx needs to stay in its folder.
const NGINX_FRAME: &str = "daemon off;
master_process off;
pid nginx.pid;
error_log stderr notice;
events {}
http {
    client_body_temp_path client_body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    access_log off;
    include tidings.conf;
}
";

const CADDY_FRAME: &str = "{
	admin off
	auto_https disable_redirects
}
import tidings.caddy
";

/// Ports that no system hands out by itself: what it does hand out, any connection of another test
/// may take before the proxy does.
const PORTS: std::ops::Range<u16> = 20_000..30_000;

/// A port of loopback that nobody has now; proxies cannot be asked which one they took.
pub fn free_port() -> u16 {
    static TRIED: AtomicU32 = AtomicU32::new(0);
    let ports = u32::from(PORTS.end - PORTS.start);
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    let next = || {
        let at = (std::process::id() * 7 + TRIED.fetch_add(1, Ordering::Relaxed)) % ports;
        PORTS.start + at as u16
    };
    std::iter::repeat_with(next).take(1_000).find(is_free).expect("a free port")
}

/// The ports of a proxy, and the server behind it.
#[derive(Clone, Copy)]
pub struct Ports {
    pub tls: u16,
    pub plain: u16,
    pub server: SocketAddr,
}

/// A running proxy; ended when dropped.
pub struct Proxy {
    child: Child,
    log: Lines,
    ended_by: &'static str,
}

impl Proxy {
    /// nginx with `configuration`, the text of one `include`.
    pub fn nginx(folder: &Path, configuration: &str) -> Proxy {
        let folder = own(folder, "nginx");
        write(&folder, "tidings.conf", configuration);
        write(&folder, "nginx.conf", NGINX_FRAME);
        let mut command = program("nginx");
        command.arg("-p").arg(&folder).args(["-c", "nginx.conf", "-e", "stderr"]);
        // It says so once it listens.
        Proxy::spawn(&mut command, "getrlimit", "KILL")
    }

    pub fn haproxy(folder: &Path, configuration: &str) -> Proxy {
        let folder = own(folder, "haproxy");
        write(&folder, "tidings.cfg", configuration);
        write(&folder, "frame.cfg", "global\n    maxconn 100\n");
        let mut command = program("haproxy");
        command.args(["-W", "-f", "frame.cfg", "-f", "tidings.cfg"]).current_dir(&folder);
        // The worker ends with its master.
        Proxy::spawn(&mut command, "Loading success", "TERM")
    }

    pub fn caddy(folder: &Path, configuration: &str) -> Proxy {
        let folder = own(folder, "caddy");
        write(&folder, "tidings.caddy", configuration);
        write(&folder, "Caddyfile", CADDY_FRAME);
        let mut command = program("caddy");
        command.args(["run", "--adapter", "caddyfile", "--config", "Caddyfile"]);
        command.current_dir(&folder);
        for home in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
            command.env(home, &folder);
        }
        Proxy::spawn(&mut command, "serving initial configuration", "KILL")
    }

    fn spawn(command: &mut Command, ready: &str, ended_by: &'static str) -> Proxy {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a proxy starts");
        let mut log = Lines::of(child.stderr.take().expect("piped"));
        let listens = log.wait_for(PATIENCE, |line| line.contains(ready)).is_some();
        let proxy = Proxy { child, log, ended_by };
        assert!(listens, "no proxy: {:#?}", proxy.log.seen);
        proxy
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        signal(self.child.id(), self.ended_by);
        // It may have ended already.
        let _ = self.child.wait();
    }
}

/// A file of `docs/examples` with these ports, and a certificate of the test's own.
pub fn example(folder: &Path, file: &str, ports: Ports) -> String {
    let path = format!("{}/../../docs/examples/{file}", env!("CARGO_MANIFEST_DIR"));
    let mut text = std::fs::read_to_string(&path).expect("the example");
    let server = ports.server.to_string();
    let (tls, plain) = (format!("127.0.0.1:{}", ports.tls), format!("127.0.0.1:{}", ports.plain));
    for (written, ours) in [
        ("127.0.0.1:7780", server.as_str()),
        ("listen 443", &format!("listen {tls}")),
        ("listen 80", &format!("listen {plain}")),
        ("bind :443", &format!("bind {tls}")),
        ("bind :80", &format!("bind {plain}")),
        (".example:443", &format!(".example:{}", ports.tls)),
        (".example:80", &format!(".example:{}", ports.plain)),
        ("/etc/ssl/", &format!("{}/", certificate(folder).display())),
    ] {
        text = text.replace(written, ours);
    }
    text
}

/// A folder with a certificate that nobody vouches for, under the names of the examples.
fn certificate(folder: &Path) -> PathBuf {
    let folder = own(folder, "ssl");
    for name in ["tidings.example", "home.example"] {
        let made =
            rcgen::generate_simple_self_signed(vec![name.to_owned()]).expect("a certificate");
        let (chain, key) = (made.cert.pem(), made.signing_key.serialize_pem());
        write(&folder, &format!("{name}.pem"), &chain);
        write(&folder, &format!("{name}.key"), &key);
        write(&folder, &format!("{name}.both.pem"), &format!("{chain}{key}"));
    }
    folder
}

fn own(folder: &Path, name: &str) -> PathBuf {
    let own = folder.join(name);
    std::fs::create_dir_all(&own).expect("a folder");
    own
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("written");
}

fn program(name: &str) -> Command {
    let mut command = Command::new(name);
    let path = format!("{}:/usr/sbin", std::env::var("PATH").unwrap_or_default());
    clean(&mut command).env("PATH", path);
    command
}
