#!/bin/sh
# yait-byheart 0.1.1 (PyPI, CPython 3.11), a memory of conversations that keeps every word and writes dates beside the relative
# ones, by arithmetic. It finds "tomorrow" inside "the day after tomorrow", and "last Saturday" inside "the one before last
# Saturday": the date that stands beside the phrase is a day early, or a week late. A whole year and a whole week get one
# day each, "last year" the same day a year before, and on the last of February nothing; the Beatles' song and a
# street get the date of the day before. With "next Friday" or "in three days" it says nothing.
# Source: its README ("Nothing is lost at ingest", "relative dates are resolved by arithmetic"); yait_byheart/_time.py of
# the wheel ("the fallback is silence, never a guess, because a confidently wrong date is worse than an unresolved
# phrase"). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "yait-byheart==0.1.1"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from yait_byheart import Memory

memory = Memory(budget=20_000)
for day, words in (
    ("8 May, 2023", "The party is the day after tomorrow"),
    ("8 May, 2023", "I was ill the Saturday before last Saturday"),
    ("8 May, 2023", "Kim moved to Oslo last year"),
    ("29 February, 2024", "Kim moved to Rome last year"),
    ("8 May, 2023", "It rained last week"),
    ("8 May, 2023", "Her song is Yesterday"),
    ("8 May, 2023", "The exam is in three days"),
):
    memory.append("user", words, when=day)
for message in memory.compose("When is the party?")["messages"][:-1]:
    print(message["parts"][0]["text"])
PY
cat >expected <<'TEXT'
[8 May, 2023] The party is the day after tomorrow [9 May 2023]
[8 May, 2023] I was ill the Saturday before last Saturday [6 May 2023]
[8 May, 2023] Kim moved to Oslo last year [8 May 2022]
[29 February, 2024] Kim moved to Rome last year
[8 May, 2023] It rained last week [1 May 2023]
[8 May, 2023] Her song is Yesterday [7 May 2023]
[8 May, 2023] The exam is in three days
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
