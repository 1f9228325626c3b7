//! What ends the program early: a sentence and an exit code.
use std::fmt::Display;

#[derive(Debug)]
pub enum Failure {
    /// Exit code 2: what was asked for makes no sense.
    BadInput(String),
    /// Exit code 1.
    Failed(String),
}

pub fn bad<T>(why: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::BadInput(why.into()))
}

/// Explains an error of the system: `what` could not be done.
pub fn because<E: Display>(what: &str) -> impl FnOnce(E) -> Failure + '_ {
    move |error| Failure::Failed(format!("{what}: {error}"))
}
