#!/bin/sh
# typecast-autotag 3.0.1 (PyPI, CPython 3.11), which makes of written English what a voice is to say. One and the same text is
# read in two ways, by chance, within one program: of 60 calls with "Dinner is at 7:30 tonight." some say "seven to thirty
# tonight", a ratio, and the others "seven thirty AM tonight", in the morning; so is "It took 1:30 hours." Where both ends of
# a time have "from" and "to" it is always the morning: "from nine AM to five AM". "Room 12A" is "Room twelve amps", "in her
# 30s" "in her thirty seconds". A date with slashes is read if its day is above twelve: "born 3/4/1990" is "born 3/four one
# thousand nine hundred ninetieths".
# Source: its README: "Automatically converts various patterns like phone numbers, dates, and amounts into formats suitable
# for voice synthesis", "English: Full Support", and "Time", "Ratio" among its patterns. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "typecast-autotag==3.0.1"
cd "$folder"
venv/bin/python - <<'PY'
from typecast_autotag import auto_tag_en

EXPECTED = {
    "Dinner is at 7:30 tonight.": {"Dinner is at seven to thirty tonight.", "Dinner is at seven thirty AM tonight."},
    "It took 1:30 hours.": {"It took one to thirty hours.", "It took one thirty AM hours."},
    "Open from 9:00 to 5:00.": {"Open from nine AM to five AM."},
    "We meet in Room 12A.": {"We meet in Room twelve amps."},
    "She is in her 30s.": {"She is in her thirty seconds."},
    "She was born 12/25/1990.": {"She was born December twenty-fifth, nineteen ninety."},
    "She was born 3/4/1990.": {"She was born 3/four one thousand nine hundred ninetieths."},
}
seen = {text: {auto_tag_en(text) for _ in range(60)} for text in EXPECTED}
for text, spoken in seen.items():
    print(f"{text} -> {' or '.join(sorted(spoken))}")
if seen != EXPECTED:
    raise SystemExit("the behaviour has changed")
PY
