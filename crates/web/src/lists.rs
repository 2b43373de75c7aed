//! The watches of each owner in a line each, for lists of very many: read as a whole once, and kept
//! up to date by what the kernel says has changed.
//!
//! A list is as new as the kernel was when it was asked for. Memory: about 140 bytes a watch, for
//! owners who look at their lists.

use crate::desk::Desk;
use crate::doubts::Doubts;
use crate::problem::Problem;
use chronon::{Instant, OwnerId, SentinelId, SourceId};
use kernel::Kernel;
use kernel::record::SentinelState;
use kernel::view::{Health, Mark, WatchLine};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// Sentinels that one look at the kernel lists: about two milliseconds.
const LINES_AT_ONCE: usize = 2_000;

/// The lists of all owners who asked for theirs.
#[derive(Default)]
pub(crate) struct Lists(Mutex<BTreeMap<OwnerId, Arc<tokio::sync::Mutex<List>>>>);

/// The watches of one owner.
#[derive(Default)]
pub(crate) struct List {
    /// How far the kernel's changes are in it; none before it was read.
    mark: Option<Mark>,
    /// In the order of their ids.
    lines: Vec<Line>,
    /// What lines say in words, in small letters, one after the other.
    texts: String,
    /// Bytes of `texts` that no line says any more.
    waste: usize,
    /// Pages of which it is not known yet whether they are in doubt, and whose they are.
    unread: Vec<(SentinelId, Page)>,
}

/// A source, and the number of its current version.
type Page = (SourceId, u32);

/// A watch, without what is shown of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) id: SentinelId,
    pub(crate) state: SentinelState,
    pub(crate) health: Health,
    /// Notifications so far.
    pub(crate) told: u64,
    /// It tells nothing before then, by somebody's wish.
    pub(crate) snoozed: Option<Instant>,
    /// Somebody removed it just now.
    pub(crate) is_going: bool,
    /// A page of it hardly shows what somebody wants to watch.
    pub(crate) in_doubt: bool,
    pages: u32,
    words: Words,
}

/// Where what is searched stands in the list's texts: name and first address, and then its tags,
/// each between two ends of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Words {
    start: usize,
    tags: u32,
    end: u32,
}

impl Words {
    /// Adds what a line says to `texts`.
    fn of(line: &WatchLine<'_>, texts: &mut String) -> Words {
        let start = texts.len();
        fold(texts, line.name());
        texts.push('\n');
        fold(texts, &line.url());
        let tags = texts.len();
        for tag in line.tags() {
            texts.push('\n');
            fold(texts, tag);
        }
        texts.push('\n');
        let length = |end| u32::try_from(end - start).expect("names and addresses have limits");
        Words { start, tags: length(tags), end: length(texts.len()) }
    }

    fn all(self) -> Range<usize> {
        self.start..self.start + self.end as usize
    }

    fn own(self, texts: &str) -> &str {
        &texts[self.start..self.start + self.tags as usize]
    }

    fn tags(self, texts: &str) -> &str {
        &texts[self.start + self.tags as usize..self.start + self.end as usize]
    }
}

/// Adds `text` in small letters.
fn fold(texts: &mut String, text: &str) {
    if text.is_ascii() {
        let start = texts.len();
        texts.push_str(text);
        texts[start..].make_ascii_lowercase();
    } else {
        texts.push_str(&text.to_lowercase());
    }
}

impl Line {
    /// One that says nothing.
    #[cfg(test)]
    pub(crate) fn active(id: SentinelId, health: Health) -> Line {
        let words = Words { start: 0, tags: 0, end: 0 };
        let (state, pages) = (SentinelState::Active, 1);
        let (told, snoozed, is_going, in_doubt) = (0, None, false, false);
        Line { id, state, health, told, snoozed, is_going, in_doubt, pages, words }
    }

    pub(crate) fn is_in_trouble(&self) -> bool {
        (self.in_doubt || matches!(self.health, Health::Failing | Health::Doubtful))
            && !self.is_going
    }
}

/// What is searched for; empty: all.
#[derive(Debug, Default, Clone)]
pub(crate) struct Search {
    /// In the name or the address; in small letters.
    pub(crate) text: String,
    /// In small letters.
    pub(crate) tag: String,
}

/// Lines as the kernel has them now.
#[derive(Default)]
struct News {
    lines: Vec<Line>,
    texts: String,
    /// Pages of those that are active.
    pages: Vec<(SentinelId, Page)>,
    gone: Vec<SentinelId>,
}

impl News {
    fn take(&mut self, line: &WatchLine<'_>) {
        if line.state() == SentinelState::Active {
            self.pages.extend(line.sources().map(|page| (line.id(), page)));
        }
        let pages = u32::try_from(line.sources().count()).unwrap_or(u32::MAX);
        let words = Words::of(line, &mut self.texts);
        self.lines.push(Line {
            id: line.id(),
            state: line.state(),
            health: line.health(),
            told: line.told(),
            snoozed: line.snoozed(),
            is_going: line.going().is_some(),
            in_doubt: false,
            pages,
            words,
        });
    }

    /// Every sentinel of the owner, in pieces that hold nobody up.
    async fn whole(desk: &Desk, owner: OwnerId) -> Result<News, Problem> {
        let (mut news, mut after) = (News::default(), None);
        loop {
            let look = move |kernel: &Kernel| {
                let mut walked = 0;
                for line in kernel.lines(owner, after).take(LINES_AT_ONCE) {
                    news.take(&line);
                    walked += 1;
                }
                (news, walked == LINES_AT_ONCE)
            };
            let more;
            (news, more) = desk.look(look).await?;
            match news.lines.last().filter(|_| more) {
                Some(last) => after = Some(last.id),
                None => return Ok(news),
            }
        }
    }

    /// These of the owner's, in pieces as well.
    async fn some(desk: &Desk, owner: OwnerId, changed: &[SentinelId]) -> Result<News, Problem> {
        let mut news = News::default();
        for piece in changed.chunks(LINES_AT_ONCE) {
            let piece = piece.to_vec();
            let look = move |kernel: &Kernel| {
                for id in piece {
                    match kernel.line(owner, id) {
                        Some(line) => news.take(&line),
                        None => news.gone.push(id),
                    }
                }
                news
            };
            news = desk.look(look).await?;
        }
        Ok(news)
    }
}

impl Lists {
    /// The owner's list as it is now; nobody else is given it meanwhile.
    /// O(changes since it was last asked for), O(watches) the first time.
    pub(crate) async fn of(
        &self,
        owner: OwnerId,
        desk: &Desk,
        doubts: &Doubts,
    ) -> Result<OwnedMutexGuard<List>, Problem> {
        let list = {
            let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(lists.entry(owner).or_default())
        };
        let mut list = list.lock_owned().await;
        list.catch_up(owner, desk).await?;
        list.settle(desk, doubts).await?;
        Ok(list)
    }
}

impl List {
    async fn catch_up(&mut self, owner: OwnerId, desk: &Desk) -> Result<(), Problem> {
        let before = self.mark;
        let look = move |kernel: &Kernel| {
            (kernel.mark(), before.and_then(|mark| kernel.changed_since(mark)))
        };
        // What changes while lines are read is read again the next time.
        let (mark, changed) = desk.look(look).await?;
        match changed {
            Some(changed) => {
                let news = News::some(desk, owner, &changed).await?;
                self.unread.retain(|(id, _)| changed.binary_search(id).is_err());
                self.apply(news);
            }
            None => {
                let News { lines, texts, pages, .. } = News::whole(desk, owner).await?;
                *self = List { lines, texts, unread: pages, ..List::default() };
            }
        }
        self.mark = Some(mark);
        Ok(())
    }

    fn apply(&mut self, news: News) {
        let News { lines, texts, pages, gone } = news;
        let known = self.lines.len();
        for line in lines {
            let said = &texts[line.words.all()];
            let at = self.lines[..known].binary_search_by_key(&line.id, |line| line.id);
            let before = at.ok().map(|at| self.lines[at].words);
            let words = match before {
                Some(words) if self.texts[words.all()] == *said => words,
                _ => {
                    self.waste += before.map_or(0, |words| words.all().len());
                    let start = self.texts.len();
                    self.texts.push_str(said);
                    Words { start, ..line.words }
                }
            };
            let line = Line { words, ..line };
            match at {
                Ok(at) => self.lines[at] = line,
                Err(_) => self.lines.push(line),
            }
        }
        if self.lines.len() > known {
            self.lines.sort_unstable_by_key(|line| line.id);
        }
        if !gone.is_empty() {
            let waste = &mut self.waste;
            self.lines.retain(|line| {
                let is_gone = gone.binary_search(&line.id).is_ok();
                *waste += if is_gone { line.words.all().len() } else { 0 };
                !is_gone
            });
        }
        if self.waste > self.texts.len() / 2 {
            self.close_gaps();
        }
        self.unread.extend(pages);
    }

    /// Leaves out the texts that no line says any more.
    fn close_gaps(&mut self) {
        let mut texts = String::with_capacity(self.texts.len() - self.waste);
        for line in &mut self.lines {
            let start = texts.len();
            texts.push_str(&self.texts[line.words.all()]);
            line.words.start = start;
        }
        (self.texts, self.waste) = (texts, 0);
    }

    /// Which lines are in doubt, as far as their pages are read.
    async fn settle(&mut self, desk: &Desk, doubts: &Doubts) -> Result<(), Problem> {
        if self.unread.is_empty() {
            return Ok(());
        }
        let wanted = self.unread.iter().map(|(_, page)| *page).collect();
        let watched = self.lines.iter().map(|line| line.pages as usize).sum();
        let found = doubts.among(desk, wanted, watched).await?;
        let lines = &mut self.lines;
        self.unread.retain(|(id, (source, _))| {
            if found.in_doubt.contains(source)
                && let Ok(at) = lines.binary_search_by_key(id, |line| line.id)
            {
                lines[at].in_doubt = true;
            }
            found.unread.contains(source)
        });
        Ok(())
    }

    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Pages of which it is not known yet whether they are in doubt.
    pub(crate) fn unread(&self) -> usize {
        self.unread.len()
    }

    pub(crate) fn failing(&self) -> usize {
        self.lines.iter().filter(|line| line.is_in_trouble()).count()
    }

    /// The lines that have what is searched for. O(bytes of names, addresses and tags).
    pub(crate) fn found<'l>(&'l self, search: &Search) -> impl Iterator<Item = &'l Line> {
        let Search { text, tag } = search.clone();
        let tag = (!tag.is_empty()).then(|| format!("\n{tag}\n"));
        self.lines.iter().filter(move |line| {
            (text.is_empty() || line.words.own(&self.texts).contains(&text))
                && tag.as_ref().is_none_or(|tag| line.words.tags(&self.texts).contains(tag))
        })
    }
}
