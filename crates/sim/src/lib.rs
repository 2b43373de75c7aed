//! The other shell: a simulated web, recipients, disk and crashes.
