//! `tidings-VERSION-oci.tar`: an image of one layer for `podman load`, `docker load` and
//! registries, <https://github.com/opencontainers/image-spec>.

use super::{Parts, asked, gzip, put, tar, write};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The number of the user inside.
const USER: u32 = 65_532;
/// Where the volume is mounted.
const DATA: &str = "var/lib/tidings";

pub(super) fn make(parts: &Parts) -> Result<PathBuf> {
    let (tree, image) = (parts.out.join("image"), parts.out.join("oci"));
    for folder in [&tree, &image] {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
    }
    files(&parts.binary, &tree)?;
    let layer = layer(parts, &tree)?;
    let unpacked = digest(&layer)?;
    let layer = Blob::of_file(&gzip(&layer)?, &image)?;
    let config = Blob::of_json(&config(parts, &unpacked), &image)?;
    let kind = |what: &str| format!("application/vnd.oci.image.{what}");
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": kind("manifest.v1+json"),
        "config": config.described(&kind("config.v1+json")),
        "layers": [layer.described(&kind("layer.v1.tar+gzip"))],
    });
    let manifest = Blob::of_json(&manifest, &image)?;
    let mut described = manifest.described(&kind("manifest.v1+json"));
    let name = json!({"org.opencontainers.image.ref.name": format!("tidings:{}", parts.version)});
    described["annotations"] = name;
    let index = json!({"schemaVersion": 2, "manifests": [described]});
    write(&index.to_string(), &image.join("index.json"), 0o644)?;
    write(r#"{"imageLayoutVersion":"1.0.0"}"#, &image.join("oci-layout"), 0o644)?;
    let archive = parts.out.join(format!("tidings-{}-oci.tar", parts.version));
    tar(&image, &archive, &["oci-layout", "index.json", "blobs"])?;
    Ok(archive)
}

/// The system inside: the binary, what it is linked with, and how it knows users and hosts.
fn files(binary: &Path, tree: &Path) -> Result<()> {
    put(binary, &tree.join("usr/bin/tidings"), 0o755)?;
    for library in libraries(binary) {
        let inside = library.strip_prefix("/").context("ldd names whole paths")?;
        put(&fs::canonicalize(&library)?, &tree.join(inside), 0o755)?;
    }
    let passwd = format!(
        "root:x:0:0:root:/root:/sbin/nologin\ntidings:x:{USER}:{USER}::/{DATA}:/sbin/nologin\n"
    );
    write(&passwd, &tree.join("etc/passwd"), 0o644)?;
    write(&format!("root:x:0:\ntidings:x:{USER}:\n"), &tree.join("etc/group"), 0o644)?;
    write("hosts: files dns\n", &tree.join("etc/nsswitch.conf"), 0o644)?;
    for (folder, mode) in [("tmp", 0o1777), (DATA, 0o700)] {
        fs::create_dir_all(tree.join(folder))?;
        fs::set_permissions(tree.join(folder), fs::Permissions::from_mode(mode))?;
    }
    Ok(())
}

/// The loader and libraries of a binary, with those that look up names; none of a static one.
fn libraries(binary: &Path) -> Vec<PathBuf> {
    let said = asked(Command::new("ldd").arg(binary)).unwrap_or_default();
    let said = String::from_utf8_lossy(&said).into_owned();
    let paths = said.split_whitespace().filter(|word| word.starts_with('/'));
    let mut paths: Vec<PathBuf> = paths.map(PathBuf::from).collect();
    let libc = paths.iter().find(|path| path.file_name().is_some_and(|name| name == "libc.so.6"));
    if let Some(folder) = libc.and_then(|libc| libc.parent()).map(Path::to_owned) {
        // Since glibc 2.34 its own library has them inside.
        let names = ["libnss_files.so.2", "libnss_dns.so.2", "libresolv.so.2"];
        paths.extend(names.map(|name| folder.join(name)).into_iter().filter(|path| path.exists()));
    }
    paths.sort();
    paths.dedup();
    paths
}

/// Everything is root's but the data.
fn layer(parts: &Parts, tree: &Path) -> Result<PathBuf> {
    let layer = parts.out.join("layer.tar");
    let mut entries: Vec<String> = Vec::new();
    for entry in fs::read_dir(tree)? {
        entries.push(entry?.file_name().to_string_lossy().into_owned());
    }
    entries.sort();
    let data = format!("--exclude={DATA}");
    let mut content = vec![data.as_str()];
    content.extend(entries.iter().map(String::as_str));
    tar(tree, &layer, &content)?;
    let mut append = Command::new("tar");
    append.arg(format!("--owner={USER}")).arg(format!("--group={USER}"));
    append.args(["--mtime=@0", "--numeric-owner", "--no-recursion", "-rf"]);
    asked(append.arg(&layer).arg("-C").arg(tree).arg(DATA))?;
    Ok(layer)
}

fn config(parts: &Parts, unpacked: &str) -> Value {
    let machine = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    json!({
        "architecture": machine,
        "os": "linux",
        "config": {
            "User": format!("{USER}:{USER}"),
            "Entrypoint": ["/usr/bin/tidings"],
            "Cmd": ["serve", "--listen", "0.0.0.0:7780"],
            "Env": ["PATH=/usr/bin", format!("TIDINGS_DATA_DIR=/{DATA}")],
            "ExposedPorts": {"7780/tcp": {}},
            "Volumes": {format!("/{DATA}"): {}},
            "WorkingDir": "/",
            "Labels": {"org.opencontainers.image.version": parts.version},
        },
        "rootfs": {"type": "layers", "diff_ids": [format!("sha256:{unpacked}")]},
        "history": [{"created_by": "cargo xtask dist"}],
    })
}

/// A file of the image, named by what it holds.
struct Blob {
    digest: String,
    bytes: u64,
}

impl Blob {
    fn of_json(value: &Value, image: &Path) -> Result<Blob> {
        let file = image.join("blob");
        write(&value.to_string(), &file, 0o644)?;
        Blob::of_file(&file, image)
    }

    fn of_file(file: &Path, image: &Path) -> Result<Blob> {
        let (digest, bytes) = (digest(file)?, fs::metadata(file)?.len());
        put(file, &image.join("blobs/sha256").join(&digest), 0o644)?;
        fs::remove_file(file)?;
        Ok(Blob { digest, bytes })
    }

    fn described(&self, kind: &str) -> Value {
        json!({"mediaType": kind, "digest": format!("sha256:{}", self.digest), "size": self.bytes})
    }
}

/// SHA-256 in hexadecimal digits.
fn digest(file: &Path) -> Result<String> {
    let said = String::from_utf8(asked(Command::new("sha256sum").arg(file))?)?;
    Ok(said.split_whitespace().next().context("sha256sum says a digest")?.to_owned())
}
