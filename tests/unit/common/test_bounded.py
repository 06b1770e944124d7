"""A dictionary of bounded size drops what was written longest ago."""

from concurrent.futures import ThreadPoolExecutor

from utils.common.bounded import BoundedDict


def test_a_new_entry_drops_what_was_written_longest_ago() -> None:
    ages: BoundedDict[str, int] = BoundedDict(2)
    ages["ada"], ages["bob"] = 1, 2
    ages["ada"], ages["cy"] = 3, 4  # Ada is written again: Bob is now the oldest
    assert ages == {"ada": 3, "cy": 4}
    ages["ada"], ages["dan"] = 4, 5
    assert ages == {"ada": 4, "dan": 5}


def test_threads_that_write_the_same_keys_at_once_do_not_fail() -> None:
    shared: BoundedDict[int, int] = BoundedDict(2)
    with ThreadPoolExecutor(4) as threads:
        [*threads.map(lambda n: [shared.update({key % 3: n}) for key in range(21_000)], range(16))]
