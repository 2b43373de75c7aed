//! Chance that is the same every time: hashes of what it is asked for, no state to keep.

/// Draws from one named purpose; the same seed and names give the same draws.
#[derive(Debug, Clone)]
pub struct Chance {
    state: u64,
}

impl Chance {
    /// Draws for `seed` and the names that say what they are for.
    pub fn of(seed: u64, name: &str, numbers: &[u64]) -> Chance {
        let mut chance = Chance { state: seed };
        let bytes = name.bytes().map(u64::from);
        for part in bytes.chain(numbers.iter().copied()) {
            chance.state = chance.state.rotate_left(7) ^ part;
            chance.state = chance.next();
        }
        chance
    }

    /// The same for one more name.
    pub fn and(self, name: &str) -> Chance {
        Chance::of(self.state, name, &[])
    }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `bound` − 1; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    pub fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len() as u64) as usize]
    }

    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as u64 + 1) as usize);
        }
    }

    /// Sixteen hexadecimal digits, as tokens and class names have them.
    pub fn hex(&mut self) -> String {
        format!("{:016x}", self.next())
    }
}
