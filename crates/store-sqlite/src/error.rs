//! What SQLite says becomes a sentence that says what to do.

use rusqlite::{Error, ErrorCode};
use store::StoreError;

/// The typed error for what SQLite reports.
pub(crate) fn sentence(error: Error) -> StoreError {
    let said = error.to_string();
    match (&error, error.sqlite_error_code()) {
        (_, Some(ErrorCode::DiskFull)) => StoreError::Full(said),
        (_, Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen)) => {
            StoreError::ReadOnly(said)
        }
        (_, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)) => StoreError::Busy(said),
        (_, Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)) => {
            StoreError::Damaged(said)
        }
        (Error::FromSqlConversionFailure(..) | Error::InvalidColumnType(..), _)
        | (Error::IntegralValueOutOfRange(..), _) => StoreError::Damaged(said),
        _ => StoreError::Failed(said),
    }
}
