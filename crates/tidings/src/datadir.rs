//! The data directory: one owner at a time, and how others find it.
//!
//! `lock` is held by the process that writes the store; `api.json` (mode 0600) says where the
//! running server listens and what token its API takes.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The file of the key that signs links of messages.
const LINK_KEY: &str = "links.key";
/// What a new token does.
const TOKEN_ANEW: &str = "ends every token and session made with the old one";

/// What is copied to read a data directory that cannot be written: the store alone, no token and no
/// key.
const BORROWED: [&str; 2] = ["tidings.db", "tidings.db-wal"];
/// What a folder with a copy is called, to begin with.
const COPY: &str = "tidings-copy-";
/// The file that tells such a folder from one of that name which somebody made by hand. It is made
/// once the folder is locked.
const COPY_MARK: &str = "made-by-tidings";
/// Where copies were made, for a process that ends without dropping them.
static COPIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A data directory this process owns until it is dropped.
pub struct DataDir {
    path: PathBuf,
    /// What it is a copy of, if it is one.
    of: Option<Borrowed>,
    /// Held, not read: the lock goes with the file handle.
    _lock: File,
}

/// A data directory that cannot be written, of which a copy is read.
struct Borrowed {
    path: PathBuf,
    /// Held: the copy goes with it.
    _copy: tempfile::TempDir,
    /// Nobody begins to write what is copied, where the directory can be locked.
    _lock: Option<File>,
}

/// Where the owner's API is, and the token it takes.
#[derive(Clone, Serialize, Deserialize)]
pub struct Doorplate {
    pub address: SocketAddr,
    pub token: String,
    pub pid: u32,
}

impl DataDir {
    /// Creates the directory if need be and takes its lock; `None` if another process has it.
    pub fn own(path: &Path) -> Result<Option<DataDir>> {
        create_private_dir(path)
            .with_context(|| format!("cannot create the data directory {}", path.display()))?;
        refuse_if_others_may_write(path)?;
        let lock_path = path.join("lock");
        let lock = private_file(&lock_path).map_err(|error| unlocked(path, error))?;
        match lock.try_lock() {
            Ok(()) => {
                let dir = DataDir { path: path.to_owned(), of: None, _lock: lock };
                // One that a killed owner left would send others, and the token, to a stranger.
                dir.take_down_doorplate();
                Ok(Some(dir))
            }
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("cannot lock {}", lock_path.display()))
            }
        }
    }

    /// A copy of the directory at `path`, which cannot be written, to read; `None`: it holds no
    /// store, a process has it, or nobody may read it.
    pub fn borrow(path: &Path) -> Result<Option<DataDir>> {
        refuse_an_emptied_store(path)?;
        if bytes_of(&path.join("tidings.db")).is_none_or(|bytes| bytes == 0) {
            return Ok(None);
        }
        let lock = match File::open(path.join("lock")) {
            Ok(lock) => match lock.try_lock() {
                Ok(()) => Some(lock),
                Err(_) => return Ok(None),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(_) => return Ok(None),
        };
        let copy = private_copy().context("cannot make a folder to copy the store to")?;
        // The copy is in use for as long as its lock is held.
        let dir = DataDir::own(copy.path())?.context("somebody took the copy of the store")?;
        private_file(&copy.path().join(COPY_MARK)).context("cannot mark the copy of the store")?;
        remove_abandoned(copy.path());
        for name in BORROWED {
            let from = path.join(name);
            let file = match File::open(&from) {
                Ok(file) => file,
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) if error.kind() == ErrorKind::PermissionDenied => return Ok(None),
                Err(error) => {
                    return Err(error).with_context(|| format!("cannot read {}", from.display()));
                }
            };
            copy_private(file, &copy.path().join(name)).with_context(|| {
                format!(
                    "cannot copy {} to {}, to read it there; `TMPDIR` names another place",
                    from.display(),
                    copy.path().display()
                )
            })?;
        }
        let of = Borrowed { path: path.to_owned(), _copy: copy, _lock: lock };
        Ok(Some(DataDir { of: Some(of), ..dir }))
    }

    /// Where it is, or what it is a copy of.
    pub fn path(&self) -> &Path {
        self.of.as_ref().map_or(&self.path, |of| &of.path)
    }

    /// It is a copy, to read.
    pub fn is_borrowed(&self) -> bool {
        self.of.is_some()
    }

    /// The store's one file; made here if need be, so that nobody else may read it.
    pub fn database(&self) -> Result<PathBuf> {
        let path = self.path.join("tidings.db");
        refuse_an_emptied_store(&self.path)?;
        for beside in ["tidings.db-wal", "tidings.db-shm"] {
            let beside = self.path.join(beside);
            if beside.exists() {
                private_file(&beside)
                    .with_context(|| format!("cannot open {}", beside.display()))?;
            }
        }
        private_file(&path).with_context(|| format!("cannot open {}", path.display()))?;
        Ok(path)
    }

    /// The API token of this directory: made at the first start, kept from then on. A copy has one
    /// of its own, which is nowhere written.
    pub fn token(&self) -> Result<String> {
        if self.is_borrowed() {
            return random_hex::<32>();
        }
        let path = self.path.join("token");
        if path.exists() {
            refuse_if_others_may_read(&path, TOKEN_ANEW)?;
        }
        if let Ok(token) = std::fs::read_to_string(&path) {
            let token = token.trim();
            if token.len() >= 32 {
                return Ok(token.to_owned());
            }
            bail!("{} holds no token; remove it, and a new one is made", path.display());
        }
        let token = random_hex::<32>()?;
        write_private(&path, token.as_bytes())?;
        Ok(token)
    }

    /// The key that links of messages are signed with: made at the first start, kept from then on.
    pub fn link_key(&self) -> Result<notice::LinkKey> {
        let path = self.path.join(LINK_KEY);
        if !path.exists() {
            write_private(&path, random_hex::<32>()?.as_bytes())?;
        }
        refuse_if_others_may_read(&path, "ends the links of earlier mails")?;
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let Some(bytes) = chronon::BlobId::parse_hex(text.trim()) else {
            bail!(
                "{} holds no key; remove it, and a new one is made: links of earlier mails end",
                path.display()
            );
        };
        Ok(notice::LinkKey::new(bytes.0))
    }

    /// Tells other commands where the API is, until [`DataDir::take_down_doorplate`].
    pub fn put_up_doorplate(&self, address: SocketAddr, token: &str) -> Result<()> {
        let plate = Doorplate { address, token: token.to_owned(), pid: std::process::id() };
        write_private(&self.path.join("api.json"), &serde_json::to_vec(&plate)?)
    }

    pub fn take_down_doorplate(&self) {
        // If it stays, a command that follows it finds nobody, and says so.
        let _ = std::fs::remove_file(self.path.join("api.json"));
    }
}

/// A disk that failed, or a copy that was cut short, leaves a file of no bytes: to begin anew
/// there would hide that everything is lost. The token says that there was a store.
fn refuse_an_emptied_store(folder: &Path) -> Result<()> {
    let path = folder.join("tidings.db");
    let log = bytes_of(&folder.join("tidings.db-wal")).is_some_and(|bytes| bytes > 0);
    if bytes_of(&path) == Some(0) && (log || folder.join("token").exists()) {
        bail!(
            "{} is empty, though this data directory has had a store; put a backup in its \
             place, or remove the empty file to begin anew",
            path.display()
        );
    }
    Ok(())
}

fn bytes_of(path: &Path) -> Option<u64> {
    std::fs::metadata(path).map(|file| file.len()).ok()
}

/// A folder for a copy that nobody else may enter. It goes when it is dropped, or by
/// [`remove_copies`].
fn private_copy() -> std::io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(COPY);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    let copy = builder.tempdir()?;
    COPIES.lock().unwrap_or_else(PoisonError::into_inner).push(copy.path().to_owned());
    Ok(copy)
}

/// Removes what [`DataDir::borrow`] copied: the process ends at once.
pub fn remove_copies() {
    for copy in COPIES.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        // It may have been dropped long since.
        let _ = std::fs::remove_dir_all(copy);
    }
}

/// Removes copies beside `copy` that killed processes left: the same person's folders of that name,
/// with the mark, whose lock nobody holds.
fn remove_abandoned(copy: &Path) {
    let entries = copy.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    for entry in entries.into_iter().flatten().flatten() {
        let is_named_so = entry.file_name().to_str().is_some_and(|name| name.starts_with(COPY));
        let path = entry.path();
        if !is_named_so || path == copy || !is_folder_of_owner(&path, copy) {
            continue;
        }
        // A lock is tried only where the mark is: the process that begins a copy takes it first.
        if path.join(COPY_MARK).exists() && is_lock_free(&path) {
            // What stays is tried again by the next.
            let _ = std::fs::remove_dir_all(&path);
        }
    }
}

/// Whether no process holds the lock of a folder that was locked once.
fn is_lock_free(folder: &Path) -> bool {
    match File::open(folder.join("lock")) {
        Ok(lock) => lock.try_lock().is_ok(),
        // A removal of the folder was cut short.
        Err(error) => error.kind() == ErrorKind::NotFound,
    }
}

/// Whether `path` is a folder, and no link to one, of the same person as `other`.
#[cfg(unix)]
fn is_folder_of_owner(path: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let facts = [path, other].map(|path| std::fs::symlink_metadata(path).ok());
    let [Some(folder), Some(other)] = facts else { return false };
    folder.is_dir() && folder.uid() == other.uid()
}

#[cfg(not(unix))]
fn is_folder_of_owner(path: &Path, _: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|folder| folder.is_dir())
}

fn copy_private(mut from: File, to: &Path) -> std::io::Result<()> {
    std::io::copy(&mut from, &mut private_file(to)?).map(drop)
}

/// Whether a data directory, or the store in it, could not be opened as it cannot be written.
pub fn cannot_be_written(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let kind = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        matches!(kind, Some(ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem))
            || matches!(cause.downcast_ref(), Some(store::StoreError::ReadOnly(_)))
    })
}

/// Why the lock of a data directory cannot be taken, and what to do.
fn unlocked(path: &Path, error: std::io::Error) -> anyhow::Error {
    let (lock, kind) = (path.join("lock"), error.kind());
    let said = anyhow::Error::new(error).context(format!("cannot open {}", lock.display()));
    match kind {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => said.context(format!(
            "{} cannot be written; run this as its owner, or copy it to a folder of your own and \
             name that as --data-dir",
            path.display()
        )),
        _ => said,
    }
}

/// The doorplate of the process that owns the directory.
pub fn doorplate(path: &Path) -> Result<Doorplate> {
    let file = path.join("api.json");
    let text = std::fs::read(&file).with_context(|| {
        format!(
            "another process is using {}, but has not said yet where its API is; wait a moment",
            path.display()
        )
    })?;
    serde_json::from_slice(&text).with_context(|| format!("{} is damaged", file.display()))
}

/// Copies the keys beside the store `database` to files beside its copy: links of mails that were
/// sent go on working, and channels that were made go on telling.
/// Where the copies are, with what they are named after.
pub fn copy_keys(database: &Path, copy: &Path) -> Result<Vec<(PathBuf, &'static str)>> {
    let mut keys = Vec::new();
    for name in [LINK_KEY, crate::vault::KEY_FILE] {
        keys.extend(copy_beside(database, copy, name)?.map(|copy| (copy, name)));
    }
    Ok(keys)
}

/// Copies the token beside the store `database` to a file beside its copy: those who restore
/// the store go on with the token that their scripts know.
pub fn copy_token(database: &Path, copy: &Path) -> Result<Option<PathBuf>> {
    copy_beside(database, copy, "token")
}

/// Copies the file `name` beside a store to `COPY.name`; `None`: there is none.
fn copy_beside(database: &Path, copy: &Path, name: &str) -> Result<Option<PathBuf>> {
    let Ok(content) = std::fs::read(database.with_file_name(name)) else { return Ok(None) };
    let mut to = copy.as_os_str().to_owned();
    to.push(format!(".{name}"));
    let to = PathBuf::from(to);
    if to.exists() {
        bail!("{} exists; {name} is not copied over it", to.display());
    }
    write_private(&to, &content)?;
    Ok(Some(to))
}

/// `N` random bytes as hexadecimal digits.
pub fn random_hex<const N: usize>() -> Result<String> {
    let bytes = random_bytes::<N>()?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// `N` bytes of the machine's entropy.
pub fn random_bytes<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).context("the system gave no random bytes")?;
    Ok(bytes)
}

/// Those who may write a directory may put files of their own in the place of ours.
#[cfg(unix)]
pub fn refuse_if_others_may_write(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let about =
        std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mode = about.permissions().mode() & 0o7777;
    let shown = shell_word(path);
    if mode & 0o1022 > 0o1000 {
        bail!(
            "{} is a folder for everybody (its mode is {mode:04o}); name one of your own, as\n  \
             --data-dir {shown}/tidings",
            path.display()
        );
    }
    if mode & 0o022 != 0 {
        bail!(
            "others on this machine may write {}, and so take it over (its mode is {mode:04o}); \
             mend it with\n  chmod go-w {shown}",
            path.display()
        );
    }
    Ok(())
}

#[cfg(not(unix))]
pub fn refuse_if_others_may_write(_path: &Path) -> Result<()> {
    Ok(())
}

/// Those who may read the token may do everything; keys open what is to be opened by none. A new
/// one in its place does `anew`.
#[cfg(unix)]
pub fn refuse_if_others_may_read(path: &Path, anew: &str) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let about =
        std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mode = about.permissions().mode() & 0o7777;
    if mode & 0o077 != 0 {
        let shown = shell_word(path);
        bail!(
            "others on this machine may read {} (its mode is {mode:04o}); mend it with\n  \
             chmod 600 {shown}\nor, if somebody has read it, remove it: a new one {anew}",
            path.display()
        );
    }
    Ok(())
}

#[cfg(not(unix))]
pub fn refuse_if_others_may_read(_path: &Path, _anew: &str) -> Result<()> {
    Ok(())
}

/// A path as a shell takes it.
#[cfg(unix)]
fn shell_word(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@%".contains(c);
    if !text.starts_with('-') && text.chars().all(plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

pub fn write_private(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || {
        let next = path.with_extension("new");
        // A file that was left there, or a link, may be readable by others.
        match std::fs::remove_file(&next) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = private_file(&next)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&next, path)?;
        sync_folder_of(path)
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Makes the name of a new file durable, as its content is.
#[cfg(unix)]
fn sync_folder_of(path: &Path) -> std::io::Result<()> {
    match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => File::open(".")?.sync_all(),
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

#[cfg(not(unix))]
fn sync_folder_of(_path: &Path) -> std::io::Result<()> {
    Ok(())
}

/// A file that nobody else may read, made here if need be.
#[cfg(unix)]
fn private_file(path: &Path) -> std::io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    use std::os::unix::fs::PermissionsExt;
    let file =
        OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path)?;
    // One that was copied there, as a backup is, may be open to others.
    if file.metadata()?.permissions().mode() & 0o077 != 0 {
        file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
    }
    Ok(file)
}

#[cfg(not(unix))]
fn private_file(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().create(true).truncate(false).write(true).open(path)
}

#[cfg(unix)]
pub fn create_private_dir(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

#[cfg(not(unix))]
pub fn create_private_dir(path: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_data_directory_has_one_owner_and_a_token_that_stays() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let path = temp.path().join("data");
        let owner = DataDir::own(&path).expect("usable").expect("free");
        assert!(DataDir::own(&path).expect("usable").is_none(), "a second owner");
        let token = owner.token().expect("a token");
        assert_eq!(owner.token().expect("a token"), token);
        owner.put_up_doorplate(([127, 0, 0, 1], 7780).into(), &token).expect("written");
        assert_eq!(doorplate(&path).expect("there").token, token);
        drop(owner);
        assert!(DataDir::own(&path).expect("usable").is_some(), "free again");
        assert!(doorplate(&path).is_err(), "the address of a killed owner leads nobody astray");
    }

    #[test]
    fn who_may_not_write_a_data_directory_is_told_how_to_read_it() {
        for kind in [ErrorKind::ReadOnlyFilesystem, ErrorKind::PermissionDenied] {
            let said = format!("{:#}", unlocked(Path::new("/srv/a"), kind.into()));
            assert!(said.starts_with("/srv/a cannot be written"), "{said}");
            assert!(said.contains("--data-dir") && said.contains("cannot open /srv/a/lock"));
        }
        let other = format!("{:#}", unlocked(Path::new("/srv/a"), ErrorKind::StorageFull.into()));
        assert!(other.starts_with("cannot open /srv/a/lock"), "{other}");
    }

    #[test]
    fn what_cannot_be_written_is_read_from_a_copy_that_goes() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let path = temp.path().join("data");
        let owner = DataDir::own(&path).expect("usable").expect("free");
        let token = owner.token().expect("a token");
        std::fs::write(owner.database().expect("a place"), "rows").expect("written");
        assert!(DataDir::borrow(&path).expect("readable").is_none(), "somebody has it");
        drop(owner);
        make_read_only(&path.join("tidings.db"));
        let copy = DataDir::borrow(&path).expect("readable").expect("free");
        assert!(copy.is_borrowed());
        assert_eq!(copy.path(), path);
        assert_ne!(copy.token().expect("one of its own"), token);
        let database = copy.database().expect("a place");
        assert!(!database.starts_with(&path));
        assert_eq!(std::fs::read(&database).expect("copied"), b"rows");
        let folder = database.parent().expect("a folder");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path| std::fs::metadata(path).expect("there").permissions().mode() & 0o777;
            assert_eq!((mode(folder), mode(&database)), (0o700, 0o600));
        }
        let lock = File::open(folder.join("lock")).expect("it is locked for as long as it is read");
        assert!(lock.try_lock().is_err() && folder.join(COPY_MARK).exists());
        let secrets = ["token", LINK_KEY, crate::vault::KEY_FILE];
        assert!(secrets.iter().all(|name| !folder.join(name).exists()));
        drop(copy);
        assert!(!folder.exists() && path.join("tidings.db").exists());
        let copy = DataDir::borrow(&path).expect("readable").expect("free");
        let database = copy.database().expect("a place");
        remove_copies();
        assert!(!database.parent().expect("a folder").exists(), "the process ends at once");
        let denied = unlocked(&path, ErrorKind::ReadOnlyFilesystem.into());
        assert!(cannot_be_written(&denied));
        let store = anyhow::Error::new(store::StoreError::ReadOnly("no".into()));
        assert!(cannot_be_written(&store.context("cannot open it")));
        assert!(!cannot_be_written(&unlocked(&path, ErrorKind::StorageFull.into())));
    }

    #[test]
    fn a_copy_that_a_killed_process_left_goes_with_the_next_and_no_other() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let folder = |name: &str, files: &[&str]| {
            let folder = temp.path().join(name);
            std::fs::create_dir(&folder).expect("a folder");
            for file in files {
                std::fs::write(folder.join(file), "").expect("a file");
            }
            folder
        };
        let all = ["lock", COPY_MARK, "tidings.db"];
        let left = folder("tidings-copy-left", &all);
        let cut_short = folder("tidings-copy-cut", &all[1..]);
        let used = folder("tidings-copy-used", &all);
        let lock = File::open(used.join("lock")).expect("a lock");
        lock.try_lock().expect("nobody has it");
        let begun = folder("tidings-copy-begun", &["lock"]);
        let by_hand = folder("tidings-copy-by-hand", &["lock", "tidings.db", "token"]);
        let other = folder("tidings-data", &all);
        #[cfg(unix)]
        std::os::unix::fs::symlink(&other, temp.path().join("tidings-copy-link")).expect("a link");
        let own = folder("tidings-copy-own", &all);
        remove_abandoned(&own);
        assert!(!left.exists() && !cut_short.exists());
        assert!([&used, &begun, &by_hand, &other, &own].into_iter().all(|kept| kept.exists()));
        assert!(other.join("tidings.db").exists(), "links are not followed");
    }

    /// Takes the right to write it.
    fn make_read_only(file: &Path) {
        let mut rights = std::fs::metadata(file).expect("there").permissions();
        rights.set_readonly(true);
        std::fs::set_permissions(file, rights).expect("rights");
    }

    #[test]
    fn where_no_store_is_nothing_is_copied() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let path = temp.path().join("data");
        assert!(DataDir::borrow(&path).expect("readable").is_none(), "there is no folder");
        let owner = DataDir::own(&path).expect("usable").expect("free");
        drop(owner);
        assert!(DataDir::borrow(&path).expect("readable").is_none(), "there is no store");
        std::fs::write(path.join("tidings.db"), "").expect("written");
        assert!(DataDir::borrow(&path).expect("readable").is_none(), "nothing is in it");
        std::fs::write(path.join("token"), "").expect("written");
        let refused = DataDir::borrow(&path).map(drop).expect_err("it had a store").to_string();
        assert!(refused.starts_with(&path.display().to_string()), "{refused}");
    }

    #[test]
    fn an_emptied_store_is_refused_and_a_removed_one_begins_anew() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let owner = DataDir::own(&temp.path().join("data")).expect("usable").expect("free");
        let path = owner.database().expect("a place");
        owner.database().expect("an empty file of a start that was killed");
        owner.token().expect("a token");
        let refused = owner.database().expect_err("it had a store").to_string();
        assert!(refused.contains("backup") && refused.contains("begin anew"), "{refused}");
        assert_eq!(std::fs::metadata(&path).expect("it is there").len(), 0);
        std::fs::remove_file(&path).expect("removed");
        owner.database().expect("a new one");
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_for_everybody_is_not_closed_to_them() {
        use std::os::unix::fs::PermissionsExt;
        let temp = tempfile::tempdir().expect("a temporary directory");
        let shared = std::fs::Permissions::from_mode(0o1777);
        std::fs::set_permissions(temp.path(), shared).expect("a mode");
        let error = DataDir::own(temp.path()).map(drop).expect_err("refused").to_string();
        assert!(error.contains("--data-dir") && !error.contains("chmod"), "{error}");
        let sticky = std::fs::Permissions::from_mode(0o1755);
        std::fs::set_permissions(temp.path(), sticky).expect("a mode");
        assert!(DataDir::own(temp.path()).is_ok(), "only the owner may write");
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_what_is_in_a_data_directory() {
        use std::os::unix::fs::PermissionsExt;
        let temp = tempfile::tempdir().expect("a temporary directory");
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(temp.path(), open).expect("a directory others may enter");
        for file in ["token.new", "tidings.db", "tidings.db-wal"] {
            std::fs::write(temp.path().join(file), "").expect("a file others may read");
        }
        let owner = DataDir::own(temp.path()).expect("usable").expect("free");
        owner.database().expect("a database");
        owner.token().expect("a token");
        for file in ["lock", "token", "tidings.db", "tidings.db-wal"] {
            let mode = std::fs::metadata(temp.path().join(file)).expect(file).permissions().mode();
            assert_eq!(mode & 0o077, 0, "{file}");
        }
    }
}
