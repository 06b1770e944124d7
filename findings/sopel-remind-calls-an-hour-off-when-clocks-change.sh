#!/bin/sh
# sopel-remind 0.3.0 with sopel 8.0.4 (PyPI, CPython 3.11), reminders of the IRC bot Sopel. Who says in the evening ".at 08:00
# call Eva" is reminded tomorrow, but on the two days on which the clocks change an hour off: at 09:00 in March and at 07:00
# in October (Berlin), since a day is added to a time that keeps yesterday's distance from UTC. ".at" with tomorrow's date
# gives the right time for the same words.
# Source: parse_at_time in sopel_remind/backend.py of the wheel, whose docstring says "always return an accurate datetime";
# the documentation of pytz asks for normalize() after each sum. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "sopel-remind==0.3.0" "sopel==8.0.4"
cd "$folder"
cat >remind.py <<'PY'
from datetime import datetime

import pytz
from sopel_remind.backend import parse_at_time

berlin = pytz.timezone("Europe/Berlin")
for evening, tomorrow in (((2027, 3, 27, 20), "2027-03-28"), ((2027, 10, 30, 20), "2027-10-31"), ((2027, 6, 1, 20), "2027-06-02")):
    now = berlin.localize(datetime(*evening))
    for said in ("08:00 call Eva", f"{tomorrow} 08:00 call Eva"):
        when, words = parse_at_time(said, now)
        print(f"{said} -> {datetime.fromtimestamp(when.timestamp(), berlin):%d.%m. %H:%M} {words}")
PY
venv/bin/python remind.py | tee seen
cat >expected <<'TEXT'
08:00 call Eva -> 28.03. 09:00 call Eva
2027-03-28 08:00 call Eva -> 28.03. 08:00 call Eva
08:00 call Eva -> 31.10. 07:00 call Eva
2027-10-31 08:00 call Eva -> 31.10. 08:00 call Eva
08:00 call Eva -> 02.06. 08:00 call Eva
2027-06-02 08:00 call Eva -> 02.06. 08:00 call Eva
TEXT
cmp seen expected
