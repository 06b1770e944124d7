#!/bin/sh
# forgetted 0.3.0 (PyPI, CPython 3.11), "selective memory governance" for agents: within a window what is written to the
# memory vanishes, reads work. The window is the whole process's, as it replaces builtins.open: while Ada talks off the
# record, what the same bot writes about Bert vanishes too, and the handle takes his words without an error. Of two
# windows that overlap, as Ada's and Bert's do in a bot that serves both at once, the one that ends last puts back what it
# found, which is the other's: from then on nothing is kept, for good. Its reader of wishes looks for "forget this" and
# "off the record" in the text, so "Please don't forget this: Rex is allergic to nuts" begins a window in which just
# that is lost. The log of the talk goes as a whole, with what was said before the window, and by a part of its name:
# that of session 1 may be that of session 12.
# Source: ForgetGuard in forgetted/guard.py, TRIGGERS in trigger.py, find_session_log in cleaner.py of the wheel; its README,
# "the agent resumes normally after". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "forgetted==0.3.0"
cd "$folder"
venv/bin/python - <<'PY' >seen
import asyncio
import builtins
from pathlib import Path

from forgetted import ForgetSession
from forgetted.cleaner import find_session_log
from forgetted.trigger import is_forget_trigger

memory = Path("memory")
memory.mkdir()


def note(name, text):
    """Note something about a member, as a bot does."""
    with open(memory / f"{name}.md", "a") as file:
        file.write(text + "\n")


def notes():
    """Return the names of those of whom there is a note."""
    return sorted(path.stem for path in memory.glob("*.md"))


async def off_the_record(begin, end):
    await asyncio.sleep(begin)
    with ForgetSession("."):
        await asyncio.sleep(end - begin)


async def one_window():
    window = asyncio.create_task(off_the_record(0, 0.2))
    await asyncio.sleep(0.1)
    note("bert", "Bert is allergic to nuts.")
    await window
    print("Ada's window is over, notes:", notes())
    note("carl", "Carl lives in York.")
    print("after that:", notes())


async def two_windows():
    await asyncio.gather(off_the_record(0, 0.2), off_the_record(0.1, 0.3))
    note("dora", "Dora has a cat.")
    print("both windows are over:", notes(), "- open() is Python's own:", builtins.open is original)


original = builtins.open
asyncio.run(one_window())
asyncio.run(two_windows())
builtins.open = original
for text in ("Please don't forget this: Rex is allergic to nuts", "I will never forget this summer", "Forget what I said"):
    print(f"{text!r} begins a window:", is_forget_trigger(text))
logs = Path("logs")
logs.mkdir()
for number in (12, 13):
    (logs / f"session-{number}.jsonl").touch()
print("the log of session-1:", find_session_log("session-1", "logs") is not None)
PY
cat seen
cat >expected <<'TEXT'
Ada's window is over, notes: []
after that: ['carl']
both windows are over: ['carl'] - open() is Python's own: False
"Please don't forget this: Rex is allergic to nuts" begins a window: True
'I will never forget this summer' begins a window: True
'Forget what I said' begins a window: False
the log of session-1: True
TEXT
cmp seen expected
