//! What cargo knows of the workspace: members, their dependencies, outside crates and licences.

use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// The workspace as `cargo metadata` sees it.
pub struct Packages {
    json: Value,
}

impl Packages {
    pub fn read(root: &Path) -> Result<Packages> {
        let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["metadata", "--format-version=1", "--locked"])
            .current_dir(root)
            .output()?;
        let json = serde_json::from_slice(&output.stdout)
            .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
        Ok(Packages { json })
    }

    fn packages(&self) -> impl Iterator<Item = &Value> {
        self.json["packages"].as_array().into_iter().flatten()
    }

    fn is_member(&self, package: &Value) -> bool {
        let members = self.json["workspace_members"].as_array();
        members.is_some_and(|members| members.contains(&package["id"]))
    }

    /// The version of what people install.
    pub fn version(&self) -> Option<&str> {
        let tidings = self.packages().find(|p| self.is_member(p) && name(p) == "tidings");
        tidings?["version"].as_str()
    }

    /// Every member with the members it depends on; dev-dependencies left out.
    pub fn members(&self) -> BTreeMap<String, BTreeSet<String>> {
        let names: BTreeSet<String> =
            self.packages().filter(|p| self.is_member(p)).map(name).collect();
        let own = |package: &Value| direct(package).filter(|d| names.contains(d)).collect();
        self.packages().filter(|p| self.is_member(p)).map(|p| (name(p), own(p))).collect()
    }

    /// Outside crates that a member names itself.
    pub fn direct_outside(&self) -> BTreeSet<String> {
        let members = self.members();
        let member = |p: &&Value| self.is_member(p);
        let all = self.packages().filter(member).flat_map(every_direct);
        all.filter(|name| !members.contains_key(name)).collect()
    }

    /// Everything that is compiled into `member`, by name.
    pub fn tree(&self, member: &str) -> BTreeSet<String> {
        let nodes: BTreeMap<&str, &Value> = (self.json["resolve"]["nodes"].as_array())
            .into_iter()
            .flatten()
            .filter_map(|node| Some((node["id"].as_str()?, node)))
            .collect();
        let named: BTreeMap<&str, String> =
            self.packages().filter_map(|p| Some((p["id"].as_str()?, name(p)))).collect();
        let start = self.packages().find(|p| self.is_member(p) && name(p) == member);
        let mut waiting: Vec<&str> = start.and_then(|p| p["id"].as_str()).into_iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(id) = waiting.pop() {
            if seen.insert(id) {
                let deps = nodes.get(id).and_then(|node| node["deps"].as_array());
                waiting.extend(deps.into_iter().flatten().filter_map(normal_dependency));
            }
        }
        seen.into_iter().filter_map(|id| named.get(id).cloned()).collect()
    }

    /// Name and licence of every outside crate.
    pub fn licences(&self) -> Vec<(String, String)> {
        let outside = self.packages().filter(|p| !self.is_member(p));
        let licence = |p: &Value| p["license"].as_str().unwrap_or("none").to_owned();
        outside.map(|p| (name(p), licence(p))).collect()
    }
}

fn name(package: &Value) -> String {
    package["name"].as_str().unwrap_or_default().to_owned()
}

fn direct(package: &Value) -> impl Iterator<Item = String> {
    let normal = package["dependencies"].as_array().into_iter().flatten();
    normal.filter(|d| d["kind"].is_null()).map(name)
}

fn every_direct(package: &Value) -> impl Iterator<Item = String> {
    package["dependencies"].as_array().into_iter().flatten().map(name)
}

/// The dependency's id, unless it is for tests or build scripts only.
fn normal_dependency(dependency: &Value) -> Option<&str> {
    let kinds = dependency["dep_kinds"].as_array()?;
    kinds.iter().any(|kind| kind["kind"].is_null()).then(|| dependency["pkg"].as_str())?
}
