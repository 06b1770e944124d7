"""When a watched channel's messages are analysed."""

from utils.watching.queues import Pace, Place, Queues

HERE, THERE = Place(1, 100), Place(1, 200)


def queues(**pace) -> Queues:
    return Queues(Pace(**{"batch": 20, "quiet_s": 60.0, "patience_s": 600.0} | pace))


def test_a_full_batch_is_due_at_once():
    waiting = queues()
    waiting.add(HERE, 19, 0.0, is_heated=False)
    assert waiting.due(0.0) == []
    waiting.add(HERE, 1, 5.0, is_heated=False)
    assert waiting.due(5.0) == [HERE]


def test_half_a_batch_is_due_after_a_quiet_moment():
    waiting = queues()
    waiting.add(HERE, 5, 0.0, is_heated=False)
    waiting.add(HERE, 5, 30.0, is_heated=False)
    assert waiting.due(89.9) == []
    assert waiting.due(90.0) == [HERE]


def test_a_heated_handful_is_due_after_a_quiet_moment_and_a_calm_one_waits_for_company():
    waiting = queues()
    waiting.add(HERE, 2, 0.0, is_heated=False)
    waiting.add(THERE, 2, 0.0, is_heated=True)
    assert waiting.due(60.0) == [THERE]
    assert waiting.due(599.0) == [THERE]
    assert waiting.due(600.0) == [THERE, HERE]


def test_without_patience_quiet_is_all_that_counts():
    waiting = queues(patience_s=0.0)
    waiting.add(HERE, 1, 0.0, is_heated=False)
    assert waiting.next_due_at() == 60.0


def test_what_comes_while_a_place_is_examined_waits_for_its_own_turn():
    waiting = queues()
    waiting.add(HERE, 20, 0.0, is_heated=True)
    assert waiting.begin(HERE) == 20
    waiting.add(HERE, 25, 1.0, is_heated=False)
    assert waiting.due(10.0) == [] and waiting.any_busy()
    waiting.end(HERE, left=25, now=10.0)
    assert waiting.due(10.0) == [HERE]
    waiting.begin(HERE)
    waiting.end(HERE, left=0, now=11.0)
    assert waiting.queues == {} and waiting.next_due_at() is None


def test_what_rests_is_not_due_and_others_are():
    waiting = queues()
    for place in (HERE, THERE, Place(2, 300)):
        waiting.add(place, 20, 0.0, is_heated=False)
    waiting.rest(1, 500.0)
    assert waiting.due(1.0) == [Place(2, 300)]
    assert waiting.ready(1.0) == [Place(2, 300)]
    waiting.begin(Place(2, 300))
    waiting.end(Place(2, 300), left=20, now=1.0, rest_s=30.0)
    assert waiting.next_due_at() == 31.0
