//! Spells of writing and of silence in turn, of fixed or of drawn length.

pub struct Spells {
    on_s: f64,
    off_s: f64,
    exponential: bool,
    random: u64,
    on: bool,
    began_s: f64,
    end_s: f64,
    /// Spent writing in the spells before this one.
    before_s: f64,
}

/// So that time moves on.
const SHORTEST_S: f64 = 1e-6;

impl Spells {
    pub fn new(on_s: f64, off_s: f64, exponential: bool, seed: u64) -> Self {
        let mut spells =
            Self { on_s, off_s, exponential, random: seed, on: true, began_s: 0.0, end_s: 0.0, before_s: 0.0 };
        spells.end_s = spells.length(on_s);
        spells
    }

    /// Time spent writing by `now_s`, which never goes back.
    pub fn written(&mut self, now_s: f64) -> f64 {
        while self.end_s <= now_s {
            if self.on {
                self.before_s += self.end_s - self.began_s;
            }
            self.on = !self.on;
            self.began_s = self.end_s;
            self.end_s += self.length(if self.on { self.on_s } else { self.off_s });
        }
        self.before_s + if self.on { now_s - self.began_s } else { 0.0 }
    }

    pub fn on(&self) -> bool {
        self.on
    }

    /// Of the spell under way.
    pub fn end(&self) -> f64 {
        self.end_s
    }

    /// When so much time will have been spent writing, if that is within the spell under way.
    pub fn when_written(&self, written_s: f64) -> Option<f64> {
        let when = self.began_s + written_s - self.before_s;
        (self.on && when < self.end_s).then_some(when)
    }

    fn length(&mut self, mean_s: f64) -> f64 {
        if !self.exponential {
            return mean_s;
        }
        (-mean_s * (1.0 - self.uniform()).ln()).max(SHORTEST_S)
    }

    /// In [0, 1): splitmix64.
    fn uniform(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_spells_are_on_for_their_share_of_the_time() {
        let mut spells = Spells::new(0.03, 0.09, true, 7);
        let written = spells.written(10_000.0);
        assert!((written / 10_000.0 - 0.25).abs() < 0.005, "{written}");
    }
}
