//! What styles say of whether an element is seen, and which of them counts.

use super::selector::Strength;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Hides,
    Shows,
    /// It is as what it stands in is.
    Inherits,
}

/// An effect, and whether it is `!important`.
pub(super) type Declared = (Effect, bool);

/// What declarations say; of one property the last counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) display: Option<Declared>,
    pub(super) visibility: Option<Declared>,
}

impl Said {
    pub(super) fn of(declarations: &str) -> Said {
        let mut said = Said::default();
        for declaration in declarations.split(';') {
            let Some((property, value)) = declaration.split_once(':') else { continue };
            let (value, mark) = value.split_once('!').unwrap_or((value, ""));
            let is_important = mark.trim().eq_ignore_ascii_case("important");
            let (property, value) = (property.trim(), value.trim());
            let is = |words: &[&str]| words.iter().any(|word| value.eq_ignore_ascii_case(word));
            let is_display = property.eq_ignore_ascii_case("display");
            let is_all = property.eq_ignore_ascii_case("all");
            if is_display || is_all {
                let effect =
                    if is_display && is(&["none"]) { Effect::Hides } else { Effect::Shows };
                declare(&mut said.display, effect, is_important);
            }
            if is_all || property.eq_ignore_ascii_case("visibility") {
                let effect = if is(&["hidden", "collapse"]) && !is_all {
                    Effect::Hides
                } else if is(&["inherit", "unset", "revert", "revert-layer"]) {
                    Effect::Inherits
                } else {
                    Effect::Shows
                };
                declare(&mut said.visibility, effect, is_important);
            }
        }
        said
    }

    /// The attributes of a drawing that say the same.
    pub(super) fn drawn(display: Option<&str>, visibility: Option<&str>) -> Said {
        let declared = |name, value: &str| Said::of(&format!("{name}:{value}"));
        Said {
            display: display.and_then(|value| declared("display", value).display),
            visibility: visibility.and_then(|value| declared("visibility", value).visibility),
        }
    }

    /// Without what is hidden.
    pub(super) fn shows(self) -> Said {
        let is_shown = |(effect, _): &Declared| *effect != Effect::Hides;
        Said {
            display: self.display.filter(is_shown),
            visibility: self.visibility.filter(is_shown),
        }
    }

    pub(super) fn is_nothing(self) -> bool {
        self == Said::default()
    }

    pub(super) fn hides(self) -> bool {
        self.shows() != self
    }
}

fn declare(said: &mut Option<Declared>, effect: Effect, is_important: bool) {
    if is_important || !said.is_some_and(|(_, is_important)| is_important) {
        *said = Some((effect, is_important));
    }
}

/// What of two declarations the stronger one has more of: where it stands, its layer, its selector,
/// its place in the page.
pub(super) type Weight = (Level, u32, Strength, usize);

/// Where a declaration stands. Layers of `!important` count from the first to the last: of these
/// what shows is taken to be stronger than it may be, what hides to be weaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// What is hidden without style.
    Browser,
    Drawn,
    Layer,
    Sheet,
    Attribute,
    ImportantHiddenInLayer,
    Important,
    ImportantAttribute,
    ImportantShownInLayer,
}

impl Level {
    pub(super) fn of_rule((effect, is_important): Declared, is_in_layer: bool) -> Level {
        match (is_important, is_in_layer, effect) {
            (false, true, _) => Level::Layer,
            (false, false, _) => Level::Sheet,
            (true, true, Effect::Hides) => Level::ImportantHiddenInLayer,
            (true, true, _) => Level::ImportantShownInLayer,
            (true, false, _) => Level::Important,
        }
    }

    fn of_attribute(is_important: bool) -> Level {
        if is_important { Level::ImportantAttribute } else { Level::Attribute }
    }
}

/// The strongest of what is said of one property of one element.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Best {
    /// What the element says itself, and what surely shows it.
    own: Option<(Weight, Effect)>,
    hides: Option<Weight>,
    /// What shows it, or does not.
    may_show: Option<Weight>,
}

impl Best {
    /// Said by the element itself.
    pub(super) fn own(&mut self, said: Option<Declared>) {
        if let Some((effect, is_important)) = said {
            self.say((Level::of_attribute(is_important), 0, (0, 0, 0), 0), effect);
        }
    }

    /// Said by the element itself, but not as style.
    pub(super) fn by_default(&mut self, level: Level, effect: Effect) {
        self.say((level, 0, (0, 0, 0), 0), effect);
    }

    fn say(&mut self, weight: Weight, effect: Effect) {
        if self.own.is_none_or(|(own, _)| own < weight) {
            self.own = Some((weight, effect));
        }
    }

    pub(super) fn hide(&mut self, weight: Weight) {
        self.hides = self.hides.max(Some(weight));
    }

    /// By a rule that shows.
    pub(super) fn show(&mut self, weight: Weight, effect: Effect, is_sure: bool) {
        self.may_show = self.may_show.max(Some(weight));
        if is_sure {
            self.say(weight, effect);
        }
    }

    /// What counts. What the element says itself is not overruled by what may not apply.
    pub(super) fn effect(&self) -> Option<Effect> {
        let own = self.own.map(|(weight, _)| weight);
        let is_hidden = self.hides.is_some() && self.hides > own && self.hides > self.may_show;
        if is_hidden { Some(Effect::Hides) } else { self.own.map(|(_, effect)| effect) }
    }
}
