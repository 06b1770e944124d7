"""The erasure ledger's file: its lines, what a crash leaves of them, and what cannot be read."""

import os
import stat
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from tests.fakes.builders import NOON
from tests.rows import each_row
from utils.common.errors import KithError
from utils.memory.privacy import erasure_ledger_file as ledger_file
from utils.memory.privacy.erasure_ledger_file import (
    append,
    erasure_of,
    identity,
    line_of,
    read,
)
from utils.models.operator import Erasure, ErasureKind

AT = "2026-03-11T12:00:00+00:00"
ALL = Erasure(NOON, ErasureKind.MESSAGE, 1, 2, channel_id=3, message_id=4, uid="5", revision=6)
LEAST = Erasure(NOON, ErasureKind.SERVER, 1)
LINE = f'{{"at": "{AT}", "kind": "message", "guild_id": "1"}}'


@pytest.fixture
def file(tmp_path):
    return tmp_path / "made" / "anew" / "ledger.jsonl"


def test_a_line_has_what_is_known_as_texts():
    assert line_of(LEAST) == f'{{"at": "{AT}", "kind": "server", "guild_id": "1"}}'
    assert line_of(ALL) == (
        f'{{"at": "{AT}", "kind": "message", "guild_id": "1", "user_id": "2", '
        '"channel_id": "3", "message_id": "4", "revision": "6", "uid": "5"}'
    )


@each_row("erasure", [ALL, LEAST, replace(ALL, uid="00ab", user_id=0)])
def test_what_is_written_is_read_back(erasure):
    assert erasure_of(line_of(erasure).encode()) == erasure


@each_row(
    "line",
    [
        "",
        "null",
        "[]",
        '"text"',
        LINE[:-1],
        LINE.replace('"1"', "1"),
        LINE.replace('"1"', "null"),
        LINE.replace('"1"', '"one"'),
        LINE.replace("guild_id", "server_id"),
        LINE.replace("message", "massage"),
        LINE.replace("2026", "year"),
        LINE.replace("+00:00", ""),  # whose noon?
        LINE.replace('"at"', '"when"'),
        LINE.replace('"kind"', '"sort"'),
        LINE.replace('"guild_id": "1"', '"x": "1"'),
        "[" * 100_000,
        "\udcff",
    ],
)
def test_a_damaged_line_is_no_erasure(line):
    assert erasure_of(line.encode("utf-8", "surrogateescape")) is None
    assert erasure_of(LINE.encode()) == Erasure(NOON, ErasureKind.MESSAGE, 1)


def test_lines_are_read_from_where_they_were_read_to(file):
    file.parent.mkdir(parents=True)
    lines = [LINE.encode() + b"\n", b"damaged\n", LINE.encode() + b"\n", b'{"at": "half']
    file.write_bytes(b"".join(lines))
    ends = [len(b"".join(lines[:count])) for count in (1, 2, 3)]
    erasure = erasure_of(LINE.encode())
    assert list(read(file)) == [(erasure, ends[0]), (None, ends[1]), (erasure, ends[2])]
    assert list(read(file, ends[1])) == [(erasure, ends[2])]
    assert list(read(file, ends[2])) == []
    assert list(read(file.parent / "missing")) == []


def test_a_line_that_is_too_long_is_read_in_pieces_and_the_next_one_counts(file):
    file.parent.mkdir(parents=True)
    file.write_bytes(b"x" * 1_000 + b"\n" + LINE.encode() + b"\n" + b"y" * 999)
    found = list(read(file))
    assert found == [
        (None, 1_000),
        (None, 1_001),
        (erasure_of(LINE.encode()), 1_002 + len(LINE)),
    ]
    file.write_bytes(b"z" * 1_000)
    assert list(read(file)) == [(None, 1_000)]


def test_what_cannot_be_read_or_written_names_the_file_and_the_reason(tmp_path):
    for ask in (lambda: list(read(tmp_path)), lambda: append(tmp_path, [LEAST])):
        with pytest.raises(KithError) as raised:
            ask()
        assert str(tmp_path) in str(raised.value)
        assert "Is a directory" in str(raised.value)
    blocking = tmp_path / "file"
    blocking.write_text("")
    with pytest.raises(KithError) as raised:
        identity(blocking / "ledger")
    assert f"The erasure ledger {blocking / 'ledger'} cannot be read (Not a directory)." == (
        str(raised.value)
    )


def test_a_file_is_known_by_what_it_is_not_by_its_name(file):
    assert identity(file) == (None, 0)
    append(file, [LEAST])
    status = file.stat()
    assert identity(file) == ((status.st_dev, status.st_ino), len(line_of(LEAST)) + 1)


def test_lines_are_appended_for_kiths_eyes_only_and_begin_anew_after_a_crash(file):
    append(file, [LEAST, ALL])
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    text = f"{line_of(LEAST)}\n{line_of(ALL)}\n"
    assert file.read_text(encoding="utf-8") == text
    with file.open("a", encoding="utf-8") as stream:
        stream.write("torn")
    append(file, [LEAST])
    append(file, [ALL])
    text += f"torn\n{line_of(LEAST)}\n{line_of(ALL)}\n"
    assert file.read_text(encoding="utf-8") == text
    assert [entry for entry, _ in read(file)] == [LEAST, ALL, None, LEAST, ALL]


def test_what_a_full_disk_takes_only_in_part_is_written_on(file, monkeypatch):
    written, synced = [], []

    class Stream:
        def __enter__(self):
            return self

        def __exit__(self, *error):
            return None

        def seek(self, *where):
            return 0

        def write(self, data):
            written.append(bytes(data[:10]))
            return 10 if len(written) > 1 else None  # None: nothing could be written yet

        def fileno(self):
            return 7

    monkeypatch.setattr(ledger_file, "open", lambda *given, **named: Stream(), raising=False)
    monkeypatch.setattr(
        ledger_file, "os", SimpleNamespace(SEEK_END=os.SEEK_END, fsync=synced.append)
    )
    append(file, [LEAST])
    assert b"".join(written[1:]).decode() == line_of(LEAST) + "\n"
    assert synced == [7]


def test_times_of_any_zone_are_kept():
    tokyo = LINE.replace("12:00:00+00:00", "21:00:00+09:00")
    assert erasure_of(tokyo.encode()).at == datetime(2026, 3, 11, 12, tzinfo=UTC)
