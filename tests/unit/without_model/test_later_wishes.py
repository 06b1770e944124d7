"""Wishes to be asked or reminded later, as they are read without a model."""

from tests.rows import each_row
from utils.without_model.wishes import Wish, WishKind, parse_wish


@each_row(
    ("text", "what", "day"),
    [
        ("ask me on Friday how the exam went", "how the exam went", "on Friday"),
        ("Kith, please ask me how my exam went tomorrow!", "how my exam went", "tomorrow"),
        ("ask me again in two weeks about the flat", "about the flat", "in two weeks"),
        ("can you ask me next week whether I slept?", "whether I slept", "next week"),
        ("frag mich am Freitag, wie es war", "wie es war", "am Freitag"),
        ("frag mich bitte wie die prüfung war am montag", "wie die prüfung war", "am montag"),
    ],
)
def test_being_asked_later_is_asked_for(text, what, day):
    assert parse_wish(text) == Wish(WishKind.ASK_LATER, what, day=day)


@each_row(
    ("text", "what", "when"),
    [
        ("remind me on friday to call mum", "call mum", "on friday"),
        ("Kith, please remind me to call mum tomorrow at 6", "call mum", "tomorrow at 6"),
        ("remind me at 18:30 to water the plants", "water the plants", "at 18:30"),
        ("remind me in 20 minutes about the oven", "about the oven", "in 20 minutes"),
        ("erinner mich morgen daran, dass ich Mutti anrufe", "dass ich Mutti anrufe", "morgen"),
        ("erinnere mich morgen um 6 daran, Mama anzurufen", "Mama anzurufen", "morgen um 6"),
        ("erinnere mich um 18 Uhr an den Arzt", "an den Arzt", "um 18 Uhr"),
        ("remind me to take the pill every day at 9", "take the pill", "every day at 9"),
        (
            "remind me every Monday and Thursday at 18:30 to run",
            "run",
            "every Monday and Thursday at 18:30",
        ),
        (
            "remind me to hand in the essay tomorrow 9am PST",
            "hand in the essay",
            "tomorrow 9am PST",
        ),
        ("remind me to check in on Bob in 1h30m", "check in on Bob", "in 1h30m"),
        ("remind me to pay on 12/24 at 8am", "pay", "on 12/24 at 8am"),
        ("remind me to call mum tomorrow at 9 or 10", "call mum", "tomorrow at 9 or 10"),
        ("erinnere mich jeden Tag um 9 an die Tablette", "an die Tablette", "jeden Tag um 9"),
        ("erinnere mich am 24.12. um 18 Uhr an den Baum", "an den Baum", "am 24.12. um 18 Uhr"),
        ("remind me tonight at ten to eight to call Will", "call Will", "tonight at ten to eight"),
        ("remind me at ten to call Will", "call Will", "at ten"),
        ("remind me Friday at 5 about the bins", "about the bins", "Friday at 5"),
        ("erinner mich um Viertel nach acht ans Bad", "ans Bad", "um Viertel nach acht"),
        ("kannst du mich um 8 an den Müll erinnern?", "an den Müll", "um 8"),
        ("erinnerst du mich heut Abend an Mai?", "an Mai", "heut Abend"),
        ("erinnere mich daran, Ben um 5 anzurufen", "Ben anzurufen", "um 5"),
        ("erinner mi um 6, die Milch zu kaufen", "die Milch zu kaufen", "um 6"),
        ("könntest du mich um 9 daran erinnern, zu essen?", "zu essen", "um 9"),
        ("erinner mich am 5. an die Miete", "an die Miete", "am 5."),
        ("remind me sunday 18:00 pack bag", "pack bag", "sunday 18:00"),
        ("remind me wed 5pm to call mum", "call mum", "wed 5pm"),
        ("remind me in an hour", "", "in an hour"),
        ("erinner mich um 22 Uhr schlafen zu gehen", "schlafen zu gehen", "um 22 Uhr"),
        ("remind me tomorrow", "", "tomorrow"),
        ("remind me tmrw at 9 to call mum", "call mum", "tmrw at 9"),
        ("remind me around 5 to call mum", "call mum", "around 5"),
        ("remind me @ 5pm to call mum", "call mum", "@ 5pm"),
        ("remind me by 5pm to book", "book", "by 5pm"),
        ("remind me to call mum 5pm", "call mum", "5pm"),
        ("remind me to call mum", "call mum", ""),
        ("kindly do the needful and remind me at 9 to call mum", "call mum", "at 9"),
        ("remind me morgen um 9 to send the deck", "send the deck", "morgen um 9"),
        ("erinner mich tomorrow um 9 an den Arzt", "an den Arzt", "tomorrow um 9"),
        ("erinner mich fr 18 uhr müll", "müll", "fr 18 uhr"),
        ("erinner mich an die Müllabfuhr", "an die Müllabfuhr", ""),
    ],
)
def test_a_reminder_is_asked_for(text, what, when):
    assert parse_wish(text) == Wish(WishKind.REMIND, what, day=when)


@each_row(
    "text",
    [
        "",
        "ask me anything",
        "ask Bob on Friday how it went",
        "don't ask me on Friday how it went",
        "I told him to remind me",
        "remind me in which city I live",
        "remind me what I said about Mum",
        "🦀" * 4000,
    ],
)
def test_talk_is_no_wish_for_later(text):
    assert parse_wish(text) is None
