#!/bin/sh
# reme 1.0.3 with discord.py 2.7.1 and freezegun 1.5.5, which moves the clock (PyPI, CPython 3.11), a bot on Discord that reminds. On the
# 30th of December a reminder for "01/01 00:00" is confirmed for the 1st of January that is past, and as only what is due in the
# running minute is sent, never comes. One for "02/05" raises an error, as February has no 30th. Of the three forms of its README two are not
# understood: a date with a year, and a time alone, its own example. "+1h30m" is in an hour, and "+ 2 h" is at once.
# Source: README, "Message Formating": "@ mm/dd/yyyy hh:mm", "@ hh:mm", and "+<Delta>[DdHhMm]"; "Send a reminder at 5:30 pm: !reme Go
# grocery shopping @ 17:30"; msg_regex and convert_date in reme/entry.py, collect in db.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "reme==1.0.3" "discord.py==2.7.1" "freezegun==1.5.5"
cd "$folder"
cat >read.py <<'PY'
from types import SimpleNamespace

from freezegun import freeze_time
from reme.entry import from_msg

with freeze_time("2026-12-30 20:00"):
    for text in (
        *("pizza +30m", "dentist @ 12/31 09:00", "happy new year @ 01/01 00:00", "dentist @ 02/05 09:00"),
        *("happy new year @ 01/01/2027 00:00", "Go grocery shopping @ 17:30", "pizza +1h30m", "pizza + 2 h"),
    ):
        author, channel = SimpleNamespace(id=1), SimpleNamespace(id=2)
        message = SimpleNamespace(content=f"!reme {text}", author=author, mentions=[], channel=channel, mention_everyone=False)
        try:
            entry = from_msg(message)
            print(text, "->", entry and entry.executed)
        except ValueError as error:
            print(text, "-> ValueError:", error)
PY
TZ=UTC venv/bin/python read.py >seen 2>log
cat seen
cat >expected <<'TEXT'
pizza +30m -> 2026-12-30 20:30:00
dentist @ 12/31 09:00 -> 2026-12-31 09:00:00
happy new year @ 01/01 00:00 -> 2026-01-01 00:00:00
dentist @ 02/05 09:00 -> ValueError: day is out of range for month
happy new year @ 01/01/2027 00:00 -> None
Go grocery shopping @ 17:30 -> None
pizza +1h30m -> 2026-12-30 21:00:00
pizza + 2 h -> 2026-12-30 20:00:00
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
