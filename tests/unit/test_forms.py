"""The lines of an archive: what is written is read back the same, what is none is refused."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utils.memory import forms
from utils.model.memory import Importance, Kind, Method, Source
from utils.text import utf16_length

IDS = st.integers(0, 2**63 - 1)
TIMES = st.integers(0, 4 * 10**15).map(
    lambda us: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=us)
)
UIDS = st.text("0123456789abcdef", min_size=32, max_size=32)


def texts(limit):
    plain = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
    return st.text(plain, max_size=60).filter(lambda text: utf16_length(text) <= limit)


def keys(limit):
    return texts(limit).filter(lambda text: not text.endswith(" "))


EVIDENCE = st.fixed_dictionaries(
    {
        "message": IDS,
        "channel": IDS,
        "quote": texts(500),
        "method": st.sampled_from(Method),
        "model": texts(100),
        "prompt_hash": keys(64),
        "said_at": TIMES,
    }
)
DEED = st.fixed_dictionaries(
    {
        "at": TIMES,
        "actor": st.integers(-1, 2**63 - 1),
        "action": keys(20).map(lambda text: text[:10].rstrip(" ")),
        "before": st.none() | texts(500),
        "after": st.none() | texts(500),
    }
)
MEMORY = st.fixed_dictionaries(
    {
        "server": IDS,
        "member": IDS,
        "uid": UIDS,
        "channel": IDS,
        "text": texts(500),
        "topics": texts(200),
        "importance": st.sampled_from(Importance),
        "kind": st.sampled_from(Kind),
        "attribute": keys(100),
        "source": st.sampled_from(Source),
        "status": st.sampled_from(forms.KEPT),
        "confidence": st.floats(0, 1),
        "said_at": TIMES,
        "confirmed_at": TIMES,
        "used_at": st.none() | TIMES,
        "uses": st.integers(0, 2**31 - 1),
        "ends_at": st.none() | TIMES,
        "superseded_by": st.none() | UIDS,
        "evidence": st.lists(EVIDENCE, max_size=3),
        "audit": st.lists(DEED, max_size=3),
    }
)


@given(MEMORY)
def test_a_memory_survives_the_way_there_and_back(line):
    written = forms.write_line("memories.jsonl", line)
    assert written.count(b"\n") == 1
    assert forms.read_line("memories.jsonl", written) == line


@pytest.mark.parametrize("data", [b"0", b"null", b"[]", b'"x"', b"NaN", b"", b"\xff"])
@pytest.mark.parametrize("name", sorted(forms.FORMS))
def test_what_is_no_object_is_refused_in_words(data, name):
    with pytest.raises(forms.Wrong, match="JSON"):
        forms.read_line(name, data)


def test_no_message_has_a_revision_that_a_tombstone_cannot_outdo():
    line = {"server": "1", "member": "2", "message": "3", "revision": str(2**62)}
    assert forms.read_line("tombstones.jsonl", json.dumps(line).encode())["revision"] == 2**62
    line |= {"channel": "4", "source": "4", "reply_to": None, "name": "Ada", "text": "hi"}
    line |= {"overheard": False, "at": "2026-01-01T00:00:00+00:00"}
    with pytest.raises(forms.Wrong, match="'revision' must be a whole number below"):
        forms.read_line("messages.jsonl", json.dumps(line).encode())


@given(st.binary(max_size=200), st.sampled_from(sorted(forms.FORMS)))
def test_what_is_no_line_is_refused_in_words(data, name):
    try:
        forms.read_line(name, data)
    except forms.Wrong as wrong:
        assert str(wrong)
    else:
        raise AssertionError("bytes by chance are no line")


NAMES = ["uid", "text", "confidence", "said_at", "server", "uses", "evidence", "superseded_by"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=9,
)


@given(MEMORY, st.sampled_from(NAMES), JSON)
def test_a_field_of_another_type_is_refused_or_read_as_it_is(line, name, value):

    written = json.loads(forms.write_line("memories.jsonl", line)) | {name: value}
    try:
        read = forms.read_line("memories.jsonl", json.dumps(written).encode())
    except forms.Wrong as wrong:
        assert name in str(wrong) or "missing" in str(wrong) or "field" in str(wrong)
    else:
        assert json.loads(forms.write_line("memories.jsonl", read))[name] == value
