"""What came with a message, as it is told and searched by."""

from dataclasses import replace

import pytest

from tests.fakes.builders import make_event
from utils.common.text import estimate_tokens
from utils.files.sniffing import declared_attachment
from utils.memory.attachments.rendering import attachment_lines, search_lines
from utils.memory.policy.storable_events import storable
from utils.memory.recall.query import Query
from utils.memory.verification.sentences import own_words
from utils.models.attachment import (
    AttachmentKind,
    AttachmentState,
    AttachmentText,
    FileDescription,
    has_placeholder,
    placeholders,
    without_placeholders,
)

ATTACHED = [
    declared_attachment(name, "", 1, "") for name in ("a.png", "b.zip", "c.pdf", "d.mp3", "e.mp4")
]


def surrogate(*parts: str, **given) -> AttachmentText:
    values = {
        "kind": AttachmentKind.DOCUMENT,
        "name": "plan.md",
        "state": AttachmentState.DONE,
    } | given
    return AttachmentText(caption="A plan", parts=parts, id=7, **values)


def test_the_marks_of_a_message_are_none_of_its_words():
    text = f"I have a dog named Rex\n{placeholders(ATTACHED)}"
    assert placeholders(ATTACHED).split("] [")[0] == "[image attached"
    assert has_placeholder(text)
    assert without_placeholders(text) == "I have a dog named Rex"
    assert own_words(text).strip() == "I have a dog named Rex"
    assert (
        storable(make_event(text)).stems == storable(make_event(without_placeholders(text))).stems
    )
    assert Query.of(text).words == Query.of(without_placeholders(text)).words
    assert without_placeholders(placeholders(ATTACHED)) == ""
    assert without_placeholders("see [image attached] there") == "see [image attached] there"


def test_the_parts_that_fit_the_question_come_first_and_in_their_order():
    parts = [f"Chapter {n} about {what}. " + "word " * 60 for n, what in enumerate("abc", 1)]
    parts[2] += "The zebra lives here."
    (line,) = attachment_lines([surrogate(*parts)], "where does the zebra live?", 140)
    assert line.startswith("[document #A7] plan.md: A plan\n")
    assert "zebra" in line
    assert "Chapter 2" not in line
    assert estimate_tokens(line) <= 160
    whole = attachment_lines([surrogate("one", "two")], "", 500)
    assert whole == ["[document #A7] plan.md: A plan\none\ntwo"]


@pytest.mark.parametrize("words", ["a long caption ", "長い説明文です。", "😀 é ß "])
@pytest.mark.parametrize("parts", [(), ("一二三四五" * 300, "more words " * 100)])
def test_ten_long_captions_take_no_more_room_than_there_is(words, parts):
    ten = [replace(surrogate(*parts), caption=(words * 1000)[:1000])] * 10
    lines = attachment_lines(ten, "more?", 900)
    assert len(lines) == 10
    assert all(line.startswith("[document #A7] plan.md: ") for line in lines)
    assert 500 < estimate_tokens("\n".join(lines)) <= 950  # line breaks and … between parts


def test_what_is_not_read_yet_says_so():
    waiting = surrogate(state=AttachmentState.CLAIMED)
    assert attachment_lines([waiting], "", 100) == ["[document #A7] plan.md: not read yet"]


def test_a_thing_is_found_by_what_people_call_it():
    conclusion = FileDescription(AttachmentKind.IMAGE, "a traceback", ("ImportError",))
    caption, part = search_lines(conclusion, "shot_of_monday.png")
    assert caption.split("\n")[0].split() == ["shot", "monday", "png", "traceback"]
    for word in ("screenshot", "Bildschirmfoto", "скриншот", "monday"):
        (asked,) = Query.of(word).words
        assert set(asked) & set(part.split("\n")[1].split()), word
