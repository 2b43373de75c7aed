//! A release whose binary is `cat`: linked as any other, and made in no time.

use super::*;

/// Whether this machine can make packages; says so if it cannot.
fn can_make_packages() -> bool {
    let can = ["dpkg", "dpkg-deb", "tar", "gzip", "sha256sum", "ldd"].iter().all(|tool| {
        Command::new(tool).arg("--version").output().is_ok_and(|said| said.status.success())
    });
    if !can {
        eprintln!("not run: dpkg, tar, gzip, sha256sum and ldd are needed");
    }
    can
}

fn parts(out: &Path, version: &str) -> Parts {
    let parts = Parts {
        version: version.to_owned(),
        binary: "/bin/cat".into(),
        man: out.join("man"),
        completions: out.join("completions"),
        root: crate::root(),
        out: out.to_owned(),
    };
    write(".TH tidings 1\n", &parts.man.join("tidings.1"), 0o644).expect("written");
    for (shell, file) in SHELLS {
        write(shell, &parts.completions.join(file), 0o644).expect("written");
    }
    parts
}

fn listed(archive: &Path) -> String {
    let said = asked(Command::new("tar").arg("-tvf").arg(archive)).expect("a tar");
    String::from_utf8(said).expect("text")
}

#[test]
fn an_archive_holds_what_one_installs_by_hand_and_the_same_files_make_the_same_one() {
    if !can_make_packages() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let parts = parts(folder.path(), "1.2.3");
    let archive = archive::make(&parts).expect("made");
    let listed = listed(&archive);
    for file in ["tidings", "man/tidings.1", "completions/_tidings", "tidings.service"] {
        assert!(listed.lines().any(|line| line.ends_with(&format!("/{file}"))), "{listed}");
    }
    let first = fs::read(&archive).expect("readable");
    assert!(first == fs::read(archive::make(&parts).expect("again")).expect("readable"));
}

/// What stands for the binary is a script, hence static.
const BINARY: &str = "#!/bin/sh
case $1 in
  --version) echo tidings 1.2.3 ;;
  man) mkdir -p \"$2\" && echo .TH tidings 1 > \"$2/tidings.1\" ;;
  completions) echo \"$2\" ;;
esac
";

#[test]
fn what_cargo_has_built_outlives_the_making_of_a_release() {
    if !can_make_packages() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    for name in ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "CHANGELOG.md", "docs"] {
        std::os::unix::fs::symlink(crate::root().join(name), root.join(name)).expect("linked");
    }
    let binary = root.join("target/dist/tidings");
    write(BINARY, &binary, 0o755).expect("written");
    for _ in 0..2 {
        fs::create_dir_all(root.join(RESULTS)).expect("made");
        run(root, Some(&binary)).expect("a release is made");
        assert!(binary.exists());
        let made = fs::read_dir(root.join(RESULTS)).expect("a folder").flatten();
        let made: Vec<_> = made.map(|file| file.file_name().into_string().expect("text")).collect();
        for end in [".tar.gz", ".deb", "-oci.tar"] {
            assert!(made.iter().any(|name| name.ends_with(end)), "{end} of {made:?}");
        }
    }
}

/// `dpkg` on a system that is a folder; scripts run outside of it, as `DPKG_ROOT` tells them.
fn dpkg(system: &Path, arguments: &[&str]) {
    let mut dpkg = Command::new("dpkg");
    dpkg.arg(format!("--root={}", system.display()));
    dpkg.args(["--force-script-chrootless", "--force-not-root", "--force-depends"]);
    asked(dpkg.args(arguments)).expect("dpkg does it");
}

/// There is no chroot: `dpkg --root` does all but run the scripts inside.
#[test]
fn the_debian_package_is_installed_upgraded_removed_and_purged() {
    let sysusers = Command::new("systemd-sysusers").arg("--version").output();
    if !can_make_packages() || sysusers.is_err() {
        eprintln!("not run: dpkg and systemd-sysusers are needed");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let system = folder.path().join("system");
    for path in ["var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers", "etc"] {
        fs::create_dir_all(system.join(path)).expect("made");
    }
    fs::write(system.join("var/lib/dpkg/status"), "").expect("written");
    let package = |version: &str| {
        let made = debian::make(&parts(&folder.path().join(version), version)).expect("made");
        made.to_string_lossy().into_owned()
    };
    let read = |path: &str| fs::read_to_string(system.join(path)).unwrap_or_default();

    dpkg(&system, &["--install", &package("1.0.0")]);
    assert!(system.join("usr/bin/tidings").exists());
    assert!(read("etc/passwd").contains("tidings:x:"), "{}", read("etc/passwd"));
    assert!(read("usr/lib/systemd/system/tidings.service").contains("User=tidings"));
    let settings = system.join("etc/tidings/tidings.toml");
    let own = read("etc/tidings/tidings.toml") + "budget = \"1 per second\"\n";
    fs::write(&settings, &own).expect("written");
    let store = system.join("var/lib/tidings/tidings.db");
    write("what was seen", &store, 0o600).expect("written");

    dpkg(&system, &["--install", &package("1.0.1")]);
    assert!(read("var/lib/dpkg/status").contains("Version: 1.0.1"));
    assert_eq!(read("etc/tidings/tidings.toml"), own, "what somebody wrote stays");

    dpkg(&system, &["--remove", "tidings"]);
    assert!(!system.join("usr/bin/tidings").exists() && settings.exists() && store.exists());

    dpkg(&system, &["--purge", "tidings"]);
    assert!(!settings.exists() && !store.exists());
}

#[test]
fn systemd_finds_nothing_wrong_with_the_unit() {
    let folder = tempfile::tempdir().expect("a folder");
    let unit = unit(&crate::root()).expect("it has what is replaced");
    let verify = |unit: &str| {
        let file = folder.path().join("tidings.service");
        fs::write(&file, unit.replace("/usr/bin/tidings", "/bin/cat")).expect("written");
        let said = Command::new("systemd-analyze").arg("verify").arg(&file).output().ok()?;
        Some(String::from_utf8_lossy(&said.stderr).into_owned())
    };
    let Some(said) = verify(&unit) else {
        eprintln!("not run: systemd-analyze is needed");
        return;
    };
    let of_ours = |said: &str| said.lines().any(|line| line.contains("tidings.service"));
    assert!(!of_ours(&said), "{said}");
    assert!(of_ours(&verify(&unit.replace("Restart=always", "Restart=alway")).expect("run")));
}

/// Unpacks an image and checks that each part has the name and size it should.
fn layer_of(archive: &Path, image: &Path) -> PathBuf {
    fs::create_dir(image).expect("made");
    asked(Command::new("tar").arg("-xf").arg(archive).arg("-C").arg(image)).expect("a tar");
    let blob = |described: &serde_json::Value| {
        let digest = described["digest"].as_str().expect("a digest").to_owned();
        let path = image.join("blobs/sha256").join(digest.strip_prefix("sha256:").expect("one"));
        assert_eq!(described["size"], fs::metadata(&path).expect("it is there").len());
        let sum = asked(Command::new("sha256sum").arg(&path)).expect("a sum");
        assert!(format!("sha256:{}", String::from_utf8_lossy(&sum)).starts_with(&digest));
        path
    };
    let json = |path: PathBuf| -> serde_json::Value {
        serde_json::from_slice(&fs::read(path).expect("readable")).expect("JSON")
    };
    let index = json(image.join("index.json"));
    let manifest = json(blob(&index["manifests"][0]));
    assert_eq!(json(blob(&manifest["config"]))["config"]["User"], "65532:65532");
    blob(&manifest["layers"][0])
}

#[test]
fn the_image_names_each_part_by_what_it_holds_and_its_data_belong_to_its_user() {
    if !can_make_packages() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let archive = image::make(&parts(folder.path(), "1.2.3")).expect("made");
    let layer = layer_of(&archive, &folder.path().join("unpacked"));
    let listed = listed(&layer);
    let owns = |owner: &str, end: &str| {
        listed.lines().any(|line| line.contains(&format!(" {owner} ")) && line.ends_with(end))
    };
    assert!(owns("65532/65532", " var/lib/tidings/"), "{listed}");
    assert!(owns("0/0", " usr/bin/tidings") && !owns("0/0", " var/lib/tidings/"), "{listed}");

    let inside = folder.path().join("inside");
    fs::create_dir(&inside).expect("made");
    let mut unpack = Command::new("tar");
    unpack.arg("--no-same-owner").arg("-xf").arg(&layer).arg("-C").arg(&inside);
    asked(&mut unpack).expect("a layer");
    let ran = Command::new("chroot").arg(&inside).args(["/usr/bin/tidings", "--version"]).output();
    let ran = ran.expect("chroot is part of any system");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    if said.contains("not permitted") {
        eprintln!("not run: only root may change the root");
        return;
    }
    assert!(String::from_utf8_lossy(&ran.stdout).starts_with("cat"), "{said}");
}

/// What a script of the package says to systemd, on a machine that has it.
fn said_to_systemd(script: &str, arguments: &[&str], is_enabled: bool) -> String {
    let functions = format!(
        "chown() {{ :; }}; chmod() {{ :; }}; systemd-sysusers() {{ :; }}
         systemctl() {{ if [ $1 = is-enabled ]; then {is_enabled}; else echo $*; fi; }}\n"
    );
    let script = functions + &script.replace("/run/systemd/system", "/");
    let mut shell = Command::new("bash");
    shell.env_remove("DPKG_ROOT").args(["-c", &script, "script"]).args(arguments);
    String::from_utf8(asked(&mut shell).expect("the script ends well")).expect("text")
}

#[test]
fn a_service_that_was_removed_runs_again_once_installed() {
    let (postinst, prerm) = (debian::POSTINST, debian::PRERM);
    let said = said_to_systemd(postinst, &["configure", ""], false);
    assert_eq!(said, "daemon-reload\nenable --now tidings.service\n");
    assert_eq!(said_to_systemd(prerm, &["remove"], true), "stop tidings.service\n");
    let said = said_to_systemd(postinst, &["configure", "1.0"], true);
    assert_eq!(said, "daemon-reload\nrestart tidings.service\n");
    let said = said_to_systemd(postinst, &["configure", "1.0"], false);
    assert_eq!(said, "daemon-reload\ntry-restart tidings.service\n");
}
