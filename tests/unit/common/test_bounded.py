"""A dictionary of bounded size drops what was written longest ago."""

from utils.common.bounded import BoundedDict


def test_a_new_entry_drops_what_was_written_longest_ago() -> None:
    ages: BoundedDict[str, int] = BoundedDict(2)
    ages["ada"], ages["bob"] = 1, 2
    ages["ada"] = 3  # written again: Bob is now the oldest
    ages["cy"] = 4
    assert ages == {"ada": 3, "cy": 4}
    ages["ada"] += 1
    ages["dan"] = 5
    assert ages == {"ada": 4, "dan": 5}
