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
    "text",
    [
        "",
        "ok then",
        "🙂🙂🙂 🎉",
        "<:wave:123456789012345678> <a:dance:123456789012345678> <@123456789012345678>",
        "!play never gonna give you up",
        "/roll 3d6 please",
        "https://example.com/a/b/c",
        "<@123456789012345678> <#123456789012345678> hi there",
        "好的",
    ],
)
def test_little_is_trivial(text):
    assert is_trivial(text)


@each_row(
    "text",
    [
        "how are you",
        "shut up",
        "kys",
        "你今天过得怎么样",
        "...well I would not say that",
        "f*ck off idiot",
    ],
)
def test_words_are_not_and_neither_are_short_insults(text):
    assert not is_trivial(text)


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
