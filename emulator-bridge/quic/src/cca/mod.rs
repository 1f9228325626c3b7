//! Which congestion control: `paceline:ID` is one of ours through its C interface, `quinn:ID` one of quinn's own.
mod abi;
mod ours;
mod watched;
mod window_rule;

pub use ours::{engine_version, ids, Ours};
pub use watched::{Algorithm, Watched};

use crate::failure::Failure;
use crate::wire::{Wire, MTU};
use quinn_proto::congestion::{BbrConfig, ControllerFactory, CubicConfig, NewRenoConfig};
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;

/// One of quinn's own.
struct QuinnCca {
    /// Also that of ours by the same algorithm.
    id: &'static str,
    label: &'static str,
    /// BBR models the path instead, and has its own idea of an idle application.
    grows_window: bool,
    summary: &'static str,
    config: fn() -> Arc<dyn ControllerFactory>,
}

const QUINN: [QuinnCca; 3] = [
    QuinnCca {
        id: "newreno",
        label: "NewReno",
        grows_window: true,
        summary: "NewReno as the QUIC stack quinn has it (RFC 9002): real packets of a real stack.",
        config: || Arc::new(NewRenoConfig::default()),
    },
    QuinnCca {
        id: "cubic",
        label: "Cubic",
        grows_window: true,
        summary: "Cubic as the QUIC stack quinn has it, its default: real packets of a real stack.",
        config: || Arc::new(CubicConfig::default()),
    },
    QuinnCca {
        id: "bbr",
        label: "BBR",
        grows_window: false,
        summary: "BBR as the QUIC stack quinn has it, which calls it experimental: real packets of a real stack.",
        config: || Arc::new(BbrConfig::default()),
    },
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
        let Some(found) = QUINN.iter().find(|cca| self.id.strip_prefix("quinn:") == Some(cca.id)) else {
            return Err(format!("there is no CCA {}; there are {}", self.id, all().join(", ")));
        };
        if !self.params.is_empty() {
            return Err(format!("{} has no parameters", self.id));
        }
        let controller = (found.config)().build(now, wire.payload() as u16);
        Ok(Algorithm::Quinn { controller, by_window: found.grows_window })
    }
}

/// Everything that --cca understands.
pub fn all() -> Vec<String> {
    let ours = ids().into_iter().map(|id| format!("paceline:{id}"));
    ours.chain(QUINN.iter().map(|cca| format!("quinn:{}", cca.id))).collect()
}

/// Parameters of ours that change nothing here: whoever does not pace itself is paced by quinn.
const INEFFECTIVE: [&str; 1] = ["pacing"];

/// The same with what a program wants to know of each: which of the engine's algorithms it is (whose description and parameters
/// hold for ours), and whether the rule of RFC 9002 section 7.8 means anything to it.
pub fn describe() -> Result<String, Failure> {
    let ours = ids().into_iter().map(|id| {
        let example = Ours::new(id, &[], 0, MTU, 1).map_err(Failure::Failed)?;
        Ok(json!({
            "cca": format!("paceline:{id}"),
            "twin": id,
            "own_code": true,
            "grows_window": !example.paces_itself(),
            "ineffective": INEFFECTIVE,
        }))
    });
    let ours = ours.collect::<Result<Vec<_>, Failure>>()?;
    let quinn = QUINN.iter().map(|cca| {
        json!({
            "cca": format!("quinn:{}", cca.id),
            "twin": cca.id,
            "own_code": false,
            "grows_window": cca.grows_window,
            "label": cca.label,
            "summary": cca.summary,
            "source": concat!("quinn-proto ", env!("QUINN_PROTO_VERSION")),
        })
    });
    let ccas: Vec<_> = ours.into_iter().chain(quinn).collect();
    Ok(json!({"engine_version": engine_version(), "ccas": ccas}).to_string())
}
