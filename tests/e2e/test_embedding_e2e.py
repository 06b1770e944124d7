"""EMBEDDING_MODEL in a running bot: vectors come, and conversation never waits for them."""

import asyncio

import pytest

pytest.importorskip("numpy")

from tests.e2e.den import PATIENCE_S, Den
from utils.memory.recall import similarity
from utils.models.memory import Member


async def test_what_was_said_and_learnt_is_compared_by_meaning(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(similarity, "QUERY_TIMEOUT_S", PATIENCE_S)
    async with den.awake(embedding_model="minilm"):
        await den.caught_up()
        said = await den.teach(den.alice, "I own a boat")
        embedding = den.app.memory.embedding  # it also works by itself, at any moment
        await asyncio.gather(*(embedding.catch_up() for _ in range(2)))
        found = await embedding.index.to("my boat", [Member(den.guild.id, den.alice.id)])
        await den.fake.delete(said)
        await den.calm()
        assert not embedding.index.queries
    assert len(found.rows) == len(found.events) == 1
    assert ["owns a boat"] in den.model.embedded or ["own a boat"] in den.model.embedded


async def test_where_nothing_may_be_stored_no_vectors_are_made(den: Den) -> None:
    async with den.awake(embedding_model="minilm", memory_read_only=True):
        await den.caught_up()
        await den.teach(den.alice, "I own a boat")
    assert den.model.embedded == []
