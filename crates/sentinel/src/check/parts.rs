//! What a sentinel looks at, and how often.

use super::Checker;
use crate::draft::{Draft, FetchDraft, Placed};
use crate::place::Place;
use crate::print;
use crate::syntax;
use crate::vocabulary::{is_language, listed, nearest};
use chronon::Span;

impl Checker<'_> {
    /// Sources that are inherited are blamed on the name of the sentinel that they come from.
    pub(super) fn check_sources(&mut self, draft: &Draft, are_own: bool, blame: Place) {
        for source in draft.sources.iter().flat_map(|sources| sources.iter()) {
            let place = if are_own { source.place } else { blame };
            crate::reach::check_source(&source.url, &self.world.reach.sources, place, self.sink);
        }
    }

    /// Every language after `in` is one. Stored texts are not asked.
    pub(super) fn check_languages(&mut self, statement: &syntax::Statement) {
        if statement.broken {
            return;
        }
        let written = statement.clauses.iter().flat_map(|clause| match &clause.kind {
            syntax::ClauseKind::Monitor { uses, .. } => uses.languages.as_slice(),
            _ => &[],
        });
        for language in written {
            let code = language.text.split('-').next().unwrap_or_default();
            if !is_language(code) {
                let message = format!("there is no language `{code}`");
                let help = "write its code of ISO 639: `in de`, `in en-GB`, `in pt-BR`; or leave \
                            `in` out, and the page says it";
                self.sink.value(language.place, message, help);
            }
        }
    }

    /// Every name after `of` is that of a source.
    pub(super) fn check_of(&mut self, draft: &Draft) {
        let Some(sources) = &draft.sources else { return };
        for Placed { value: name, place } in draft.of.iter() {
            let lower = name.to_lowercase();
            if sources.iter().any(|source| source.is_called(&lower)) {
                continue;
            }
            let names = || sources.iter().filter_map(|source| source.called.as_deref());
            let quoted: Vec<String> = names().map(|name| format!("`{name}`")).collect();
            let message = format!("no source is called `{name}`");
            if let Some(near) = nearest(name, names()) {
                self.sink.near_name(*place, message, near);
                continue;
            }
            let help = if quoted.is_empty() {
                format!("name the source it is: `using URL as {}`", print::name(name))
            } else {
                format!("the sources are called {}", listed(&quoted, "and"))
            };
            self.sink.value(*place, message, &help);
        }
        let is_joint = sources.len() > 1 && !draft.of.is_empty();
        if let Some(Placed { value: FetchDraft::OnChange { within: Some(within) }, .. }) =
            &draft.fetch
            && !is_joint
        {
            let message =
                "`within` after `fetch on change` concerns several sources with `of` only";
            let help = "leave it out, or write `fetch every …` for a time that is kept";
            self.sink.warn(within.place, message, help);
        }
    }

    pub(super) fn check_fetch(&mut self, draft: &Draft) {
        let Some(Placed { value: FetchDraft::Every { period, slack, period_place }, .. }) =
            &draft.fetch
        else {
            return;
        };
        let (length, chronon) = (period.nominal(), self.world.chronon);
        if length < chronon && length > Span::ZERO {
            let message = format!("this is shorter than the chronon, {chronon}");
            let help = "write at least `every chronon`, or configure a shorter one";
            self.sink.value(*period_place, message, help);
        } else if length < self.world.host_interval && length > Span::ZERO {
            let message = format!(
                "this is shorter than the {} that politeness leaves between two looks at a host",
                self.world.host_interval
            );
            let help = "some looks will be late; write more, or set `host_interval_seconds`";
            self.sink.warn(*period_place, message, help);
        } else if length > Span::ZERO {
            let (room, place) = match slack {
                Some(slack) => (slack.value, slack.place),
                None => (length.divided_by(10).max(chronon), *period_place),
            };
            self.check_room(room, place);
        }
    }

    /// What is looked at once something is found, and how soon.
    pub(super) fn check_then(&mut self, draft: &Draft) {
        let Some(then) = &draft.then else { return };
        for source in &then.sources {
            let reach = &self.world.reach.sources;
            crate::reach::check_source(&source.url, reach, source.place, self.sink);
        }
        let Placed { value: within, place } = then.within;
        let (length, chronon) = (within.nominal(), self.world.chronon);
        if length < chronon && length > Span::ZERO {
            let message = format!("this is shorter than the chronon, {chronon}");
            let help = "write at least `within chronon`, or configure a shorter one";
            self.sink.value(place, message, help);
        } else {
            self.check_room(length, place);
        }
    }

    /// A look that must come within less than politeness may ask of it will often be missed.
    pub(super) fn check_room(&mut self, room: Span, place: Place) {
        let politeness = self.world.host_interval;
        if room < politeness && room > Span::ZERO {
            let message = format!(
                "each look has {room}, and politeness may hold it up for {politeness}: it may be missed"
            );
            let seconds = (politeness.as_millis() + 999) / 1_000;
            let help =
                format!("write `within {seconds} seconds` or more, or set `host_interval_seconds`");
            self.sink.warn(place, message, &help);
        }
    }
}
