//! Addresses that the guards will refuse: said where they are written, before anybody waits for an
//! alert that cannot come.

use crate::place::{Place, Sink};
use address::{AllowList, Receivers, RefusedHost};
use std::net::IpAddr;
use url::Url;

/// Reports a source that will never be asked.
pub(crate) fn check_source(source: &str, allowed: &AllowList, place: Place, sink: &mut Sink) {
    let Ok(url) = Url::parse(source) else { return };
    let Some(host) = url.host() else { return };
    let Err(refused) = allowed.check_host(&host) else { return };
    let (message, network) = match refused {
        RefusedHost::Address(address, class) => {
            let message = format!("{address} is a {class} address; only public ones are asked");
            (message, alone(address))
        }
        RefusedHost::ThisMachine => {
            let message = format!("{host} is this machine; only public addresses are asked");
            (message, "127.0.0.1/32".to_owned())
        }
        RefusedHost::Home => (
            format!("{host} is a name of a private network; only public addresses are asked"),
            "192.168.1.0/24".to_owned(),
        ),
    };
    let help = match refused {
        RefusedHost::Home => "to allow it, list its network in the configuration, as in",
        _ => "to allow it, write in the configuration",
    };
    sink.value(place, message, &format!("{help} `fetch.allow_addresses = [\"{network}\"]`"));
}

/// Reports a receiver that will never be told.
pub(crate) fn check_contact(contact: &str, allowed: Receivers, place: Place, sink: &mut Sink) {
    let Ok(url) = Url::parse(contact) else { return };
    let Some(host) = url.host().filter(|_| matches!(url.scheme(), "http" | "https")) else {
        return;
    };
    let Err(class) = allowed.check_host(&host) else { return };
    let message = format!("nothing is sent to {class} addresses, and {host} is one");
    let help = if Receivers::can_open(class) {
        "to allow them, write in the configuration `deliver.allow_private = true`"
    } else {
        "name another receiver: nothing allows these"
    };
    sink.value(place, message, help);
}

/// The network of one address.
fn alone(address: IpAddr) -> String {
    let length = if address.is_ipv4() { 32 } else { 128 };
    format!("{address}/{length}")
}
