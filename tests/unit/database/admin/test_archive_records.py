"""Archive records: what is written is read back the same, and anything else is refused."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from utils.common.text import utf16_length
from utils.database.admin.archive_records import (
    RECORD_TYPES,
    InvalidRecord,
    MemoryRecord,
    MessageRecord,
    TombstoneRecord,
    read_line,
    write_line,
)
from utils.models.memory import Form, Importance, Kind, Method, Source, Status, VerifiedBy

IDS = st.integers(0, 2**63 - 1).map(str)
TIMES = st.integers(0, 4 * 10**15).map(
    lambda us: (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=us)).isoformat()
)
UIDS = st.text("0123456789abcdef", min_size=32, max_size=32)


def texts(limit):
    plain = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
    return st.text(plain, max_size=60).filter(lambda text: utf16_length(text) <= limit)


def keys(limit):
    return texts(limit).filter(lambda text: not text.endswith(" "))


def names(choices):
    return st.sampled_from(sorted(choice.name.lower() for choice in choices))


EVIDENCE = st.fixed_dictionaries(
    {
        "message": IDS,
        "channel": IDS,
        "quote": texts(500),
        "method": names(Method),
        "model": texts(100),
        "prompt_hash": keys(64),
        "verified_by": names(VerifiedBy),
        "verifier_model": texts(100),
        "verifier_hash": keys(64),
        "said_at": TIMES,
    }
)
CONTEXT = st.fixed_dictionaries(
    {"message": st.none() | IDS, "memory": st.none() | UIDS, "author": st.none() | IDS}
)
DAYS = st.dates().map(lambda day: day.isoformat())
DEED = st.fixed_dictionaries(
    {
        "at": TIMES,
        "actor": st.integers(-1, 2**63 - 1).map(str),
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
        "importance": names(Importance),
        "kind": names(Kind),
        "form": names(Form),
        "attribute": keys(100),
        "source": names(Source),
        "status": names(set(Status) - {Status.FORGOTTEN}),
        "confidence": st.floats(0, 1),
        "said_at": TIMES,
        "confirmed_at": TIMES,
        "used_at": st.none() | TIMES,
        "uses": st.integers(0, 2**31 - 1),
        "ends_at": st.none() | TIMES,
        "superseded_by": st.none() | UIDS,
        "confidential": st.booleans(),
        "evidence": st.lists(EVIDENCE, max_size=3),
        "context": st.lists(CONTEXT, max_size=3),
        "audit": st.lists(DEED, max_size=3),
    }
)


@given(MEMORY)
def test_a_memory_survives_the_way_there_and_back(line):
    written = b"%s\n" % json.dumps(line).encode()
    record = read_line(MemoryRecord, written)
    assert write_line(record).count(b"\n") == 1
    assert json.loads(write_line(record)) == line
    assert read_line(MemoryRecord, write_line(record)) == record


@given(MEMORY, st.data())
def test_a_line_without_one_of_its_fields_is_refused(line, data):  # older ones lack the mark
    name = data.draw(st.sampled_from(sorted(line.keys() - {"confidential"})))
    del line[name]
    with pytest.raises(InvalidRecord, match=f"'{name}' is missing"):
        read_line(MemoryRecord, json.dumps(line).encode())


@each_row("data", [b"0", b"null", b"[]", b'"x"', b"NaN", b"", b"\xff"])
@each_row("name", sorted(RECORD_TYPES))
def test_what_is_no_object_is_refused_in_words(data, name):
    with pytest.raises(InvalidRecord, match="JSON"):
        read_line(RECORD_TYPES[name], data)


def test_no_message_has_a_revision_that_a_tombstone_cannot_outdo():
    line = {"server": "1", "member": "2", "message": "3", "revision": str(2**62)}
    assert read_line(TombstoneRecord, json.dumps(line).encode()).revision == 2**62
    line |= {"channel": "4", "source": "4", "reply_to": None, "name": "Ada", "text": "hi"}
    line |= {"overheard": False, "confidential": True, "at": "2026-01-01T00:00:00+00:00"}
    with pytest.raises(InvalidRecord, match="'revision' must be a whole number below"):
        read_line(MessageRecord, json.dumps(line).encode())


@given(st.binary(max_size=200), st.sampled_from(sorted(RECORD_TYPES)))
def test_what_is_no_line_is_refused_in_words(data, name):
    try:
        read_line(RECORD_TYPES[name], data)
    except InvalidRecord as wrong:
        assert str(wrong)
    else:
        raise AssertionError("bytes by chance are no line")


NAMES = ["uid", "text", "confidence", "said_at", "server", "uses", "evidence", "superseded_by"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e300, 1e300) | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=9,
)


@given(MEMORY, st.sampled_from(NAMES), JSON)
def test_a_field_of_another_type_is_refused_or_read_as_it_is(line, name, value):
    line = line | {name: value}
    try:
        record = read_line(MemoryRecord, json.dumps(line).encode())
    except InvalidRecord as error:
        assert name in str(error) or "missing" in str(error) or "field" in str(error)
    else:
        assert json.loads(write_line(record))[name] == value
