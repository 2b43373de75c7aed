//! A shop, a museum, a canteen.

use crate::demo::markup::{self, slug};
use crate::demo::world::Moment;

/// A product as it is on offer now.
#[derive(Clone, Copy, PartialEq)]
enum Offer {
    Usual,
    /// Per cent off.
    Reduced(u64),
    LastOne,
    SoldOut,
}

/// Prices and stock, among a shuffled box of things others bought and a basket's token.
pub fn shop(moment: &Moment<'_>) -> String {
    let offers = offers(moment);
    let rows: Vec<String> =
        POTS.iter().zip(offers).map(|((name, cents), offer)| row(name, *cents, offer)).collect();
    let mut noise = moment.noise("shop");
    let mut others = OTHERS_BOUGHT;
    noise.shuffle(&mut others);
    let below = format!("{} people are looking at teapots right now.", 20 + noise.below(40));
    let body = format!(
        "<ul>{}</ul>\n<aside><h3>Others bought</h3><p>{}</p></aside>\n{}\n\
         <footer><a href=\"/basket?session={}\">Your basket</a></footer>",
        rows.join("\n"),
        others[..3].join(", "),
        markup::sponsor(moment),
        noise.hex(),
    );
    markup::page(moment, &below, &body)
}

fn row(name: &str, cents: u64, offer: Offer) -> String {
    let euros = |cents: u64| format!("€ {}.{:02}", cents / 100, cents % 100);
    let price = euros(cents);
    let says = match offer {
        Offer::Usual => format!("{price}, in stock"),
        Offer::Reduced(percent) => {
            let now = euros(cents - cents * percent / 100);
            format!("{now}, reduced from {price}")
        }
        Offer::LastOne => format!("{price}, last one"),
        Offer::SoldOut => format!("{price}, sold out"),
    };
    let slug = slug(name);
    format!(
        "<li><img src=\"/photos/{slug}.svg\" alt=\"{name}\"><a href=\"/pots/{slug}\">{name}</a> {says}</li>"
    )
}

/// Every change gives another pot another offer; one that had an offer goes back to the usual.
fn offers(moment: &Moment<'_>) -> [Offer; POTS.len()] {
    let mut offers = [Offer::Usual; POTS.len()];
    offers[POTS.len() - 1] = Offer::SoldOut;
    for change in 0..moment.changes {
        let offer = &mut offers[moment.dealt(change, POTS.len())];
        *offer = match (*offer, change % 3) {
            (Offer::LastOne, _) => Offer::SoldOut,
            (Offer::Usual, 0) => Offer::Reduced(10 + 5 * moment.fate("off", change).below(5)),
            (Offer::Usual, 1) => Offer::LastOne,
            (Offer::Usual, _) => Offer::SoldOut,
            _ => Offer::Usual,
        };
    }
    offers
}

/// Pictures of acquisitions, and a sponsor's.
pub fn museum(moment: &Moment<'_>) -> String {
    let newest = (moment.changes..moment.changes + 5).rev();
    let rows: Vec<String> = newest
        .map(|index| {
            let (name, about) = INVENTIONS[moment.dealt(index, INVENTIONS.len())];
            let number = 300 + index;
            let slug = slug(name);
            format!(
                "<li><img src=\"/exhibits/{number}-{slug}.svg\" alt=\"{name}\"><b>{name}</b>: {about}</li>"
            )
        })
        .collect();
    let open = moment.noise("open").below(90);
    let below = format!("{open} visitors in the house at {}", moment.clock());
    let body = format!(
        "<h2>New acquisitions</h2>\n<ul>{}</ul>\n{}",
        rows.join("\n"),
        markup::sponsor(moment)
    );
    markup::page(moment, &below, &body)
}

/// Dishes, and a line on the weather with a queue that moves.
pub fn canteen(moment: &Moment<'_>) -> String {
    let mut dishes: [u64; 4] = [0, 1, 2, 3];
    for change in 0..moment.changes {
        dishes[(change % 4) as usize] = 4 + change;
    }
    let rows: Vec<&str> =
        dishes.iter().map(|&index| DISHES[moment.dealt(index, DISHES.len())]).collect();
    let mut noise = moment.noise("canteen");
    let weather = noise.pick(&["sunny", "cloudy", "rainy", "windy"]);
    let queue = 1 + noise.below(20);
    let below = format!("Outside it is {weather}. Queue: {queue}. Updated {}.", moment.clock());
    let list: String = rows.iter().map(|dish| format!("<li>{dish}</li>\n")).collect();
    markup::page(moment, &below, &format!("<h2>On the stove</h2>\n<ul>{list}</ul>"))
}

const POTS: [(&str, u64); 8] = [
    ("Blue enamel teapot", 3_400),
    ("Iron teapot for two", 5_900),
    ("Glass teapot with a lid of cork", 2_850),
    ("Brown betty, four cups", 2_450),
    ("Copper kettle, small", 7_200),
    ("Travel teapot in felt", 3_900),
    ("White porcelain teapot", 4_600),
    ("Samovar, restored", 24_000),
];

const OTHERS_BOUGHT: [&str; 7] = [
    "a strainer",
    "a tin of smoky black tea",
    "a tea cosy with ears",
    "two spoons",
    "a timer shaped like an egg",
    "dried peppermint",
    "a tray of beech",
];

const INVENTIONS: [(&str, &str); 14] = [
    ("Self-winding bookmark", "a spring, a ribbon, and good intentions."),
    ("Pocket barometer", "it was right about Tuesdays."),
    ("Umbrella for two hats", "made for twins, bought by nobody."),
    ("Egg clock that whistles", "the whistle was later sold to a railway."),
    ("Folding bathtub", "it folds; it does not unfold."),
    ("Letter scale for balloons", "weighs from minus ten grams."),
    ("Left-handed corkscrew", "the inventor was right-handed."),
    ("Portable doorbell", "for visitors who like to be announced."),
    ("Boot warmer with a chimney", "please do not wear it indoors."),
    ("Steam-driven page turner", "too fast for poetry."),
    ("Rain-powered radio", "excellent reception in autumn."),
    ("Soup thermometer with a bell", "rings once when it is too late."),
    ("Pencil with two beginnings", "no end in sight."),
    ("Quiet typewriter", "felt hammers, velvet keys."),
];

const DISHES: [&str; 16] = [
    "Lentil soup with lemon",
    "Fish cakes and cucumber salad",
    "Goulash with dumplings",
    "Spinach pancakes",
    "Leek and potato pie",
    "Mussels in cider",
    "Mushroom barley stew",
    "Roast carrots with hazelnuts",
    "Pea soup and dark bread",
    "Noodles with sesame",
    "Baked apples, vanilla cream",
    "Smoked trout on toast",
    "Pumpkin curry",
    "Cabbage rolls",
    "Beans in tomato and sage",
    "Plum crumble",
];
