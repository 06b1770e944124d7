#!/bin/sh
# human-date-parser 0.1.4 with dateparser 1.5.0, holidays 0.109 and freezegun 1.5.5, which moves the clock (PyPI, CPython 3.11). Its table of
# short words is never used, as its pattern looks for backslashes: "tmrw" and "in a couple of days", of its own examples, are now, as is
# all that it does not know, and "2day" is in two days. So are weekends, and "2 weeks after Diwali" is in two weeks. "Last" in any word
# turns to the past: "the blast on Friday" was last Friday, and the last day of December is in 2025. "Remind me to call Ben tomorrow"
# with "breakfast" in it is in May. spaCy, with which it loads a model that it does not use, is left out.
# Source: FUZZY_REPLACEMENTS and the examples in human_date_parser/parser.py; its summary: "Convert natural language date strings into
# Python datetime objects". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "human-date-parser==0.1.4" "dateparser==1.5.0" "holidays==0.109" "freezegun==1.5.5"
cd "$folder"
cat >read.py <<'PY'
import sys
from types import SimpleNamespace

from freezegun import freeze_time

sys.modules["spacy"] = SimpleNamespace(load=str)
from human_date_parser import parse  # noqa: E402

with freeze_time("2026-11-30 12:30"):
    for text in (
        *("tomorrow", "tmrw", "in 2 days", "in a couple of days", "2day", "this weekend", "2 weeks after Diwali"),
        *("the party on friday", "the blast on friday", "the last day of december"),
        *("call Ben tomorrow", "remind me to call the breakfast place tomorrow"),
    ):
        print(f"{text} -> {parse(text):%Y-%m-%d %H:%M}")
PY
TZ=UTC venv/bin/python read.py >seen 2>log
cat seen
cat >expected <<'TEXT'
tomorrow -> 2026-12-01 12:30
tmrw -> 2026-11-30 12:30
in 2 days -> 2026-12-02 12:30
in a couple of days -> 2026-11-30 12:30
2day -> 2026-12-02 12:30
this weekend -> 2026-11-30 12:30
2 weeks after Diwali -> 2026-12-14 12:30
the party on friday -> 2026-12-04 00:00
the blast on friday -> 2026-11-27 00:00
the last day of december -> 2025-12-30 00:00
call Ben tomorrow -> 2026-12-01 12:30
remind me to call the breakfast place tomorrow -> 2027-05-30 00:00
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
