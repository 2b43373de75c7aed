//! Senders: webhook, email, terminal.
