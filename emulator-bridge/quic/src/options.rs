//! The command line.
use crate::cca::{self, Choice};
use crate::failure::{bad, Failure};
use crate::source::SourceKind;
use crate::telemetry::Format;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

pub const HELP: &str = "\
Usage: paceline-quic server --listen ADDR:PORT [options]
       paceline-quic client --connect ADDR:PORT --cca CCA [options]

The client sends over QUIC (quinn), the server takes everything that comes. Both write telemetry on standard output: `ready`
with their port; then, when a line {\"type\":\"go\",\"start_ns\":N} has come on standard input, samples, events and a summary. The end
of standard input stops them at once.

Client:
  --cca CCA               paceline:ID (one of ours) or quinn:newreno, quinn:cubic, quinn:bbr; --list-ccas lists all
  --param NAME=VALUE      a parameter of one of ours; may be repeated
  --source bulk|rate:MBPS|on-off:ON_S,OFF_S,fixed|exponential[,MBPS]
                          what the application has to send (bulk)
  --grow-underutilised    without the rule of RFC 9002 section 7.8: the window also grows while it is not used
  --bind ADDR:PORT        where to send from (any address, any port)
  --start S, --stop S     when the flow starts and stops within the run (0, never)
  --base-rtt-ms MS        of the path, for the summary's delay inflation
  --seed N                of the algorithm's randomness (1)
  --qlog FILE             quinn's own qlog (JSON text sequences, schema 0.3), for qvis: name it .sqlog
  --qlog-limit-mb MB      the log ends there, and says so (no limit)

Server:
  --window-limit BYTES    flow control: so much data may be on their way (no limit that matters)

Both:
  --duration S            of the run (10)
  --sample-ms MS          a row of samples this often (10)
  --format frames|ndjson  telemetry for programs or for people (frames)
  --flow N                number of the flow in the telemetry (0)
  --now                   start at once, without go, and do not listen to standard input
  --no-gso                one packet per system call, as it goes through a TUN without offload
  --no-ecn                packets are not marked as ECN-capable
  --guest                 whoever made the network counts what its kernel drops
  --help, --version, --list-ccas
  --describe-ccas         what --list-ccas names, for programs (JSON)

Exit codes: 0 done, 1 failed, 2 bad input.
";

/// Of a receiver, in bytes: larger than any path's bandwidth times delay.
pub const LARGEST_WINDOW: u32 = 1 << 30;

pub struct Common {
    pub duration_s: f64,
    pub sample_ms: f64,
    pub format: Format,
    pub flow: u16,
    pub now: bool,
    pub gso: bool,
    pub ecn: bool,
    pub guest: bool,
}

pub struct Client {
    pub common: Common,
    pub connect: SocketAddr,
    pub bind: Option<SocketAddr>,
    pub choice: Choice,
    pub source: SourceKind,
    pub start_s: f64,
    pub stop_s: Option<f64>,
    pub base_rtt_ms: f64,
    pub qlog: Option<Qlog>,
}

pub struct Qlog {
    pub path: PathBuf,
    pub limit_bytes: u64,
}

pub struct Server {
    pub common: Common,
    pub listen: SocketAddr,
    /// Flow control: bytes of data that may be on their way.
    pub window: u32,
}

pub enum Command {
    Client(Box<Client>),
    Server(Server),
    Print(String),
}

pub fn parse(words: impl Iterator<Item = String>) -> Result<Command, Failure> {
    let mut words: VecDeque<String> = words.collect();
    if words.is_empty() {
        return bad("server or client? (see --help)");
    }
    let has = |name: &str| words.iter().any(|word| word == name);
    if has("--help") || has("-h") {
        return Ok(Command::Print(HELP.into()));
    }
    if has("--version") {
        return Ok(Command::Print(format!(
            "{} (quinn-proto {})\n",
            cca::engine_version(),
            env!("QUINN_PROTO_VERSION")
        )));
    }
    if has("--describe-ccas") {
        return Ok(Command::Print(cca::describe()? + "\n"));
    }
    if has("--list-ccas") {
        return Ok(Command::Print(cca::all().join("\n") + "\n"));
    }
    match words.pop_front().as_deref() {
        Some("client") => client(Words(words)).map(|client| Command::Client(Box::new(client))),
        Some("server") => server(Words(words)).map(Command::Server),
        other => bad(format!("{} is neither server nor client (see --help)", other.unwrap_or_default())),
    }
}

fn client(mut words: Words) -> Result<Client, Failure> {
    let common = common(&mut words)?;
    let mut params = Vec::new();
    while let Some(param) = words.value("--param")? {
        match param.split_once('=') {
            Some((name, value)) => params.push((name.to_string(), value.to_string())),
            None => return bad(format!("--param {param} is not NAME=VALUE")),
        }
    }
    let client = Client {
        connect: words.needed("--connect")?,
        bind: words.read("--bind")?,
        choice: Choice {
            id: words.needed("--cca")?,
            params,
            grow_underutilised: words.flag("--grow-underutilised"),
            seed: words.read("--seed")?.unwrap_or(1),
        },
        source: words.value("--source")?.map_or(Ok(SourceKind::Bulk), |text| SourceKind::parse(&text))?,
        start_s: words.number("--start", 0.0, 0.0)?,
        stop_s: words.value("--stop")?.map(|text| number("--stop", &text, 0.0)).transpose()?,
        base_rtt_ms: words.number("--base-rtt-ms", 0.0, 0.0)?,
        qlog: qlog(&mut words)?,
        common,
    };
    words.end()?;
    Ok(client)
}

fn qlog(words: &mut Words) -> Result<Option<Qlog>, Failure> {
    let limit = words.value("--qlog-limit-mb")?.map(|text| number("--qlog-limit-mb", &text, 1.0)).transpose()?;
    let limit_bytes = limit.map_or(u64::MAX, |mb| (mb * 1e6) as u64);
    match words.read("--qlog")? {
        None if limit.is_some() => bad("--qlog-limit-mb without --qlog"),
        path => Ok(path.map(|path| Qlog { path, limit_bytes })),
    }
}

fn server(mut words: Words) -> Result<Server, Failure> {
    let common = common(&mut words)?;
    let listen = words.needed("--listen")?;
    let window = words.read("--window-limit")?.unwrap_or(LARGEST_WINDOW);
    if !(1500..=LARGEST_WINDOW).contains(&window) {
        return bad(format!("--window-limit: {window} is not a number of bytes from 1500 to {LARGEST_WINDOW}"));
    }
    words.end()?;
    Ok(Server { common, listen, window })
}

fn common(words: &mut Words) -> Result<Common, Failure> {
    Ok(Common {
        duration_s: words.number("--duration", 10.0, 0.001)?,
        sample_ms: words.number("--sample-ms", 10.0, 1.0)?,
        format: words.value("--format")?.map_or(Ok(Format::Frames), |text| Format::parse(&text))?,
        flow: words.read("--flow")?.unwrap_or(0),
        now: words.flag("--now"),
        gso: !words.flag("--no-gso"),
        ecn: !words.flag("--no-ecn"),
        guest: words.flag("--guest"),
    })
}

/// The words that are left; each is taken out by whoever understands it.
struct Words(VecDeque<String>);

impl Words {
    fn flag(&mut self, name: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|word| word != name);
        self.0.len() < before
    }

    fn value(&mut self, name: &str) -> Result<Option<String>, Failure> {
        let Some(at) = self.0.iter().position(|word| word == name) else {
            return Ok(None);
        };
        self.0.remove(at);
        match self.0.remove(at) {
            Some(value) => Ok(Some(value)),
            None => bad(format!("{name} needs a value")),
        }
    }

    fn read<T: FromStr>(&mut self, name: &str) -> Result<Option<T>, Failure> {
        let Some(text) = self.value(name)? else { return Ok(None) };
        match text.parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => bad(format!("{name}: {text} cannot be read")),
        }
    }

    fn needed<T: FromStr>(&mut self, name: &str) -> Result<T, Failure> {
        match self.read(name)? {
            Some(value) => Ok(value),
            None => bad(format!("{name} is missing (see --help)")),
        }
    }

    fn number(&mut self, name: &str, initial: f64, least: f64) -> Result<f64, Failure> {
        self.value(name)?.map_or(Ok(initial), |text| number(name, &text, least))
    }

    fn end(&self) -> Result<(), Failure> {
        match self.0.front() {
            None => Ok(()),
            Some(word) => bad(format!("{word} is not understood (see --help)")),
        }
    }
}

fn number(name: &str, text: &str, least: f64) -> Result<f64, Failure> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= least && value <= 1e6 => Ok(value),
        _ => bad(format!("{name}: {text} is not a number from {least} to 1000000")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(line: &str) -> String {
        match parse(line.split_whitespace().map(String::from)) {
            Err(Failure::BadInput(why)) => why,
            _ => panic!("{line} was taken"),
        }
    }

    #[test]
    fn a_client_is_read_in_any_order() {
        let line = "client --param beta=0.5 --source rate:20 --no-gso --cca paceline:cubic --param C=1 --connect 10.0.0.2:4433";
        let Ok(Command::Client(client)) = parse(line.split_whitespace().map(String::from)) else { panic!() };
        assert_eq!(client.connect, "10.0.0.2:4433".parse().unwrap());
        assert_eq!(client.choice.params, [("beta".into(), "0.5".into()), ("C".into(), "1".into())]);
        assert_eq!(client.source, SourceKind::Rate { mbps: 20.0 });
        assert!(!client.common.gso && client.common.ecn && !client.choice.grow_underutilised);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(refusal("client --connect 1.2.3.4:5"), "--cca is missing (see --help)");
        assert_eq!(refusal("server --listen here"), "--listen: here cannot be read");
        assert_eq!(
            refusal("server --listen 1.2.3.4:5 --window-limit 1499"),
            "--window-limit: 1499 is not a number of bytes from 1500 to 1073741824"
        );
        assert_eq!(refusal("server --listen 1.2.3.4:5 --cca x"), "--cca is not understood (see --help)");
        assert_eq!(
            refusal("server --listen 1.2.3.4:5 --duration -1"),
            "--duration: -1 is not a number from 0.001 to 1000000"
        );
        assert_eq!(refusal("client --connect 1.2.3.4:5 --cca"), "--cca needs a value");
    }
}
