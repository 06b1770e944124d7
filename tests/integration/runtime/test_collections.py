"""What a bot does once, before its first answer: load tables, and freeze what is loaded."""

import gc
from functools import cache
from unittest.mock import Mock

import pytest

from utils.app import COLLECTION_THRESHOLDS
from utils.build import build
from utils.common.clock import Clock
from utils.common.config import Settings
from utils.memory.recall import query


@pytest.fixture
def pythons_thresholds():
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    gc.freeze()  # as bot.py does before it builds anything
    yield
    gc.set_threshold(*before)


def is_visited(item):
    return any(item is visited for visited in gc.get_objects())


async def test_what_was_loaded_until_ready_is_frozen_once(tmp_path, pythons_thresholds):
    url = f"sqlite:///{tmp_path / 'kith.db'}"
    app = build(Settings(_env_file=None, database_url=url), Clock())
    loaded = [app]
    await app.warm_up()
    assert not is_visited(loaded)
    assert gc.get_threshold() == COLLECTION_THRESHOLDS
    later = [app]
    await app.warm_up()  # Discord says again that it is ready
    assert is_visited(later)
    await app.admin.health.close()


async def test_the_first_question_waits_for_no_table_of_words(tmp_path, monkeypatch):
    monkeypatch.setattr(query, "_categories", cache(query._categories.__wrapped__))
    monkeypatch.setattr(query, "_rows_of", cache(query._rows_of.__wrapped__))
    url = f"sqlite:///{tmp_path / 'kith.db'}"
    app = build(Settings(_env_file=None, database_url=url), Clock())
    monkeypatch.setattr("utils.app.gc", Mock(get_threshold=lambda: COLLECTION_THRESHOLDS))
    await app.warm_up()
    await app.admin.health.close()
    monkeypatch.setattr(query, "languages", Mock(side_effect=AssertionError("built late")))
    assert query.Query.of("Which dessert did my mother make?").members
