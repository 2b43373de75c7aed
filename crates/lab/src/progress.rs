//! How far a long experiment is: a bar on standard error where that is a terminal, else nothing.
//! Standard output never sees it.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that shows progress, gone when it is dropped.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar of `steps` steps, 0 done. It draws from the first step on.
    #[must_use]
    pub fn new(steps: u64) -> Progress {
        let style =
            ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed}, left {eta} {msg}")
                .expect("the template is well formed");
        Progress { bar: ProgressBar::new(steps).with_style(style) }
    }

    /// What is being worked on now.
    pub fn on(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// Writes beside the bar: it is taken away before and drawn again after.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// One step is done.
    pub fn step(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;

    #[test]
    fn a_bar_that_nobody_sees_still_counts() {
        let progress = Progress::new(3);
        progress.on("the first");
        progress.step();
        progress.step();
        assert_eq!(progress.bar.position(), 2);
    }
}
