"""The slow suite's order: the longest tests are spread over the workers, which begin with them."""

from types import SimpleNamespace

from tests import forked_workers


def made(name: str, limit_s: float = 0.0, *, is_slow: bool = True):
    """A collected test, with a time limit of its own if one is given."""
    markers = {"slow": SimpleNamespace()} if is_slow else {}
    if limit_s:
        markers["timeout"] = SimpleNamespace(args=(limit_s,))
    return SimpleNamespace(name=name, get_closest_marker=markers.get)


def ordered(items, workers: int) -> str:
    config = SimpleNamespace(workerinput={"workercount": workers})
    forked_workers.pytest_collection_modifyitems(config, items)
    return "".join(item.name for item in items)


def test_every_workers_part_begins_with_long_tests_and_no_test_is_lost():
    items = [*map(made, "abcdef"), made("X", 300), made("Y", 900), made("Z", 600)]
    assert ordered(items, 3) == "YabZcdXef"
    assert ordered(items, 1) == "YZXabcdef"
    assert ordered([made("a"), made("X", 9), made("Y", 8), made("Z", 7)], 2) == "XZYa"


def test_quick_tests_stay_in_their_order():
    items = [made(name, limit, is_slow=False) for name, limit in (("a", 0), ("b", 9), ("c", 99))]
    assert ordered(items, 2) == "abc"
