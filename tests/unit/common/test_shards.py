"""Shards: how they are written, and which settings make sense."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utils.common.config import load_settings
from utils.common.errors import SettingsError
from utils.common.shards import format_shards, parse_shards, shard_of


@given(st.sets(st.integers(0, 300), min_size=1))
def test_whatever_is_written_is_read_as_the_same(ids):
    assert parse_shards(format_shards(ids)) == tuple(sorted(ids))


def test_a_server_belongs_to_one_shard_and_direct_messages_to_the_first():
    assert shard_of(0, 4) == 0
    assert {shard_of((n << 22) + 17, 4) for n in range(8)} == {0, 1, 2, 3}


def test_settings_hand_over_which_shards_are_meant(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SHARD_IDS", "0,2-3")
    monkeypatch.setenv("SHARD_COUNT", "4")
    assert load_settings(None).shard_ids == (0, 2, 3)
    monkeypatch.setenv("SHARD_IDS", "")
    assert (load_settings(None).shard_ids, load_settings(None).shard_count) == (None, 4)


@pytest.mark.parametrize(
    ("ids", "count", "fault"),
    [
        ("0,1", "", "SHARD_IDS needs SHARD_COUNT too: how many shards all processes have together"),
        ("4", "4", "SHARD_IDS must lie between 0 and 3, as SHARD_COUNT is 4"),
        ("0-2,1", "4", "SHARD_IDS names a shard twice"),
        ("first", "4", "SHARD_IDS must be numbers and ranges, such as 0,1 or 0-3"),
        ("3-1", "4", "SHARD_IDS must be numbers and ranges, such as 0,1 or 0-3"),
        ("-1", "4", "SHARD_IDS must be numbers and ranges, such as 0,1 or 0-3"),
        ("0", "0", "SHARD_COUNT must be at least 1"),
    ],
)
def test_settings_that_make_no_sense_are_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, ids: str, count: str, fault: str
):
    monkeypatch.setenv("SHARD_IDS", ids)
    monkeypatch.setenv("SHARD_COUNT", count)
    with pytest.raises(SettingsError) as told:
        load_settings(None)
    assert str(told.value) == f"Please fix these settings in .env: {fault}."
