use super::*;
use std::str::FromStr;

fn guard(allow: &[&str]) -> Guard {
    Guard::new(&allow.iter().map(|net| net.parse().unwrap()).collect::<Vec<IpNet>>())
}

fn passes(guard: &Guard, url: &str) -> bool {
    guard.check_url(&Url::parse(url).unwrap()).is_ok()
}

#[test]
fn no_spelling_of_an_address_that_is_not_public_passes() {
    let nothing_allowed = guard(&[]);
    let refused = [
        // loopback, in the spellings that old parsers accept
        "http://127.0.0.1/",
        "http://127.0.0.1./",
        "http://127.1/",
        "http://127.0.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://0177.0.0.1/",
        "http://017700000001/",
        "http://%31%32%37.0.0.1/",
        "http://１２７.0.0.1/",
        "http://127。0。0。1/",
        "http://user@127.0.0.1/",
        "http://air.example@127.0.0.1/",
        "http:\\\\127.0.0.1\\",
        "https://127.255.255.254:8443/",
        "http://[::1]/",
        "http://[0:0:0:0:0:0:0:1]/",
        // unspecified
        "http://0.0.0.0/",
        "http://0/",
        "http://[::]/",
        // private, shared, link-local, metadata
        "http://10.0.0.1/",
        "http://172.16.0.1/",
        "http://172.31.255.255/",
        "http://192.168.1.1/",
        "http://100.64.0.1/",
        "http://169.254.1.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2852039166/",
        "http://0xa9fea9fe/",
        "http://[fd00:ec2::254]/",
        "http://100.100.100.200/",
        "http://168.63.129.16/",
        // the rest of the registries
        "http://192.0.0.8/",
        "http://192.0.2.1/",
        "http://198.51.100.1/",
        "http://203.0.113.1/",
        "http://198.18.0.1/",
        "http://224.0.0.1/",
        "http://240.0.0.1/",
        "http://255.255.255.255/",
        "http://[fc00::1]/",
        "http://[fd12:3456::1]/",
        "http://[fe80::1]/",
        "http://[fec0::1]/",
        "http://[ff02::1]/",
        "http://[2001:db8::1]/",
        "http://[3fff::1]/",
        "http://[2001::1]/",
        "http://[100::1]/",
        // IPv4 inside IPv6
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://[::ffff:169.254.169.254]/",
        "http://[::127.0.0.1]/",
        "http://[64:ff9b::127.0.0.1]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://[64:ff9b:1::1]/",
        "http://[2002:7f00:1::]/",
        "http://[2002:c0a8:101::1]/",
    ];
    for url in refused {
        assert!(!passes(&nothing_allowed, url), "{url}");
    }
}

#[test]
fn public_addresses_and_names_pass() {
    let nothing_allowed = guard(&[]);
    for url in [
        "http://8.8.8.8/",
        "https://[2606:4700::1111]/",
        "http://[::ffff:8.8.8.8]/",
        "http://[64:ff9b::808:808]/",
        "https://air.example/",
        "http://localhost/",
    ] {
        assert!(passes(&nothing_allowed, url), "{url}");
    }
}

#[test]
fn other_schemes_are_not_asked() {
    let everything = guard(&["0.0.0.0/0", "::/0"]);
    for url in ["ftp://8.8.8.8/", "file:///etc/passwd", "data:text/html,x", "gopher://air.example/"]
    {
        assert!(!passes(&everything, url), "{url}");
    }
}

#[test]
fn an_allowed_network_opens_its_addresses_and_no_others() {
    let home = guard(&["192.168.0.0/16", "127.0.0.1/32", "fd00::/8"]);
    for url in [
        "http://192.168.1.1/",
        "http://127.0.0.1:8080/",
        "http://[::ffff:192.168.1.1]/",
        "http://[fd12::1]/",
    ] {
        assert!(passes(&home, url), "{url}");
    }
    for url in ["http://10.0.0.1/", "http://127.0.0.2/", "http://[::1]/", "http://[fc00::1]/"] {
        assert!(!passes(&home, url), "{url}");
    }
}

#[test]
fn a_wide_network_opens_neither_link_local_nor_metadata_addresses() {
    let wide = guard(&["0.0.0.0/0", "::/0"]);
    assert!(passes(&wide, "http://10.0.0.1/"));
    for url in [
        "http://169.254.169.254/",
        "http://169.254.1.1/",
        "http://[fe80::1]/",
        "http://[fd00:ec2::254]/",
        "http://[::ffff:169.254.169.254]/",
    ] {
        assert!(!passes(&wide, url), "{url}");
    }
    let link = guard(&["169.254.0.0/16"]);
    assert!(passes(&link, "http://169.254.1.1/"));
    assert!(!passes(&link, "http://169.254.169.254/"));
    assert!(passes(&guard(&["169.254.169.254/32"]), "http://169.254.169.254/"));
}

#[test]
fn a_refusal_names_the_address_its_class_and_the_setting() {
    let refused = guard(&[]).check_url(&Url::parse("http://0x7f.1/").unwrap()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "127.0.0.1 is a loopback address; to allow it, list it in fetch.allow_addresses"
    );
}

#[test]
fn of_a_names_addresses_only_those_allowed_are_handed_on() {
    let found = ["10.0.0.1:0", "8.8.8.8:0", "[::1]:0"].map(|text| text.parse().unwrap());
    let passed = guard(&[]).filter("mixed.example", &found).unwrap();
    assert_eq!(passed, ["8.8.8.8:0".parse().unwrap()]);
    let refused = guard(&[]).filter("inner.example", &found[..1]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "inner.example leads to 10.0.0.1, a private address; to allow it, list it in \
         fetch.allow_addresses"
    );
}

#[tokio::test]
async fn names_under_localhost_are_this_machine_and_guarded() {
    for name in ["localhost", "demo.localhost", "a.b.localhost", "LOCALHOST"] {
        let resolve = |guard: Guard| guard.resolve(Name::from_str(name).unwrap());
        let found: Vec<_> = resolve(guard(&["127.0.0.0/8", "::1/128"])).await.unwrap().collect();
        assert_eq!(found, ["127.0.0.1:0".parse().unwrap(), "[::1]:0".parse().unwrap()], "{name}");
        let error = resolve(guard(&[])).await.err().unwrap();
        assert!(error.downcast_ref::<Refused>().is_some(), "{name}: {error}");
    }
    assert!(!is_localhost("localhost.example"));
    assert!(!is_localhost("notlocalhost"));
}
