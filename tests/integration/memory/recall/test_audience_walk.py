"""A random walk through a server: no recall tells anybody what they could not have read.

``python -m tests.audience`` walks 100,000 recalls.
"""

import pytest

from tests.audience.shapes import measure_all
from tests.audience.told import Form
from tests.audience.walk import Tally
from tests.audience.walks import walk_in, walk_on
from tests.e2e.den import open_den
from tests.fakes.clock import ManualClock

QUICK, LONG = 120, 800
QUICK_ROUND, LONG_ROUND = 5, 10  # recalls between two changes
IN_DEN, IN_DEN_LONG, IN_DEN_ROUND = 16, 32, 4
MAX_WITHHELD = 0.05


async def walked(database, seed: int, recalls: int, a_round: int) -> Tally:
    walk = walk_on(database, ManualClock(), seed)
    await walk.prepare()
    return await walk.go(recalls, a_round)


def judge(tally: Tally, max_withheld: float = 0.0) -> None:
    """Nothing leaked, and the walk was one in which something could have.

    ``max_withheld`` is the share of pairs of channels that may go unused although they need not.
    """
    readable = tally.pairs[True, True] + tally.pairs[True, False]
    assert not tally.leaks, tally.report()
    assert not tally.open_pairs, tally.report()
    assert tally.pairs[True, False] <= max_withheld * readable, tally.report()
    assert tally.pairs[False, False] > 0
    assert tally.shown_elsewhere.total() > 0


async def test_no_recall_of_a_random_walk_leaks_or_withholds(database):
    tally = await walked(database, 1, QUICK, QUICK_ROUND)
    judge(tally)
    assert len(tally.shown) > len(Form) / 2
    assert tally.found > 0


@pytest.mark.parametrize(
    "recalls",
    [IN_DEN, pytest.param(IN_DEN_LONG, marks=[pytest.mark.slow, pytest.mark.timeout(600)])],
)
async def test_no_answer_of_a_running_bot_leaks_or_withholds(database_url, recalls):
    async with open_den(database_url) as den, den.awake():
        walk = walk_in(den, 3)
        await den.calm()
        await walk.prepare()
        judge(await walk.go(recalls, IN_DEN_ROUND))


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_no_recall_of_a_long_random_walk_leaks_or_withholds(database):
    tally = await walked(database, 2, LONG, LONG_ROUND)
    judge(tally, max_withheld=0.01)  # who left may come back without roles: 0.3 % by that
    assert set(tally.shown) | {Form.QUOTE} == set(Form)


async def test_at_most_a_twentieth_is_withheld_in_realistic_servers():
    """An open server and one behind a verification gate; that with ranks is only reported."""
    *realistic, ranked = await measure_all()
    print(*realistic, ranked, sep="\n")
    for shape in realistic:
        assert shape.share_of_pairs <= MAX_WITHHELD, (str(shape), shape.examples)
        assert shape.share_of_recalls <= MAX_WITHHELD, str(shape)
    assert all(shape.leaks == 0 for shape in (*realistic, ranked))
