"""What a model gets slightly wrong loses no sentence, and what it makes up is never kept."""

from typing import Any

import pytest

from tests.e2e.den import Den, memory
from tests.fakes.model_server import support_all, text
from utils.models.memory import Form, Importance, Kind
from utils.models.memory import Member as Known

SAID = "im allergic to peanuts & i play the oboe btw"
NOTE = "is allergic to peanuts, plays the oboe"
TIDIED = "I'm allergic to peanuts and I play the oboe"


@pytest.fixture
def kith(shared_kith: Den) -> Den:
    """Kith, started once for this module; each test has a server of its own."""
    return shared_kith


def tidied(**changes: Any) -> dict[str, Any]:
    """An item as a model writes it that tidies what it quotes."""
    return memory(NOTE, TIDIED, message="s1") | changes


async def known(den: Den) -> list[tuple[Form, str]]:
    shown = await den.app.memory.member_data.show(Known(den.guild.id, den.alice.id))
    return [(row.form, row.text) for row in shown.rows]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"importance": "very high"},
        {"until": "2020-03-11 12:00 (UTC)", "replaces": "2020-03-11", "message": "I play the oboe"},
        {"kind": "allergy"},
    ],
)
async def test_a_slip_of_the_model_loses_no_note(kith: Den, changes: dict[str, Any]) -> None:
    kith.model.extract_with(lambda request: {"memories": [tidied(**changes)]})
    await kith.teach(kith.alice, SAID)
    shown = await kith.app.memory.member_data.show(Known(kith.guild.id, kith.alice.id))
    assert [(row.form, row.text, row.kind, row.importance) for row in shown.rows] == [
        (Form.NOTE, NOTE, Kind.FACT, Importance.MEDIUM)
    ]


async def test_an_item_without_anything_but_its_words_is_a_note(kith: Den) -> None:
    bare = {"note": NOTE, "quote": TIDIED, "message": "s1"}
    kith.model.extract_with(lambda request: {"memories": [bare]})
    await kith.teach(kith.alice, SAID)
    assert await known(kith) == [(Form.NOTE, NOTE)]


async def test_a_note_that_is_refused_leaves_the_sentence_that_its_tidied_quote_meant(
    kith: Den,
) -> None:
    kith.model.extract_with(lambda request: {"memories": [tidied(note="hates peanuts")]})
    kith.model.verify_with(lambda request: support_all(request) | {"follows": ""})
    await kith.teach(kith.alice, SAID)
    assert await known(kith) == [(Form.QUOTE, SAID)]


async def test_a_quote_that_nobody_said_leaves_nothing(kith: Den) -> None:
    lie = memory("lives in Oslo", "I have lived in Oslo for years", message="s1")
    kith.model.extract_with(lambda request: {"memories": [lie]})
    await kith.teach(kith.alice, SAID)
    assert await known(kith) == []


async def test_after_an_answer_that_cannot_be_read_the_sentence_is_kept(kith: Den) -> None:
    kith.model.extract_with(lambda request: text("I could not find anything worth noting!"))
    sentence = "I have been collecting stamps from Norway since I was nine"
    await kith.teach(kith.alice, sentence)
    assert [text for _, text in await known(kith)] == [sentence]
    assert kith.app.memory.recorder.extraction.refused["malformed answer"] >= 1
