//! What the demo promises: the same every time, alerts on real changes, none on noise.
