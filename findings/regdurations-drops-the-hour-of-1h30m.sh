#!/bin/sh
# regdurations 1.0.8 (PyPI, CPython 3.11), which finds spans of time in what people write in five languages. "1h30m" is half an hour, and 1.5
# hours are five, without a word; only the place, which does not begin at 0, shows it. "Remind me in 5 minutes" and "mute Ada 2
# days" name no span unless the language is named, since the "e" that ends a word before is "and" in Italian; so with "y" of Spanish:
# "every 2 days". "2 J", years in German, are two days, as J is a day in French.
# Source: its README: it is to "simply parse durations written in a string, in multiple supported languages", and the list of languages
# is optional; "(?:[\s,]+|$)" behind each part of the pattern in regdurations.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "regdurations==1.0.8"
cd "$folder"
venv/bin/python - <<'PY' >seen
from regdurations import DurationParser

for languages in None, ["en"]:
    parser = DurationParser(languages)
    print(languages or "all languages")
    for text in (
        *("1h 30m", "1h30m", "1.5 hours", "2 hours and 5 minutes"),
        *("in 5 minutes", "remind me in 5 minutes", "mute Ada 2 days", "every 2 days", "2 Jahre", "2 J"),
    ):
        found, start, end = parser.find_dict(text)
        print(f"  {text}:", {unit: count for unit, count in found.items() if count}, start)
PY
cat seen
cat >expected <<'TEXT'
all languages
  1h 30m: {'minutes': 30, 'hours': 1} 0
  1h30m: {'minutes': 30} 2
  1.5 hours: {'hours': 5} 2
  2 hours and 5 minutes: {'minutes': 5, 'hours': 2} 0
  in 5 minutes: {'minutes': 5} 3
  remind me in 5 minutes: {} None
  mute Ada 2 days: {} None
  every 2 days: {'days': 2} 6
  2 Jahre: {'years': 2} 0
  2 J: {'days': 2} 0
['en']
  1h 30m: {'minutes': 30, 'hours': 1} 0
  1h30m: {'minutes': 30} 2
  1.5 hours: {'hours': 5} 2
  2 hours and 5 minutes: {'minutes': 5, 'hours': 2} 0
  in 5 minutes: {'minutes': 5} 3
  remind me in 5 minutes: {'minutes': 5} 13
  mute Ada 2 days: {'days': 2} 9
  every 2 days: {'days': 2} 6
  2 Jahre: {} None
  2 J: {} None
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
