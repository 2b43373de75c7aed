//! One HTTP attempt: conditional, limited, guarded.
