//! JSON API and dashboard.
