//! The special-purpose address blocks; the first row that fits decides, so narrow rows come first.

use crate::Class::{self, *};
use std::net::{Ipv4Addr, Ipv6Addr};

const fn v4(a: u8, b: u8, c: u8, d: u8) -> Ipv4Addr {
    Ipv4Addr::new(a, b, c, d)
}

/// Network, prefix length, class. What is in no row is public.
pub(crate) const V4: &[(Ipv4Addr, u32, Class)] = &[
    (v4(169, 254, 169, 254), 32, Metadata),
    (v4(169, 254, 170, 2), 32, Metadata),
    (v4(169, 254, 170, 23), 32, Metadata),
    (v4(168, 63, 129, 16), 32, Metadata),
    (v4(100, 100, 100, 200), 32, Metadata),
    (v4(192, 0, 0, 192), 32, Metadata),
    (v4(255, 255, 255, 255), 32, Broadcast),
    (v4(0, 0, 0, 0), 8, Unspecified),
    (v4(10, 0, 0, 0), 8, Private),
    (v4(100, 64, 0, 0), 10, Shared),
    (v4(127, 0, 0, 0), 8, Loopback),
    (v4(169, 254, 0, 0), 16, LinkLocal),
    (v4(172, 16, 0, 0), 12, Private),
    (v4(192, 0, 0, 0), 24, Reserved),
    (v4(192, 0, 2, 0), 24, Documentation),
    (v4(192, 88, 99, 0), 24, Reserved),
    (v4(192, 168, 0, 0), 16, Private),
    (v4(198, 18, 0, 0), 15, Benchmarking),
    (v4(198, 51, 100, 0), 24, Documentation),
    (v4(203, 0, 113, 0), 24, Documentation),
    (v4(224, 0, 0, 0), 4, Multicast),
    (v4(240, 0, 0, 0), 4, Reserved),
];

const fn v6(a: u16, b: u16, c: u16, d: u16) -> Ipv6Addr {
    Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0)
}

/// As [`V4`], for addresses that carry no IPv4 address. Only `2000::/3` is handed out at all.
pub(crate) const V6: &[(Ipv6Addr, u32, Class)] = &[
    (v6(0, 0, 0, 0), 128, Unspecified),
    (Ipv6Addr::LOCALHOST, 128, Loopback),
    (Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254), 128, Metadata),
    (Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254), 128, Metadata),
    (v6(0x2001, 0x2, 0, 0), 48, Benchmarking),
    (v6(0x2001, 0, 0, 0), 23, Reserved),
    (v6(0x2001, 0xdb8, 0, 0), 32, Documentation),
    (v6(0x3fff, 0, 0, 0), 20, Documentation),
    (v6(0x2000, 0, 0, 0), 3, Public),
    (v6(0xfc00, 0, 0, 0), 7, Private),
    (v6(0xfe80, 0, 0, 0), 10, LinkLocal),
    (v6(0xfec0, 0, 0, 0), 10, Private),
    (v6(0xff00, 0, 0, 0), 8, Multicast),
    (v6(0, 0, 0, 0), 0, Reserved),
];
