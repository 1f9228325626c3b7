//! Which congestion control: `paceline:ID` is one of ours through its C interface, `quinn:ID` one of quinn's own.
mod abi;
mod ours;
mod watched;
mod window_rule;

pub use ours::{engine_version, ids, Ours};
pub use watched::{Algorithm, Watched};

use crate::wire::{Wire, MTU};
use quinn_proto::congestion::{BbrConfig, ControllerFactory, CubicConfig, NewRenoConfig};
use std::sync::Arc;
use std::time::Instant;

/// quinn's own, and whether they grow a window (BBR models the path instead, and has its own idea of an idle application).
type QuinnEntry = (&'static str, bool, fn() -> Arc<dyn ControllerFactory>);
const QUINN: [QuinnEntry; 3] = [
    ("newreno", true, || Arc::new(NewRenoConfig::default())),
    ("cubic", true, || Arc::new(CubicConfig::default())),
    ("bbr", false, || Arc::new(BbrConfig::default())),
];

#[derive(Clone)]
pub struct Choice {
    /// As on the command line.
    pub id: String,
    pub params: Vec<(String, String)>,
    pub grow_underutilised: bool,
    pub seed: u64,
}

impl Choice {
    pub fn make(&self, now_ns: i64, now: Instant, wire: Wire) -> Result<Algorithm, String> {
        if let Some(id) = self.id.strip_prefix("paceline:") {
            return Ours::new(id, &self.params, now_ns, MTU, self.seed).map(Algorithm::Ours);
        }
        let Some((_, by_window, config)) = QUINN.iter().find(|(id, ..)| self.id.strip_prefix("quinn:") == Some(id))
        else {
            return Err(format!("there is no CCA {}; there are {}", self.id, all().join(", ")));
        };
        if !self.params.is_empty() {
            return Err(format!("{} has no parameters", self.id));
        }
        let controller = config().build(now, wire.payload() as u16);
        Ok(Algorithm::Quinn { controller, by_window: *by_window })
    }
}

/// Everything that --cca understands.
pub fn all() -> Vec<String> {
    let ours = ids().into_iter().map(|id| format!("paceline:{id}"));
    ours.chain(QUINN.iter().map(|(id, ..)| format!("quinn:{id}"))).collect()
}
