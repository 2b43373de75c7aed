//! Tokens, sessions, feeds, made channels and the upgrade, through a connection of their own: a
//! log-in does not wait for the engine, only for the batch that is being written.

use crate::error::sentence;
use crate::file;
use chronon::{Instant, SentinelId};
use rusqlite::types::Type;
use rusqlite::{Connection, Error, Params, Row, params};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use store::{
    Access, FeedOf, FeedRow, Holder, MadeChannel, Scope, SessionRow, StoreError, TokenRow, Upgrade,
};

const TOKEN: &str = "id, hash, lineage, name, scope, tag, made_at, used_at";
const SESSION: &str = "id, hash, lineage, token, scope, opened_at, used_at, agent, address";
const FEED: &str = "id, nonce, tag, sentinel, made_at, token";
const CHANNEL: &str = "name, kind, manners, sealed, changed_at";

#[derive(Debug)]
pub(crate) struct SqliteAccess {
    path: PathBuf,
    /// Opened at the first use.
    connection: Mutex<Option<Connection>>,
}

impl SqliteAccess {
    pub(crate) fn new(path: &Path) -> SqliteAccess {
        SqliteAccess { path: path.to_owned(), connection: Mutex::new(None) }
    }

    fn with<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let mut held = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let mut connection = match held.take() {
            Some(connection) => connection,
            None => file::open_beside(&self.path)?,
        };
        let done = work(&mut connection).map_err(sentence);
        *held = Some(connection);
        done
    }

    fn list<T>(
        &self,
        sql: &str,
        read: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        self.with(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            statement.query_map([], read)?.collect()
        })
    }

    fn run(&self, sql: &str, values: impl Params) -> Result<(), StoreError> {
        self.with(|connection| connection.prepare_cached(sql)?.execute(values).map(drop))
    }
}

impl Access for SqliteAccess {
    fn tokens(&self) -> Result<Vec<TokenRow>, StoreError> {
        self.list(&format!("SELECT {TOKEN} FROM tokens ORDER BY id"), token)
    }

    fn sessions(&self) -> Result<Vec<SessionRow>, StoreError> {
        self.list(&format!("SELECT {SESSION} FROM sessions ORDER BY id"), session)
    }

    fn put_token(&self, token: &TokenRow) -> Result<(), StoreError> {
        let sql =
            format!("INSERT OR REPLACE INTO tokens ({TOKEN}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
        let TokenRow { id, hash, lineage, name, scope, tag, made_at, used_at } = token;
        let (made, used) = (made_at.as_millis(), used_at.map(Instant::as_millis));
        let id = *id as i64;
        self.run(&sql, params![id, hash, lineage, name, scope_word(*scope), tag, made, used])
    }

    fn put_session(&self, session: &SessionRow) -> Result<(), StoreError> {
        let sql = format!(
            "INSERT OR REPLACE INTO sessions ({SESSION}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        );
        let values = params![
            session.id as i64,
            session.hash,
            session.lineage,
            session.token.map(|token| token as i64),
            scope_word(session.scope),
            session.opened_at.as_millis(),
            session.used_at.as_millis(),
            session.agent,
            session.address,
        ];
        self.run(&sql, values)
    }

    fn remove_token(&self, id: u64) -> Result<(), StoreError> {
        self.with(|connection| {
            let atom = connection.transaction()?;
            atom.execute("DELETE FROM tokens WHERE id = ?1", [id as i64])?;
            atom.execute("DELETE FROM sessions WHERE token = ?1", [id as i64])?;
            atom.execute("DELETE FROM feeds WHERE token = ?1", [id as i64])?;
            atom.commit()
        })
    }

    fn remove_session(&self, id: u64) -> Result<(), StoreError> {
        self.run("DELETE FROM sessions WHERE id = ?1", [id as i64])
    }

    fn feeds(&self) -> Result<Vec<FeedRow>, StoreError> {
        self.list(&format!("SELECT {FEED} FROM feeds ORDER BY id"), feed)
    }

    fn put_feed(&self, feed: &FeedRow) -> Result<(), StoreError> {
        let sql = format!("INSERT OR REPLACE INTO feeds ({FEED}) VALUES (?, ?, ?, ?, ?, ?)");
        let (tag, sentinel) = match &feed.of {
            FeedOf::All => (None, None),
            FeedOf::Tag(tag) => (Some(tag), None),
            FeedOf::Sentinel(id) => (None, Some(id.0 as i64)),
        };
        let (made, token) = (feed.made_at.as_millis(), feed.token.map(|token| token as i64));
        self.run(&sql, params![feed.id as i64, feed.nonce, tag, sentinel, made, token])
    }

    fn remove_feed(&self, id: u64) -> Result<(), StoreError> {
        self.run("DELETE FROM feeds WHERE id = ?1", [id as i64])
    }

    fn made_channels(&self) -> Result<Vec<MadeChannel>, StoreError> {
        self.list(&format!("SELECT {CHANNEL} FROM made_channels ORDER BY name"), channel)
    }

    fn put_made_channel(&self, channel: &MadeChannel) -> Result<(), StoreError> {
        let sql =
            format!("INSERT OR REPLACE INTO made_channels ({CHANNEL}) VALUES (?, ?, ?, ?, ?)");
        let MadeChannel { name, kind, manners, sealed, changed_at } = channel;
        self.run(&sql, params![name, kind, manners, &sealed[..], changed_at.as_millis()])
    }

    fn remove_made_channel(&self, name: &str) -> Result<(), StoreError> {
        self.run("DELETE FROM made_channels WHERE name = ?1", [name])
    }

    fn upgrade(&self) -> Result<Option<Upgrade>, StoreError> {
        let rows =
            self.list("SELECT sentinels FROM upgrade", |row| row.get::<_, Option<u32>>(0))?;
        Ok(rows.first().map(|told| match *told {
            Some(sentinels) => Upgrade::Told { sentinels },
            None => Upgrade::Untold,
        }))
    }

    fn put_upgrade(&self, upgrade: Option<Upgrade>) -> Result<(), StoreError> {
        let told = match upgrade {
            Some(Upgrade::Told { sentinels }) => Some(sentinels),
            Some(Upgrade::Untold) => None,
            None => return self.run("DELETE FROM upgrade", []),
        };
        self.run("INSERT OR REPLACE INTO upgrade (id, sentinels) VALUES (1, ?)", [told])
    }

    fn note_use(&self, holder: Holder, at: Instant) -> Result<(), StoreError> {
        let (sql, id) = match holder {
            Holder::Token(id) => ("UPDATE tokens SET used_at = ?2 WHERE id = ?1", id),
            Holder::Session(id) => ("UPDATE sessions SET used_at = ?2 WHERE id = ?1", id),
        };
        self.run(sql, [id as i64, at.as_millis()])
    }
}

fn scope_word(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "read",
        Scope::Write => "write",
    }
}

fn scope(row: &Row<'_>, column: usize) -> rusqlite::Result<Scope> {
    match row.get_ref(column)?.as_str()? {
        "read" => Ok(Scope::Read),
        "write" => Ok(Scope::Write),
        other => {
            let said = format!("`{other}` is no scope").into();
            Err(Error::FromSqlConversionFailure(column, Type::Text, said))
        }
    }
}

fn instant(row: &Row<'_>, column: usize) -> rusqlite::Result<Instant> {
    row.get(column).map(Instant::from_millis)
}

fn token(row: &Row<'_>) -> rusqlite::Result<TokenRow> {
    Ok(TokenRow {
        id: row.get::<_, i64>(0)? as u64,
        hash: row.get(1)?,
        lineage: row.get(2)?,
        name: row.get(3)?,
        scope: scope(row, 4)?,
        tag: row.get(5)?,
        made_at: instant(row, 6)?,
        used_at: row.get::<_, Option<i64>>(7)?.map(Instant::from_millis),
    })
}

fn session(row: &Row<'_>) -> rusqlite::Result<SessionRow> {
    Ok(SessionRow {
        id: row.get::<_, i64>(0)? as u64,
        hash: row.get(1)?,
        lineage: row.get(2)?,
        token: row.get::<_, Option<i64>>(3)?.map(|token| token as u64),
        scope: scope(row, 4)?,
        opened_at: instant(row, 5)?,
        used_at: instant(row, 6)?,
        agent: row.get(7)?,
        address: row.get(8)?,
    })
}

fn feed(row: &Row<'_>) -> rusqlite::Result<FeedRow> {
    let (tag, sentinel) = (row.get(2)?, row.get::<_, Option<i64>>(3)?);
    let of = match (tag, sentinel) {
        (Some(tag), _) => FeedOf::Tag(tag),
        (None, Some(id)) => FeedOf::Sentinel(SentinelId(id as u64)),
        (None, None) => FeedOf::All,
    };
    let id = row.get::<_, i64>(0)? as u64;
    let token = row.get::<_, Option<i64>>(5)?.map(|token| token as u64);
    Ok(FeedRow { id, nonce: row.get(1)?, of, made_at: instant(row, 4)?, token })
}

fn channel(row: &Row<'_>) -> rusqlite::Result<MadeChannel> {
    Ok(MadeChannel {
        name: row.get(0)?,
        kind: row.get(1)?,
        manners: row.get(2)?,
        sealed: row.get::<_, Vec<u8>>(3)?.into(),
        changed_at: instant(row, 4)?,
    })
}
