use super::*;

fn assert_class(class: Class, addresses: &[&str]) {
    for text in addresses {
        let address: IpAddr = text.parse().unwrap();
        assert_eq!(class_of(address), class, "{text}");
    }
}

#[test]
fn both_ends_of_every_ipv4_block_have_its_class_and_their_neighbours_do_not() {
    assert_class(Class::Unspecified, &["0.0.0.0", "0.255.255.255"]);
    assert_class(Class::Private, &["10.0.0.0", "10.255.255.255"]);
    assert_class(Class::Private, &["172.16.0.0", "172.31.255.255"]);
    assert_class(Class::Private, &["192.168.0.0", "192.168.255.255"]);
    assert_class(Class::Shared, &["100.64.0.0", "100.127.255.255"]);
    assert_class(Class::Loopback, &["127.0.0.0", "127.0.0.1", "127.255.255.255"]);
    assert_class(Class::LinkLocal, &["169.254.0.0", "169.254.255.255", "169.254.169.253"]);
    assert_class(Class::Reserved, &["192.0.0.0", "192.0.0.255", "192.88.99.1"]);
    assert_class(Class::Documentation, &["192.0.2.0", "192.0.2.255", "198.51.100.7"]);
    assert_class(Class::Documentation, &["203.0.113.0", "203.0.113.255"]);
    assert_class(Class::Benchmarking, &["198.18.0.0", "198.19.255.255"]);
    assert_class(Class::Multicast, &["224.0.0.0", "239.255.255.255"]);
    assert_class(Class::Reserved, &["240.0.0.0", "255.255.255.254"]);
    assert_class(Class::Broadcast, &["255.255.255.255"]);
    let neighbours = [
        "1.0.0.0",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.0",
        "192.0.3.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "8.8.8.8",
    ];
    assert_class(Class::Public, &neighbours);
}

#[test]
fn the_addresses_where_clouds_serve_credentials_are_known() {
    assert_class(Class::Metadata, &["169.254.169.254", "169.254.170.2", "168.63.129.16"]);
    assert_class(Class::Metadata, &["100.100.100.200", "192.0.0.192", "169.254.170.23"]);
    assert_class(Class::Metadata, &["fd00:ec2::254", "fd20:ce::254", "::ffff:169.254.169.254"]);
}

#[test]
fn both_ends_of_every_ipv6_block_have_its_class_and_their_neighbours_do_not() {
    assert_class(Class::Unspecified, &["::"]);
    assert_class(Class::Loopback, &["::1"]);
    assert_class(Class::Private, &["fc00::", "fdff:ffff::1", "fec0::1", "feff::1"]);
    assert_class(Class::LinkLocal, &["fe80::", "febf:ffff::1"]);
    assert_class(Class::Multicast, &["ff00::", "ff02::1", "ffff::"]);
    assert_class(
        Class::Documentation,
        &["2001:db8::1", "2001:db8:ffff::", "3fff::1", "3fff:fff::"],
    );
    assert_class(Class::Benchmarking, &["2001:2::", "2001:2:0:ffff::"]);
    assert_class(Class::Reserved, &["2001::1", "2001:1ff:ffff::", "2001:10::1"]);
    assert_class(Class::Reserved, &["100::1", "5f00::1", "4000::", "1fff::1", "fe00::1"]);
    assert_class(Class::Public, &["2001:200::1", "2000::1", "2606:4700::1", "3ffe::1"]);
    assert_class(Class::Public, &["2001:db7:ffff::1", "2001:db9::1", "3fff:1000::1"]);
}

#[test]
fn an_ipv6_address_that_carries_an_ipv4_address_has_its_class() {
    assert_class(Class::Loopback, &["::ffff:127.0.0.1", "64:ff9b::127.0.0.1", "2002:7f00:1::"]);
    assert_class(Class::Private, &["::ffff:10.1.2.3", "64:ff9b::10.1.2.3", "2002:a01:203::1"]);
    assert_class(Class::Metadata, &["64:ff9b::169.254.169.254", "2002:a9fe:a9fe::"]);
    assert_class(Class::Public, &["::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1"]);
}

#[test]
fn deprecated_and_locally_chosen_embeddings_are_reserved_whatever_they_carry() {
    assert_class(Class::Reserved, &["::127.0.0.1", "::8.8.8.8", "::169.254.169.254"]);
    assert_class(Class::Reserved, &["64:ff9b:1::8.8.8.8", "2001:0:808:808::1"]);
}

/// What the standard library knows of IPv4, which is less than the table.
fn std_class_v4(address: Ipv4Addr) -> Option<Class> {
    let tests: [(bool, Class); 6] = [
        (address.is_broadcast(), Class::Broadcast),
        (address.is_private(), Class::Private),
        (address.is_loopback(), Class::Loopback),
        (address.is_link_local(), Class::LinkLocal),
        (address.is_multicast(), Class::Multicast),
        (address.is_documentation(), Class::Documentation),
    ];
    tests.into_iter().find_map(|(holds, class)| holds.then_some(class))
}

fn std_class_v6(address: Ipv6Addr) -> Option<Class> {
    let tests: [(bool, Class); 5] = [
        (address.is_unspecified(), Class::Unspecified),
        (address.is_loopback(), Class::Loopback),
        (address.is_unique_local(), Class::Private),
        (address.is_unicast_link_local(), Class::LinkLocal),
        (address.is_multicast(), Class::Multicast),
    ];
    tests.into_iter().find_map(|(holds, class)| holds.then_some(class))
}

/// Whether our class says at least what the standard library's does; metadata addresses are ours.
fn agrees(ours: Class, theirs: Option<Class>) -> bool {
    ours == Class::Metadata || theirs.is_none_or(|theirs| ours == theirs)
}

proptest::proptest! {
    #[test]
    fn the_table_agrees_with_the_standard_library(v4: u32, high: u16, low: [u16; 7]) {
        // Few of 2^32 addresses are special: the first byte alone decides most classes.
        for first in 0..=255_u32 {
            let address = Ipv4Addr::from_bits(first << 24 | v4 >> 8);
            proptest::prop_assert!(agrees(class_of(address.into()), std_class_v4(address)));
        }
        let [b, c, d, e, f, g, h] = low;
        for first in [high, high | 0xfc00, high | 0xfe80, high | 0xff00, 0, 0x2001] {
            let address = Ipv6Addr::new(first, b, c, d, e, f, g, h);
            proptest::prop_assert!(agrees(class_of(address.into()), std_class_v6(address)));
        }
    }
}
