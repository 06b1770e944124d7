#!/bin/sh
# parsedatetime 2.6 and recurrent 0.4.1 (PyPI, CPython 3.11; recurrent reads with parsedatetime), asked on a Saturday at
# 14:00. Both take the part they know and drop the rest. parsedatetime reads "tonight at 8" and "tomorrow night at 8" as
# 21:00, recurrent as eight in the morning, the first of them six hours ago; both read "8 in the evening" as 18:00, "in
# an hour and a half" as an hour, "a week from friday" as that Friday. parsedatetime's flag, which says whether a date
# (1), a time (2) or both (3) were found, is that of phrases it understands.
# Source: the packages' rules, run as below; the docstring of Calendar.parse explains the flag. Seen on 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "parsedatetime==2.6" "recurrent==0.4.1"
"$folder/venv/bin/python" - <<'PY'
from datetime import datetime

import parsedatetime
from recurrent import RecurringEvent

NOW = datetime(2026, 11, 28, 14, 0)
SEEN = {  # by parsedatetime with its flag, by recurrent
    "tonight at 8pm": ("28 20:00", 2, "28 20:00"),
    "tonight at 8": ("28 21:00", 2, "28 08:00"),
    "tomorrow night at 8": ("29 21:00", 3, "29 08:00"),
    "8 in the evening": ("28 18:00", 2, "28 18:00"),
    "in an hour and a half": ("28 15:00", 2, "28 15:00"),
    "a week from friday": ("04 09:00", 1, "04 09:00"),
}
for phrase, seen in SEEN.items():
    time, flag = parsedatetime.Calendar().parseDT(phrase, sourceTime=NOW)
    other = RecurringEvent(now_date=NOW).parse(phrase)
    read = (time.strftime("%d %H:%M"), flag, other.strftime("%d %H:%M"))
    print(f"{phrase!r:24} parsedatetime: {read[0]} (flag {flag})   recurrent: {read[2]}")
    assert read == seen, "the behaviour has changed"
PY
