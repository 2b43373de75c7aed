//! Detections that wait for the looks that follow them.

use super::{Notices, Out};
use crate::record::Record;
use chronon::SourceId;
use outbox::{Came, Detection, DetectionId};

impl Notices {
    /// The detection is told once its looks are over.
    pub(crate) fn wait(&mut self, detection: Detection) {
        self.waiting.insert(detection.id, detection);
    }

    /// What has come of one of those looks; it is remembered with the detection.
    pub(crate) fn came(&mut self, detection: DetectionId, source: SourceId, came: &Came) {
        let Some(waiting) = self.waiting.get_mut(&detection) else { return };
        if waiting.follow.as_mut().is_some_and(|follow| follow.came(source, came)) {
            let row = Box::new(waiting.clone());
            self.out.push_back(Out::Record(Record::Detection(row)));
        }
    }

    /// It waits no more.
    pub(crate) fn waited(&mut self, detection: DetectionId) -> Option<Detection> {
        self.waiting.remove(&detection)
    }

    /// One that waits.
    pub(crate) fn waits(&self, detection: DetectionId) -> Option<&Detection> {
        self.waiting.get(&detection)
    }

    /// All that wait, in order of id.
    pub(crate) fn waiting(&self) -> Vec<Detection> {
        self.waiting.values().cloned().collect()
    }
}
