//! What a site asks of whoever reads it: leave for cookies, an opinion, an address to write to. It
//! says nothing of what the page is about, unless the page is about that.

use crate::habits::{NUMBERS, speaks_of_trade};
use page::Extract;
use regex::{Regex, RegexBuilder};
use std::sync::LazyLock;

/// Longer texts say more.
const BYTES_MAX: usize = 200;
/// Longer texts are no answers.
const ANSWER_BYTES_MAX: usize = 32;
/// Answers behind a question.
pub(crate) const ANSWERS_MAX: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prompt {
    Cookies,
    Opinion,
    /// To come back: letters, memberships, other sites.
    Return,
}

fn regex(all: &str) -> Regex {
    RegexBuilder::new(all).case_insensitive(true).build().expect("a regex that a test compiles")
}

static COOKIES: LazyLock<Regex> = LazyLock::new(|| {
    let sites = r"(?:this|our) (?:web)?site|this page|diese (?:web)?(?:seite|site)|unsere (?:web)?(?:seite|site)|ce site|notre site|este sitio(?: web)?|este site|questo sito(?: web)?|deze (?:web)?(?:site|pagina)";
    let we = r"we|wir|nous|wij";
    let ours = r"utilizamos|usamos|utilizziamo|usiamo";
    let sets = r"uses?|sets?|stores?|places?|verwende[nt]|nutzt|nutzen|setz(?:t|en)|utilise|utilisons|utiliza|usa|utilizza|gebruikt|gebruiken|plaatst|plaatsen";
    let choices = r"(?:accept|reject|refuse|allow|manage)(?: all)? cookies|(?:only|nur) (?:necessary|essential|notwendige|technisch notwendige)(?: cookies)?|no cookies here";
    regex(&format!(
        r"^(?:(?:{sites}|{we})\b.{{0,20}}\b(?:{sets})\b.{{0,40}}\bcookies?\b|(?:{ours})\b.{{0,20}}\bcookies?\b|(?:we|wir|nous|noi|wij|nosotros) (?:and|und|et|en|e|y) (?:our|unsere|nos|i nostri|onze|nuestros) .{{0,20}}(?:partner[sn]?|partenaires|socios)\b.{{0,10}}\b(?:{sets}|{ours})\b.{{0,20}}\bcookies?\b|cookies? (?:settings|preferences|consent|notice|on this (?:web)?site)$|(?:{choices})$)"
    ))
});
/// What is asked, and of what.
static JUDGED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"helpful|useful|\beasy\b|\bclear\b|satisfied|looking for|answer|hilfreich|nützlich|zufrieden|gefunden|utile|útil|chiar|nuttig|behulpzaam|duidelijk",
    )
});
static THIS_PAGE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"\bth(?:is|ese) (?:page|article|site|topic|guide|content|information|answer)|your question|you (?:were|are) looking|\bwas it to\b|are you with|diese[rs]? (?:seite|artikel|inhalt|information)|cette page|cet article|cette information|esta página|este artículo|este contenido|questa pagina|questo articolo|deze pagina|dit artikel",
    )
});
/// A question, and at most what can be answered.
static QUESTION: LazyLock<Regex> = LazyLock::new(|| {
    let answer = r"yes|no|ja|nein|oui|non|sí|si|sim|não|nee|not really|somewhat|maybe|partly";
    regex(&format!(r"^[^.?!]{{3,100}}\?(?:[^\p{{L}}]|\b(?:{answer})\b)*$"))
});
static SURVEY: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"\btake (?:our|the|this|a) (?:\p{L}+ ){0,2}survey\b|^take (?:our|the) \d{4} (?:community|readers?|users?|customers?|visitors?) survey\b|\bhelp us (?:to )?(?:improve|plan|make)\b.*\bsurvey\b|\btake part in (?:our |user )?research\b|\bzur (?:umfrage|befragung)\b|^helfen sie uns,? (?:besser zu werden|uns zu verbessern)\b.*\b(?:umfrage|befragung)\b|\ban unserer \p{L}*(?:umfrage|befragung) teil\b|\b(?:rispondi|compila|partecipa)\b.*\b(?:questionario|sondaggio)\b|\b(?:répondez|participez)\b.*\b(?:enquête|questionnaire|sondage)\b|\b(?:responda|responde|participa|participe)\b.*\b(?:encuesta|cuestionario)\b|\b(?:vul|doe mee)\b.*\b(?:enquête|vragenlijst)\b",
    )
});
static RETURN: LazyLock<Regex> = LazyLock::new(|| {
    // What stands behind a colon, a comma or in brackets says more.
    let on = r"[^:;,()–—]{0,50}";
    let letters = format!(
        r"subscribe{on}|never miss (?:an?|our|the) {on}|get (?:new|our|the|daily|weekly|more|job|breaking) {on}(?:by e-?mail|in(?:to)? your inbox){on}|(?:sign up|register) (?:for|to) {on}(?:newsletter|e-?mails?|updates|briefing)|join (?:our|the) (?:newsletter|mailing list)|(?:jetzt |unseren? )?newsletter (?:abonnieren|bestellen)|abonnieren sie {on}|abonnez-vous{on}|inscrivez-vous à {on}(?:newsletter|lettre){on}|suscríbete{on}|suscríbase{on}|iscriviti alla {on}newsletter{on}|schrijf je in voor {on}nieuwsbrief{on}|assine {on}newsletter{on}"
    );
    let paid = r"support (?:independent|our) (?:writing|journalism|work|newsroom)|become a (?:member|subscriber|supporter|patron)(?: today| now)?";
    let elsewhere = format!(
        r"(?:follow us|folgen sie uns|suivez-nous|síguenos|seguici|volg ons|siga-nos|share (?:this|on)){on}"
    );
    let one = format!("(?:{letters}|{paid}|{elsewhere})");
    regex(&format!(r"^{one}(?:[.!] {one})?[.!]?$"))
});
static COUNTED: LazyLock<Regex> = LazyLock::new(|| {
    let readers = r"(?:people|readers|subscribers|members|users)";
    let gets = r"(?:get|receive|follow|read|subscribe to)";
    regex(&format!(
        r"^(?:you have \d+ (?:free )?articles? (?:left|remaining)\b.*|(?:join )?\d[\d.,]* {readers} (?:who )?(?:already )?{gets} (?:\p{{L}}+ ){{0,2}}(?:updates?|newsletters?|e-?mails?|briefings?|us|topic)\b.*)$"
    ))
});
static ANSWER: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:yes|no|ja|nein|oui|non|sí|si|sim|não|nee|not really|somewhat|ok(?:ay)?|fine|got it|(?:i )?agree|accept(?: all)?|reject(?: all)?|refuse|decline|no,? thanks|thanks|dismiss|close|(?:only|nur) (?:necessary|essential|notwendige)|settings|more|read more|send|submit|akzeptieren|ablehnen|schließen|accepter|refuser|aceptar|rechazar|accetta|rifiuta|accepteren|weigeren|10|[0-9]|[★☆👍👎🙂🙁😀😐☹ ]+)$",
    )
});

/// A heading of links to other sites, and nothing else.
static SHARE: LazyLock<Regex> = LazyLock::new(|| {
    let what = "page|article|post|story|entry|link|job|recipe|seite|artikel|article|página|artículo|pagina|articolo";
    regex(&format!(
        r"^(?:(?:share|teilen|partager|compartir|condividi|delen)(?: (?:this|diese[nr]?|cette|cet|esta?|questa|questo|deze|dit)(?: (?:{what}))?)?(?: (?:(?:on|with|via|auf|sur|en|su|op)(?: [^:;,]{{1,20}})?|by e-?mail))?|(?:follow us|folgen sie uns|suivez-nous|síguenos|seguici|volg ons)(?: [^:;,]{{1,20}})?)[:.!]?$"
    ))
});

/// Whether a heading says nothing but where to share the page, or follow its site. O(length).
pub(crate) fn asks_to_share(heading: &str) -> bool {
    heading.len() <= BYTES_MAX && SHARE.is_match(heading.trim())
}

/// What a text asks of whoever reads it, if it does nothing else. O(length), of short texts.
pub(crate) fn prompt(text: &str) -> Option<Prompt> {
    if text.len() > BYTES_MAX {
        return None;
    }
    // A day, a price and what can be had are news.
    let is_news = || NUMBERS.is_match(text) || speaks_of_trade(text);
    if COOKIES.is_match(text) {
        Some(Prompt::Cookies)
    } else if SURVEY.is_match(text)
        || (QUESTION.is_match(text) && JUDGED.is_match(text) && THIS_PAGE.is_match(text))
    {
        Some(Prompt::Opinion)
    } else if COUNTED.is_match(text) || (!is_news() && RETURN.is_match(text)) {
        Some(Prompt::Return)
    } else {
        None
    }
}

/// Whether a text may be what is answered to a prompt before it.
pub(crate) fn is_answer(text: &str) -> bool {
    text.len() <= ANSWER_BYTES_MAX && ANSWER.is_match(text)
}

impl Prompt {
    const ALL: [Prompt; 3] = [Prompt::Cookies, Prompt::Opinion, Prompt::Return];

    /// Words of the title or a heading of a page that is about what is asked for.
    fn words(self) -> &'static [&'static str] {
        match self {
            Prompt::Cookies => &["cookie", "privac", "datenschutz", "confidential", "terms"],
            Prompt::Opinion => {
                &["survey", "umfrage", "befragung", "enquête", "encuesta", "questiona", "feedback"]
            }
            Prompt::Return => &["newsletter", "subscri", "member", "abo", "support", "mailing"],
        }
    }
}

/// What of all that a site may ask a page is about, by its title and headings: a cookie policy says
/// what the page does.
#[derive(Debug)]
pub(crate) struct Subjects(Vec<Prompt>);

impl Subjects {
    /// O(bytes of title and headings).
    pub(crate) fn of(extract: &Extract) -> Subjects {
        let headings = extract.blocks.iter().filter(|block| block.level() > 0);
        let headings = headings.filter(|block| block.part.is_main()).map(|block| &*block.text);
        let mut about = Vec::new();
        for name in extract.title.as_deref().into_iter().chain(headings) {
            let name = name.to_lowercase();
            let others = Prompt::ALL.into_iter().filter(|one| !about.contains(one));
            let said = others.filter(|one| one.words().iter().any(|word| name.contains(word)));
            let said: Vec<Prompt> = said.collect();
            if !said.is_empty() && prompt(&name).is_none() {
                about.extend(said);
            }
        }
        Subjects(about)
    }

    pub(crate) fn contain(&self, prompt: Prompt) -> bool {
        self.0.contains(&prompt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_asks_in_many_words() {
        for (text, asked) in [
            ("We use cookies to remember your cart. You can change this later.", Prompt::Cookies),
            ("Diese Website verwendet Cookies.", Prompt::Cookies),
            ("Ce site utilise des cookies. Accepter", Prompt::Cookies),
            ("Cookies on this site", Prompt::Cookies),
            ("Utilizamos cookies propias y de terceros", Prompt::Cookies),
            ("We set no cookies", Prompt::Cookies),
            ("Only necessary", Prompt::Cookies),
            ("Nosotros y nuestros 214 socios usamos cookies. Aceptar", Prompt::Cookies),
            ("Take the 2026 Community Survey! Tell us how we are doing", Prompt::Opinion),
            ("Helfen Sie uns, besser zu werden: Umfrage (3 Minuten)", Prompt::Opinion),
            ("Was this page helpful? 👍 226 👎 34", Prompt::Opinion),
            ("Did this answer your question?", Prompt::Opinion),
            ("How easy was it to find your sailing? 1 2 3 4 5", Prompt::Opinion),
            ("War diese Seite hilfreich? Ja / Nein", Prompt::Opinion),
            ("Cette page vous a-t-elle été utile ?", Prompt::Opinion),
            ("Win a day return for two: take our survey", Prompt::Opinion),
            ("Help us plan 3.4: take the user survey (5 minutes).", Prompt::Opinion),
            ("Nehmen Sie an unserer Besucherbefragung teil!", Prompt::Opinion),
            ("Never miss a vacancy. Let us write to you", Prompt::Return),
            ("Get new vacancies by e-mail. Subscribe", Prompt::Return),
            ("Support independent writing. Become a member", Prompt::Return),
            ("You have 2 free articles left this month.", Prompt::Return),
            ("1,311 people get updates about this topic", Prompt::Return),
            ("Suivez-nous sur Mastodon", Prompt::Return),
        ] {
            assert_eq!(prompt(text), Some(asked), "{text}");
        }
    }

    #[test]
    fn what_says_something_of_the_page_is_no_prompt() {
        for text in [
            "Cookies are baked on Mondays",
            "We and our school partners sell cookies from 3 May",
            "You must take the 2026 property survey by 5 May",
            "Helfen Sie uns, den Spielplatz zu planen: Umfrage bis 3. Mai verlängert",
            "We bake cookies with less sugar now",
            "Is this information shared with others?",
            "Is the vaccine useful for children?",
            "Become a member: 40 € a year",
            "Sign up for the race by Friday",
            "1,200 people already evacuated from the valley",
            "40 people already infected in Ashby",
            "Become a member (waiting list open)",
            "Subscribe: sold out",
            "Support our work: the clinic closes for good",
            "Get your test results by e-mail from Monday",
            "Get the key of your room by e-mail on Monday",
            "Cookies",
            "Place the cookies on a baking tray",
            "Store cookies in an airtight tin",
            "Subscribe before 4 May for the early price",
            "The survey of housing was put off",
            "The labour force survey is out",
            "1,311 people live here",
            "Follow the signs to the ferry",
            "How do I find my sailing?",
            "Yes",
        ] {
            assert_eq!(prompt(text), None, "{text}");
        }
    }

    #[test]
    fn a_page_is_about_what_its_headings_say() {
        let url = url::Url::parse("https://a.example/").expect("a URL");
        let hints = page::Hints { content_type: Some("text/html"), url: &url };
        let about = |body: &str| {
            let read = page::read(body.as_bytes(), &hints, &page::Limits::default());
            Subjects::of(&read.expect("a page")).0
        };
        assert_eq!(about("<title>Cookie policy</title><p>x"), [Prompt::Cookies]);
        assert_eq!(about("<h1>Our survey</h1><h2>Members</h2>").len(), 2);
        assert_eq!(about("<h1>Kettle</h1><h2>We use cookies</h2>"), [], "it asks itself");
    }

    #[test]
    fn answers_are_short() {
        assert!(
            ["Yes", "No thanks", "Fine", "1", "★", "Only necessary"].into_iter().all(is_answer)
        );
        assert!(
            !["Sold out", "No entry", "Yes, from May", "Open", "€ 40.00", "48"]
                .into_iter()
                .any(is_answer)
        );
    }
}
