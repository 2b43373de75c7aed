//! Numbers as values have them: exact decimals, with a unit or a currency.

use std::fmt;

/// A decimal number in billionths: exact for prices, and of one form for each number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal(i128);

/// Digits after the point that are kept.
const PLACES: usize = 9;
const ONE: i128 = 1_000_000_000;
/// Digits before the point.
const DIGITS_MAX: usize = 24;

impl Decimal {
    /// A number of so many billionths; `None`: it has more than 24 digits before the point.
    pub fn of_billionths(billionths: i128) -> Option<Decimal> {
        let bound = 10_i128.pow((DIGITS_MAX + PLACES) as u32);
        (billionths.abs() < bound).then_some(Decimal(billionths))
    }

    /// Reads `-12.5`; digits beyond the ninth after the point are dropped. `None`: this is no
    /// number, or it has more than 24 digits before the point.
    pub fn parse(text: &str) -> Option<Decimal> {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
        let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
        let is_number =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(part) {
            return None;
        }
        let whole = whole.trim_start_matches('0');
        if whole.len() > DIGITS_MAX {
            return None;
        }
        let part: String = part.chars().chain("000000000".chars()).take(PLACES).collect();
        let billionths: i128 = format!("0{whole}{part}").parse().ok()?;
        Some(Decimal(sign * billionths))
    }

    /// The number in billionths.
    pub fn billionths(self) -> i128 {
        self.0
    }

    /// How far two numbers are apart.
    pub fn distance(self, other: Decimal) -> Decimal {
        Decimal((self.0 - other.0).abs())
    }

    /// About this number, for charts.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / ONE as f64
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) =
            (self.0.unsigned_abs() / ONE as u128, self.0.unsigned_abs() % ONE as u128);
        let sign = if self.0 < 0 { "-" } else { "" };
        let part = format!("{part:09}");
        let part = part.trim_end_matches('0');
        let point = if part.is_empty() { "" } else { "." };
        write!(f, "{sign}{whole}{point}{part}")
    }
}

/// A number with its unit: `%`, the code of a currency, `kg`; none, if it stands alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount {
    pub number: Decimal,
    pub unit: Option<Box<str>>,
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.unit {
            Some(unit) => write!(f, "{} {unit}", self.number),
            None => write!(f, "{}", self.number),
        }
    }
}

/// The code of a currency that is written as a sign, a code or an abbreviation; `None`: it is no
/// currency. A sign that several have is that of the most used: `$` is USD, `¥` is JPY.
pub fn currency(written: &str) -> Option<&'static str> {
    let signs = SIGNS.iter().find(|(sign, _)| *sign == written).map(|(_, code)| *code);
    signs.or_else(|| CODES.iter().find(|code| **code == written).copied())
}

#[rustfmt::skip]
const SIGNS: [(&str, &str); 42] = [
    ("€", "EUR"), ("$", "USD"), ("£", "GBP"), ("¥", "JPY"), ("￥", "JPY"), ("円", "JPY"),
    ("元", "CNY"), ("₹", "INR"), ("Rs", "INR"), ("Rs.", "INR"), ("₽", "RUB"), ("руб", "RUB"),
    ("руб.", "RUB"), ("₩", "KRW"), ("원", "KRW"), ("₺", "TRY"), ("TL", "TRY"), ("₴", "UAH"),
    ("zł", "PLN"), ("Kč", "CZK"), ("Ft", "HUF"), ("lei", "RON"), ("лв", "BGN"), ("лв.", "BGN"),
    ("kr", "kr"), ("kr.", "kr"), ("Fr.", "CHF"), ("SFr.", "CHF"), ("₪", "ILS"), ("₫", "VND"),
    ("฿", "THB"), ("₱", "PHP"), ("₦", "NGN"), ("R$", "BRL"), ("US$", "USD"), ("A$", "AUD"),
    ("AU$", "AUD"), ("C$", "CAD"), ("CA$", "CAD"), ("NZ$", "NZD"), ("HK$", "HKD"), ("S$", "SGD"),
];

#[rustfmt::skip]
const CODES: [&str; 152] = [
    "AED", "AFN", "ALL", "AMD", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BGN",
    "BHD", "BIF", "BMD", "BND", "BOB", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF",
    "CHF", "CLP", "CNY", "COP", "CRC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD", "EGP",
    "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD",
    "HKD", "HNL", "HTG", "HUF", "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JMD", "JOD", "JPY",
    "KES", "KGS", "KHR", "KMF", "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD",
    "LSL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MRU", "MUR", "MVR", "MWK",
    "MXN", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "OMR", "PAB", "PEN", "PGK",
    "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR", "SBD", "SCR", "SDG",
    "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "THB", "TJS",
    "TMT", "TND", "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "UYU", "UZS", "VED",
    "VES", "VND", "VUV", "WST", "XAF", "XCD", "XOF", "XPF", "YER",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact_and_have_one_form() {
        for (written, form) in [
            ("0", "0"),
            ("-0", "0"),
            ("007.50", "7.5"),
            ("-1299.00", "-1299"),
            ("0.1", "0.1"),
            ("1.0000000019", "1.000000001"),
        ] {
            assert_eq!(Decimal::parse(written).unwrap().to_string(), form);
        }
        for wrong in ["", "-", "1.", ".5", "1,5", "1e5", "+1", "1234567890123456789012345"] {
            assert_eq!(Decimal::parse(wrong), None, "{wrong}");
        }
        assert!(Decimal::parse("9.99") < Decimal::parse("10"));
    }

    #[test]
    fn currencies_are_known_by_sign_and_code() {
        assert_eq!(["€", "US$", "CHF", "zł"].map(currency), ["EUR", "USD", "CHF", "PLN"].map(Some));
        assert_eq!(["eur", "kg", ""].map(currency), [None, None, None]);
    }
}
