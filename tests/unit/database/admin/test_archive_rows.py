"""Archive rows: what is written is read back the same, and anything else is refused."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utils.common.text import utf16_length
from utils.database.admin.archive_rows import (
    ARCHIVED,
    InvalidRow,
    fields,
    read_line,
    write_line,
)
from utils.models.guild import Purpose
from utils.models.memory import (
    Form,
    Importance,
    Kind,
    Method,
    NotedMark,
    Source,
    Status,
    VerifiedBy,
)

IDS = st.integers(0, 2**63 - 1).map(str)
TIMES = st.integers(0, 4 * 10**15).map(
    lambda us: (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=us)).isoformat()
)
UIDS = st.text("0123456789abcdef", min_size=32, max_size=32)
COUNTS = st.integers(0, 2**31 - 1)


def texts(limit):
    plain = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
    return st.text(plain, max_size=60).filter(lambda text: utf16_length(text) <= limit)


def keys(limit):
    return texts(limit).filter(lambda text: not text.endswith(" "))


def names(choices):
    return st.sampled_from(sorted(choice.name.lower() for choice in choices))


def row_of(table, **columns):
    return st.fixed_dictionaries({table: st.fixed_dictionaries(columns)})


EVIDENCE = row_of(
    "MemoryEvidence",
    GuildId=IDS,
    MemoryId=UIDS,
    MessageId=IDS,
    ChannelId=IDS,
    Quote=texts(500),
    Method=names(Method),
    Model=texts(100),
    PromptHash=keys(64),
    SaidAt=TIMES,
    VerifiedBy=names(VerifiedBy),
    VerifierModel=texts(100),
    VerifierHash=keys(64),
)
CONTEXT = row_of(
    "MemoryContext",
    GuildId=IDS,
    ContextMessageId=IDS,
    ContextMemoryId=st.none() | UIDS,
    MemoryId=UIDS,
    AuthorId=IDS,
)
DEED = row_of(
    "MemoryAudit",
    GuildId=IDS,
    UserId=IDS,
    MemoryId=st.none() | UIDS,
    At=TIMES,
    ActorId=st.integers(-1, 2**63 - 1).map(str),
    Action=keys(20).map(lambda text: text[:10].rstrip(" ")),
    Before=st.none() | texts(500),
    After=st.none() | texts(500),
)
MESSAGE = row_of(
    "MemoryEvent",
    GuildId=IDS,
    ChannelId=IDS,
    SourceId=IDS,
    MessageId=IDS,
    Revision=st.integers(0, 2**62 - 1).map(str),
    ReplyToId=st.none() | IDS,
    AuthorId=IDS,
    AuthorName=texts(100),
    Text=texts(4000),
    Confidential=st.booleans(),
    Overheard=st.booleans(),
    CreatedAt=TIMES,
    ExpiresAt=TIMES,
)
STATE = row_of(
    "UserState",
    GuildId=IDS,
    UserId=IDS,
    UserNotes=texts(600),
    NotesRowIds=st.lists(UIDS, max_size=3),
    Consent=st.none() | st.sampled_from(["off", "temporary", "lasting"]),
    PassiveOptIn=st.booleans(),
    LastSeenAt=st.none() | TIMES,
    Ignored=st.booleans(),
    TimeZone=st.none() | st.sampled_from(["UTC", "Europe/Berlin"]),
    NeverFirst=st.booleans(),
    Noted=st.none() | names(NotedMark),
    NotFindable=st.booleans(),
)
PURPOSE = row_of(
    "ChannelPurpose",
    GuildId=IDS,
    ChannelId=IDS,
    Purpose=names(Purpose),
    Topics=st.none() | texts(200),
)
MEMORY = row_of(
    "UserMemory",
    GuildId=IDS,
    UserId=IDS,
    Uid=UIDS,
    ChannelId=IDS,
    Memory=texts(500),
    Topics=texts(200),
    Importance=names(Importance),
    Kind=names(Kind),
    Form=names(Form),
    FactKey=keys(100),
    Source=names(Source),
    Status=names(set(Status) - {Status.FORGOTTEN}),
    Confidence=st.floats(0, 1),
    Confidential=st.booleans(),
    CreatedAt=TIMES,
    ExpiresAt=st.none() | TIMES,
    LastConfirmedAt=TIMES,
    LastUsedAt=st.none() | TIMES,
    UseCount=COUNTS,
    SupersededById=st.none() | UIDS,
)
ANY_ROW = st.one_of(EVIDENCE, CONTEXT, DEED, MESSAGE, STATE, PURPOSE, MEMORY)


@given(ANY_ROW)
def test_a_row_survives_the_way_there_and_back(record):
    table, row = read_line(b"%s\n" % json.dumps(record).encode())
    written = write_line(table, row)
    assert written.count(b"\n") == 1
    assert json.loads(written) == record
    assert read_line(written) == (table, row)


@given(ANY_ROW, st.data())
def test_a_row_without_one_of_its_columns_is_refused(record, data):
    ((table, row),) = record.items()
    name = data.draw(st.sampled_from(sorted(row)))
    del row[name]
    with pytest.raises(InvalidRow, match=f"{table}: '{name}' is missing"):
        read_line(json.dumps(record).encode())


def test_what_is_computed_and_what_is_of_this_database_is_in_no_row():
    written = {(table, name) for table in ARCHIVED for name in fields(table)}
    for table, entry in ARCHIVED.items():
        here = {
            "Id",
            "Stems",
            "SearchStems",
            "EpisodeId",
            "EvidenceCount",
            "MemoryVersion",
            "Additions",
        }
        assert not {(table, name) for name in here} & written
        assert ("GuildId" in entry.table.c) is ((table, "GuildId") in written)


@given(st.binary(max_size=200))
def test_what_is_no_line_is_refused_in_words(data):
    try:
        read_line(data)
    except InvalidRow as wrong:
        assert str(wrong)
    else:
        raise AssertionError("bytes by chance are no line")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e300, 1e300) | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=9,
)


@given(ANY_ROW, JSON, st.data())
def test_a_value_of_another_type_is_refused_or_read_as_it_is(record, value, data):
    ((table, row),) = record.items()
    name = data.draw(st.sampled_from(sorted(row)))
    row[name] = value
    try:
        _, read = read_line(json.dumps(record).encode())
    except InvalidRow as error:
        assert repr(name) in str(error)
        assert table in str(error)
    else:
        assert json.loads(write_line(table, read))[table][name] == value
