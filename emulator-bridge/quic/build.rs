//! Links the archive of our CCAs (native/c_abi) and notes which quinn this is.
use std::{env, fs, path::Path};

fn main() {
    let here = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let native = env::var("PACELINE_NATIVE_BUILD").unwrap_or(format!("{here}/../../build/native"));
    let archive = Path::new(&native).join("libpaceline_cca_c.a");
    println!("cargo:rerun-if-env-changed=PACELINE_NATIVE_BUILD");
    println!("cargo:rerun-if-changed={}", archive.display());
    println!("cargo:rerun-if-changed=Cargo.lock");
    println!("cargo:rustc-link-search=native={native}");
    // Whole: CCAs register themselves, nothing refers to them.
    println!("cargo:rustc-link-lib=static:+whole-archive=paceline_cca_c");
    println!("cargo:rustc-link-lib=stdc++");

    let lock = fs::read_to_string(format!("{here}/Cargo.lock")).unwrap_or_default();
    let quinn = lock.split("name = \"quinn-proto\"\nversion = \"").nth(1).and_then(|rest| rest.split('"').next());
    println!("cargo:rustc-env=QUINN_PROTO_VERSION={}", quinn.unwrap_or("unknown"));
}
