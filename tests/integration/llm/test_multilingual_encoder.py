"""EMBEDDING_MODEL=local-multilingual: how it cuts a text, and what its vectors are."""

import struct

import pytest

pytest.importorskip("numpy")

import numpy as np

from tests.rows import each_row
from utils.common.config import MULTILINGUAL_EMBEDDING
from utils.common.errors import ModelRefused
from utils.llm import multilingual_encoder
from utils.llm.local_embeddings import LocalEmbedder
from utils.llm.multilingual_encoder import PACKAGE, Pieces

SPECIAL = [("<unk>", 0.0), ("<s>", 0.0), ("</s>", 0.0)]
WORDS = [("▁", -2.0), ("▁ha", -3.0), ("us", -3.0), ("▁haus", -5.0), ("h", -9.0), ("a", -9.0)]


def field(number: int, content: bytes) -> bytes:
    """Return a field of a protocol buffer: a text, a part, or a number of four bytes."""
    return bytes([number << 3 | 2, len(content)]) + content


def piece(text: str, score: float) -> bytes:
    kind = bytes([3 << 3, 1])
    score_field = bytes([2 << 3 | 5]) + struct.pack("<f", score)
    return field(1, field(1, text.encode()) + score_field + kind)


@pytest.fixture
def pieces():
    model = b"".join(piece(*row) for row in [*SPECIAL, *WORDS]) + field(2, b"settings")
    return Pieces.of(model)


@each_row(
    ("text", "ids"),
    [
        ("haus", [6]),  # -5 is better than the -6 of its halves
        ("haus  haus\n", [6, 6]),
        ("ha", [4]),
        ("aus", [3, 8, 5]),
        ("ahahaus", [3, 8, 7, 8, 7, 8, 5]),
        ("haß", [4, 0]),
        ("ｈａ", [4]),  # full width
        (" ", [0]),
    ],
)
def test_a_word_is_cut_into_the_most_probable_pieces(pieces, text, ids):
    assert pieces.cut(text) == ids


async def test_without_its_package_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(multilingual_encoder, "find_spec", lambda name: None)
    with pytest.raises(ModelRefused, match=r"requirements-embeddings\.txt"):
        await LocalEmbedder(MULTILINGUAL_EMBEDDING).identity()


async def test_a_german_question_is_closest_to_its_answer_in_any_language():
    pytest.importorskip(PACKAGE)
    local = LocalEmbedder(MULTILINGUAL_EMBEDDING)
    german, english, other, question = (
        await local.embed(
            [
                "Unser Kater heißt Momo",
                "Our cat is called Momo",
                "Der Zug hatte Verspätung",
                "Welches Haustier haben wir?",
            ],
            timeout_s=1.0,
        )
    ).vectors
    assert len(question) == 512
    assert np.dot(german, question) > np.dot(other, question) + 0.1
    assert np.dot(english, question) > np.dot(other, question) + 0.1
    assert (await local.identity()).startswith("use-multilingual-3@")
    await local.close()
