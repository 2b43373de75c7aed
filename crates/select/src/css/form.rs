//! What a control is among the others of its form, list or group.

use super::element::Element;
use ego_tree::NodeId;

impl Element<'_> {
    /// The form that a control belongs to: the one it names, or the nearest around it.
    fn form(self) -> Option<NodeId> {
        let Some(named) = self.attr("form") else {
            return self
                .ancestors()
                .find(|element| element.is(&["form"]))
                .map(|form| form.node.id());
        };
        let first = self.outermost().inside().find(|element| element.attr("id") == Some(named));
        first
            .filter(|element| element.is(&["form"]) && !named.is_empty())
            .map(|form| form.node.id())
    }

    /// The checked radio buttons of a group.
    fn checked_of_its_group(self) -> Vec<NodeId> {
        let name = self.attr("name").filter(|name| !name.is_empty());
        let Some(name) = name else { return Vec::new() };
        let form = self.form();
        let all = self.outermost().inside();
        let group = all.filter(|other| other.is_radio() && other.attr("name") == Some(name));
        let checked = group.filter(|other| other.has("checked") && other.form() == form);
        checked.map(|other| other.node.id()).collect()
    }

    pub fn has_checked_in_its_group(self) -> bool {
        !self.checked_of_its_group().is_empty()
    }

    /// A radio button that no later one of its group releases.
    pub fn is_last_of_its_group(self) -> bool {
        self.checked_of_its_group().last().is_none_or(|last| *last == self.node.id())
    }

    pub fn is_first_submit_of_its_form(self) -> bool {
        let Some(form) = self.form() else { return false };
        let mut all = self.outermost().inside();
        let first = all.find(|other| other.is_submit() && other.form() == Some(form));
        first.is_some_and(|first| first.node.id() == self.node.id())
    }

    /// An option that is selected when the page has loaded.
    pub fn is_selected(self) -> bool {
        let Some(select) = self.select() else { return self.has("selected") };
        if select.has("multiple") {
            return self.has("selected");
        }
        let of_select = |option: &Element<'_>| {
            option.select().is_some_and(|own| own.node.id() == select.node.id())
        };
        let options =
            || select.inside().filter(|element| element.is(&["option"])).filter(of_select);
        let last = options().filter(|option| option.has("selected")).last();
        let shown = last.or_else(|| {
            if select.shows_one() { options().find(|option| !option.is_left_out()) } else { None }
        });
        shown.is_some_and(|shown| shown.node.id() == self.node.id())
    }

    /// The list that an option or a group of options belongs to.
    pub fn select(self) -> Option<Self> {
        let mut groups = usize::from(self.is(&["optgroup"]));
        for element in self.ancestors() {
            groups += usize::from(element.is(&["optgroup"]));
            if element.is(&["select"]) {
                return Some(element);
            }
            if groups > 1 || element.is(&["datalist", "hr", "option"]) {
                return None;
            }
        }
        None
    }

    /// An option that is disabled itself or by the innermost group around it.
    pub fn is_left_out(self) -> bool {
        let mut around = self.ancestors();
        let group = around.find(|element| element.is(&["optgroup", "select"]));
        let by_group = group.is_some_and(|group| group.is(&["optgroup"]) && group.has("disabled"));
        self.has("disabled") || (self.is(&["option"]) && by_group)
    }

    /// Whether a `<select>` shows one option, and so always has one.
    fn shows_one(self) -> bool {
        let size = self.attr("size").unwrap_or("").trim_ascii_start();
        let size = size.strip_prefix('+').unwrap_or(size);
        let end = size.find(|c: char| !c.is_ascii_digit()).unwrap_or(size.len());
        let digits = size[..end].trim_start_matches('0');
        matches!(digits, "" | "1")
    }
}
