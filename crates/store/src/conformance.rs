//! What every store must do, as functions over a [`Bench`]; each store's tests run them all with
//! [`conformance_tests!`](crate::conformance_tests).
//!
//! The in-memory store is the model: where a test compares whole stores, it compares with that one.
//! All of these panic with the first difference, as tests do.

mod access;
mod blobs;
mod dump;
mod lists;
mod model;
mod outboxes;
mod retention;
mod samples;
mod writes;

pub use access::*;
pub use blobs::*;
pub use lists::*;
pub use model::*;
pub use outboxes::*;
pub use retention::*;
pub use writes::*;

use crate::Store;

/// A place where a store lives, so that it can be opened again.
pub trait Bench {
    /// Opens the store: empty with instance [`INSTANCE`] the first time, then with what survived.
    /// The one opened before was dropped without a word, as by a crash.
    fn open(&mut self) -> Box<dyn Store>;
    /// Makes the `n`-th write from now (1: the next; 0: none) fail, once, in place of what was
    /// asked for before. What counts as a write is the store's own business; a batch has at least
    /// one, and one in which all came to pass but the answer.
    fn fail_write(&mut self, n: u64);
}

/// The instance of a bench's store.
pub const INSTANCE: [u8; 16] = *b"a bench instance";

/// One `#[test]` for each function of the suite; `$fresh` makes a new [`Bench`].
#[macro_export]
macro_rules! conformance_tests {
    ($fresh:expr) => {
        $crate::conformance_tests! { $fresh;
            a_new_store_is_empty_but_for_its_instance,
            a_snapshot_is_what_was_appended,
            every_record_written_twice_counts_once,
            an_update_replaces_every_column,
            deletes_delete_one_row_and_what_belongs_to_it,
            a_batch_is_whole_or_not_at_all_whichever_write_fails,
            pruning_is_whole_or_not_at_all_whichever_write_fails,
            pruning_what_is_finished_is_whole_or_not_at_all,
            sweeping_is_whole_or_not_at_all_whichever_write_fails,
            a_reader_sees_every_batch_that_returned,
            what_was_appended_survives_a_crash,
            rings_keep_the_last_entries,
            lists_are_newest_first_and_go_on_below_their_cursor,
            a_list_never_has_more_than_a_thousand_rows,
            due_rows_come_by_time_then_id,
            how_a_channel_failed_is_known_after_a_start,
            unfinished_rows_are_counted_per_channel,
            a_snapshot_holds_the_first_hundred_due_rows_of_each_channel,
            a_blob_reads_back_byte_for_byte,
            a_batch_that_names_an_absent_blob_is_refused_whole,
            bytes_under_a_wrong_name_are_refused,
            a_blob_that_no_record_names_is_not_written,
            sweep_deletes_only_what_no_row_names,
            a_version_has_an_extract_per_view,
            every_version_of_a_long_history_reads_back_after_any_prune,
            prune_keeps_what_it_is_told_to_keep,
            prune_keeps_what_an_unfinished_notification_names,
            prune_keeps_a_detection_that_waits_for_looks,
            messages_outlive_what_they_tell_of,
            prune_deletes_old_detections_beyond_the_history,
            finished_notifications_go_by_age_and_history,
            notifications_of_nobody_go_by_age_alone,
            unfinished_notifications_and_the_highest_stay,
            a_detection_on_two_sources_belongs_to_both,
            a_detection_of_a_rule_rests_on_its_parts_alone,
            detections_of_who_is_gone_go_by_age,
            pruning_goes_on_where_the_last_call_stopped,
            what_is_old_goes_though_younger_rows_came_before_it,
            a_version_keeps_its_address_when_its_source_moves_or_goes,
            versions_of_a_source_that_is_gone_are_swept,
            a_random_life_equals_the_model,
            tokens_and_sessions_read_back_as_they_were_put,
            a_token_takes_its_sessions_with_it,
            feeds_read_back_as_they_were_put,
            made_channels_read_back_as_they_were_put,
            an_upgrade_is_told_until_it_is_dismissed,
            use_is_noted_of_what_is_there_only,
            batches_and_logins_do_not_stand_in_each_others_way,
        }
    };
    ($fresh:expr; $($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            $crate::conformance::$name(&mut $fresh);
        })*
    };
}
