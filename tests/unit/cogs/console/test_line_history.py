"""The lines typed in the console: kept for 30 days, for their owner alone, and forgotten."""

import stat

from cogs.console.line_history import LineHistory
from tests.fakes.builders import ADA
from tests.fakes.clock import ManualClock


def line_history(file, clock, may_keep=lambda: True):
    return LineHistory(file, clock, may_keep)


def lines(history):
    return list(history.load_history_strings())


def test_lines_come_back_newest_first_line_breaks_included(tmp_path):
    file, clock = tmp_path / "history", ManualClock()
    history = line_history(file, clock)
    history.store_string("one\ntwo")
    history.store_string("Grüße 🙂")
    assert lines(line_history(file, clock)) == ["Grüße 🙂", "one\ntwo"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_what_stays_out_of_memory_stays_out_of_the_file(tmp_path):
    file, clock = tmp_path / "history", ManualClock()
    history = line_history(file, clock)
    history.append_string("my password is hunter2secret")
    history.append_string("write to sam@example.org")
    history.append_string("I love ramen")
    assert lines(line_history(file, clock)) == ["I love ramen"]
    assert "hunter2secret" in history.get_strings()[0]  # the arrow key still brings it back


def test_lines_of_a_person_who_has_nothing_stored_stay_out_of_the_file(tmp_path):
    may_keep = [True]
    history = line_history(tmp_path / "history", ManualClock(), lambda: may_keep[0])
    history.append_string("I love ramen")
    may_keep[0] = False
    history.append_string("I love tea")
    assert lines(history) == ["I love ramen"]
    assert history.get_strings()[-1] == "I love tea"  # the arrow key still brings it back


def test_old_and_damaged_lines_leave_the_file(tmp_path):
    file, clock = tmp_path / "history", ManualClock()
    line_history(file, clock).store_string("old words")
    clock.advance(days=31)
    line_history(file, clock).store_string("new words")
    with file.open("a") as damaged:
        damaged.write('{"at": 5}\nnot json\n')
    assert lines(line_history(file, clock)) == ["new words"]
    assert "old words" not in file.read_text()


async def test_forgetting_drops_all_lines(tmp_path):
    file, clock = tmp_path / "history", ManualClock()
    history = line_history(file, clock)
    history.append_string("I love ramen")
    await history.erase(ADA, only_answers=False)
    assert file.read_bytes() == b""
    assert history.get_strings() == []
