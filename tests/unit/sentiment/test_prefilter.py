"""What is trivial, what looks heated, and which batches deserve a call."""

from datetime import timedelta

from tests.fakes.builders import CHANNEL, GUILD
from tests.fakes.clock import NOON
from tests.rows import each_row
from utils.models.memory import Event, Role
from utils.sentiment.prefilter import deserves_call, is_trivial, looks_heated


def chat(*said: tuple[int, str], gap_s: float = 60.0) -> list[Event]:
    return [
        Event(
            GUILD,
            CHANNEL,
            CHANNEL,
            number,
            author,
            "x",
            Role.MEMBER,
            text,
            NOON + number * timedelta(seconds=gap_s),
        )
        for number, (author, text) in enumerate(said)
    ]


@each_row(
    ("text", "expected"),
    [
        ("", True),
        ("ok then", True),
        ("🙂🙂🙂 🎉", True),
        ("<:wave:123456789012345678> <a:dance:123456789012345678> <@123456789012345678>", True),
        ("!play never gonna give you up", True),
        ("/roll 3d6 please", True),
        ("https://example.com/a/b/c", True),
        ("<@123456789012345678> <#123456789012345678> hi there", True),
        ("好的", True),
        ("how are you", False),
        ("shut up", False),
        ("kys", False),
        ("你今天过得怎么样", False),
        ("...well I would not say that", False),
        ("f*ck off idiot", False),
    ],
)
def test_little_is_trivial_but_words_and_short_insults_are_not(text, expected):
    assert is_trivial(text) is expected


@each_row(
    "text",
    [
        "you IDIOT!!!",
        "what a m0r0n",
        "fuuuuck this",
        "halt die klappe",
        "Du Hurensohn.",
        "ta gueule !",
        "eres un gilipollas",
        "заткнись уже",
        "WHY IS NOBODY EVER LISTENING",
    ],
)
def test_insults_curses_and_shouting_look_heated(text):
    assert looks_heated(text)


def test_people_answering_each_other_at_speed_deserve_a_call():
    turns = [(10, "no I did not"), (20, "yes you did")] * 4
    assert deserves_call(chat(*turns, gap_s=5.0))
    assert not deserves_call(chat(*turns, gap_s=60.0))
    crowd = [(author, "good morning to all") for author in range(8)]
    assert not deserves_call(chat(*crowd, gap_s=2.0))
