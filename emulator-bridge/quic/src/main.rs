//! paceline-quic: sends and receives over QUIC (quinn) with our congestion control or quinn's own; docs/quic.md.
mod cca;
mod client;
mod clock;
#[rustfmt::skip]
#[path = "columns.gen.rs"]
mod columns;
mod failure;
mod go;
mod histogram;
mod host;
mod lateness;
mod meter;
mod options;
mod qlog;
mod report;
mod sampling;
mod server;
mod socket;
mod source;
#[rustfmt::skip]
#[path = "summary.gen.rs"]
mod summary;
mod system;
mod telemetry;
mod tls;
mod transport;
mod wire;

use failure::Failure;
use options::Command;
use std::process::ExitCode;
use telemetry::Telemetry;

fn main() -> ExitCode {
    match options::parse(std::env::args().skip(1)).and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::BadInput(why)) => {
            eprintln!("paceline-quic: {why}");
            ExitCode::from(2)
        }
        Err(Failure::Failed(why)) => {
            eprintln!("paceline-quic: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Print(text) => {
            print!("{text}");
            Ok(())
        }
        Command::Client(options) => conclude(Telemetry::new(options.common.format), |out| client::run(&options, out)),
        Command::Server(options) => conclude(Telemetry::new(options.common.format), |out| server::run(&options, out)),
    }
}

/// A run that fails on its way says so in the telemetry, too.
fn conclude(mut out: Telemetry, work: impl FnOnce(&mut Telemetry) -> Result<(), Failure>) -> Result<(), Failure> {
    system::prepare_process();
    let outcome = work(&mut out);
    if let (Err(Failure::Failed(why) | Failure::BadInput(why)), true) = (&outcome, out.greeted()) {
        let _ = out.control(&serde_json::json!({"type": "error", "message": why}));
    }
    let written = out.finish();
    outcome.and(written)
}
