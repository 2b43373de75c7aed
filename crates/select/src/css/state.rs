//! Pseudo-classes of links and controls, as far as markup tells.

use super::element::Element;

/// A pseudo-class that does not speak of the place in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Link,
    Checked,
    Default,
    Indeterminate,
    Disabled,
    Enabled,
    Required,
    Optional,
    ReadOnly,
    ReadWrite,
    PlaceholderShown,
    Open,
    Defined,
    /// What only somebody who uses the page brings about.
    Never,
}

const NAMES: [(&str, State); 32] = [
    ("link", State::Link),
    ("any-link", State::Link),
    ("checked", State::Checked),
    ("default", State::Default),
    ("indeterminate", State::Indeterminate),
    ("disabled", State::Disabled),
    ("enabled", State::Enabled),
    ("required", State::Required),
    ("optional", State::Optional),
    ("read-only", State::ReadOnly),
    ("read-write", State::ReadWrite),
    ("placeholder-shown", State::PlaceholderShown),
    ("open", State::Open),
    ("defined", State::Defined),
    ("hover", State::Never),
    ("active", State::Never),
    ("focus", State::Never),
    ("focus-visible", State::Never),
    ("focus-within", State::Never),
    ("visited", State::Never),
    ("local-link", State::Never),
    ("target", State::Never),
    ("target-within", State::Never),
    ("current", State::Never),
    ("past", State::Never),
    ("future", State::Never),
    ("playing", State::Never),
    ("paused", State::Never),
    ("user-valid", State::Never),
    ("user-invalid", State::Never),
    ("fullscreen", State::Never),
    ("modal", State::Never),
];

/// Types of `<input>` that take no text and no value that could be required.
const REQUIRED_APPLIES_NOT: [&str; 7] =
    ["hidden", "range", "color", "submit", "image", "reset", "button"];
/// Types of `<input>` in which nothing is typed.
const TYPED_NOT: [&str; 10] =
    ["hidden", "range", "color", "checkbox", "radio", "file", "submit", "image", "reset", "button"];
/// Types of `<input>` that show a placeholder, beside those that mean text.
const PLACEHOLDER_APPLIES_NOT: [&str; 15] = [
    "hidden",
    "range",
    "color",
    "checkbox",
    "radio",
    "file",
    "submit",
    "image",
    "reset",
    "button",
    "date",
    "month",
    "week",
    "time",
    "datetime-local",
];

impl State {
    /// The pseudo-class of a name in lower case.
    pub fn named(name: &str) -> Option<State> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, state)| *state)
    }

    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, state)| *state == self).map_or("", |(name, _)| name)
    }

    pub fn is_of(self, element: Element<'_>) -> bool {
        match self {
            State::Link => element.is(&["a", "area"]) && element.has("href"),
            State::Checked => element.is_checked(),
            State::Default => element.is_default(),
            State::Indeterminate => element.is_indeterminate(),
            State::Disabled => element.can_be_disabled() && element.is_disabled(),
            State::Enabled => element.can_be_disabled() && !element.is_disabled(),
            State::Required => element.can_be_required() && element.has("required"),
            State::Optional => {
                element.is(&["input", "select", "textarea"])
                    && !(element.can_be_required() && element.has("required"))
            }
            State::ReadWrite => element.is_writable(),
            State::ReadOnly => element.is_html() && !element.is_writable(),
            State::PlaceholderShown => element.shows_placeholder(),
            State::Open => element.is(&["details", "dialog"]) && element.has("open"),
            State::Defined => !element.is_html() || !element.value.name().contains('-'),
            State::Never => false,
        }
    }
}

impl Element<'_> {
    /// The type of an `<input>`.
    pub fn input_type(self) -> String {
        self.attr("type").unwrap_or("text").to_ascii_lowercase()
    }

    fn is_input(self, types: &[&str]) -> bool {
        self.is(&["input"]) && types.contains(&&*self.input_type())
    }

    pub fn is_radio(self) -> bool {
        self.is_input(&["radio"])
    }

    fn is_checked(self) -> bool {
        if self.is(&["option"]) {
            return self.is_selected();
        }
        let is_checked = self.has("checked");
        if self.is_radio() {
            is_checked && self.is_last_of_its_group()
        } else {
            is_checked && self.is_input(&["checkbox"])
        }
    }

    fn is_default(self) -> bool {
        if self.is(&["option"]) {
            return self.has("selected");
        }
        if self.is_input(&["checkbox", "radio"]) {
            return self.has("checked");
        }
        self.is_submit() && self.is_first_submit_of_its_form()
    }

    pub fn is_submit(self) -> bool {
        let is_button = self.is(&["button"])
            && !["button", "reset"]
                .contains(&&*self.attr("type").unwrap_or("").to_ascii_lowercase());
        is_button || self.is_input(&["submit", "image"])
    }

    fn is_indeterminate(self) -> bool {
        if self.is(&["progress"]) {
            return !self.has("value");
        }
        if self.is_radio() {
            !self.has("checked") && !self.has_checked_in_its_group()
        } else {
            self.is_input(&["checkbox"]) && self.has("indeterminate")
        }
    }

    fn can_be_disabled(self) -> bool {
        const NAMES: [&str; 7] =
            ["button", "input", "select", "textarea", "optgroup", "option", "fieldset"];
        self.is(&NAMES)
    }

    pub fn is_disabled(self) -> bool {
        if self.has("disabled") {
            return true;
        }
        if self.is(&["option", "optgroup"]) {
            return self.is_left_out() || self.select().is_some_and(Self::is_disabled);
        }
        self.is_in_disabled_fieldset()
    }

    /// Inside a disabled `<fieldset>`, and not in the first of its legends.
    fn is_in_disabled_fieldset(self) -> bool {
        let mut inner = self;
        for outer in self.ancestors() {
            if outer.is(&["fieldset"]) && outer.has("disabled") {
                let legend = outer.children().find(|child| child.is(&["legend"]));
                if legend.is_none_or(|legend| legend.node.id() != inner.node.id()) {
                    return true;
                }
            }
            inner = outer;
        }
        false
    }

    fn can_be_required(self) -> bool {
        if self.is(&["input"]) {
            !REQUIRED_APPLIES_NOT.contains(&&*self.input_type())
        } else {
            self.is(&["select", "textarea"])
        }
    }

    fn is_writable(self) -> bool {
        let is_typed = if self.is(&["input"]) {
            !TYPED_NOT.contains(&&*self.input_type())
        } else {
            self.is(&["textarea"])
        };
        if is_typed {
            return !self.has("readonly") && !self.is_disabled();
        }
        self.is_html() && !self.is(&["input"]) && self.is_edited()
    }

    /// Itself or an ancestor says `contenteditable`, the innermost counts.
    fn is_edited(self) -> bool {
        let mut elements = std::iter::once(self).chain(self.ancestors());
        let said = elements.find_map(|element| {
            let said = element.attr("contenteditable").filter(|_| element.is_html())?;
            match &*said.to_ascii_lowercase() {
                "" | "true" | "plaintext-only" => Some(true),
                "false" => Some(false),
                _ => None,
            }
        });
        said.unwrap_or(false)
    }

    fn shows_placeholder(self) -> bool {
        let is_possible = if self.is(&["input"]) {
            !PLACEHOLDER_APPLIES_NOT.contains(&&*self.input_type())
        } else {
            self.is(&["textarea"])
        };
        is_possible
            && self.attr("placeholder").is_some_and(|text| !text.is_empty())
            && !self.has_value()
    }

    fn has_value(self) -> bool {
        if self.is(&["input"]) {
            return !sanitized(&self.input_type(), self.attr("value").unwrap_or("")).is_empty();
        }
        let texts = self.node.children().take_while(|_| self.scope.steps.is_left(1));
        let mut texts = texts.filter_map(|child| child.value().as_text());
        texts.any(|text| !text.is_empty())
    }
}

/// The value of an `<input>` as HTML cleans it.
fn sanitized<'v>(input_type: &str, value: &'v str) -> &'v str {
    let value = match value.trim_matches(['\n', '\r']) {
        "" => "",
        _ => value,
    };
    match input_type {
        "url" | "email" => value.trim_ascii(),
        "number" if !is_number(value) => "",
        _ => value,
    }
}

/// A floating-point number as HTML writes it.
fn is_number(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let begins = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let dot = digits.split_once('.').map(|(_, fraction)| fraction);
    begins
        && dot.is_none_or(|fraction| fraction.starts_with(|c: char| c.is_ascii_digit()))
        && value.parse::<f64>().is_ok_and(f64::is_finite)
}
