//! The whole way, from a sentinel to an alert, through the running binary: real processes, real
//! sockets on loopback, real files. Start reading at `servers.rs`, the straight path; `harness.rs`
//! holds what starts servers and receivers, `wire.rs` the HTTP that both sides speak.

#[path = "end_to_end/access.rs"]
mod access;
#[path = "end_to_end/addresses.rs"]
mod addresses;
#[path = "end_to_end/answers.rs"]
mod answers;
#[path = "end_to_end/browsers.rs"]
mod browsers;
#[path = "end_to_end/chance.rs"]
mod chance;
#[path = "end_to_end/channels.rs"]
mod channels;
#[path = "end_to_end/clients.rs"]
mod clients;
#[path = "end_to_end/commands.rs"]
mod commands;
#[path = "end_to_end/crowds.rs"]
mod crowds;
#[path = "end_to_end/disk.rs"]
mod disk;
#[path = "end_to_end/doors.rs"]
mod doors;
#[path = "end_to_end/explain.rs"]
mod explain;
#[path = "end_to_end/feeds.rs"]
mod feeds;
#[path = "end_to_end/flood.rs"]
mod flood;
#[path = "end_to_end/harness.rs"]
mod harness;
#[path = "end_to_end/hostile.rs"]
mod hostile;
#[path = "end_to_end/hosts.rs"]
mod hosts;
#[path = "end_to_end/keyboard.rs"]
mod keyboard;
#[path = "end_to_end/kills.rs"]
mod kills;
#[path = "end_to_end/mail.rs"]
mod mail;
#[path = "end_to_end/page.rs"]
mod page;
#[path = "end_to_end/proxies.rs"]
mod proxies;
#[path = "end_to_end/replay.rs"]
mod replay;
#[path = "end_to_end/rules.rs"]
mod rules;
#[path = "end_to_end/secrets.rs"]
mod secrets;
#[path = "end_to_end/servers.rs"]
mod servers;
#[path = "end_to_end/store.rs"]
mod store;
#[path = "end_to_end/tabs.rs"]
mod tabs;
#[path = "end_to_end/webdriver.rs"]
mod webdriver;
#[path = "end_to_end/webhook.rs"]
mod webhook;
#[path = "end_to_end/wire.rs"]
mod wire;
#[path = "end_to_end/workbench.rs"]
mod workbench;
