"""Times as the drivers return them: text from SQLite, times without a zone from SQL Server."""

import math
from datetime import timedelta

from tests.fakes.clock import NOON
from utils.database.schema.column_types import aware, seconds

BEFORE_1970 = NOON.replace(year=1969, second=59, microsecond=123457)


def test_seconds_of_texts_are_those_of_times():
    times = [NOON, BEFORE_1970, BEFORE_1970 + timedelta(microseconds=1)]
    naive = [time.replace(tzinfo=None) for time in times]
    texts = [f"{time:%Y-%m-%d %H:%M:%S.%f}" for time in naive]
    expected = [time.timestamp() for time in times]
    assert seconds([*naive, None]) == [*expected, math.inf]
    assert seconds([None, *texts]) == [math.inf, *expected]
    assert seconds([None]) == [math.inf]
    assert seconds([]) == []
    assert list(map(aware, texts)) == list(map(aware, naive)) == times
