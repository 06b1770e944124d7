#!/bin/sh
# dosewise-home 0.1.0 (PyPI, CPython 3.11), a plan of a household's medicines. Words for times are looked for inside of words:
# "afternoon" has "noon" in it, and so one dose in the afternoon is due at 12:00 and at 15:00, while the count of what is left
# goes on with one a day; "Once a fortnight" and "at midnight" are every evening at 21:30, by "night". "Not at night" is at
# 21:30 as well. What is taken once a week is due each day at nine, four a day are three. Warnings mix the household: Ada's
# warfarin and Ben's aspirin, and a bottle to be kept in a cold place has a cold.
# Source: its README: "Builds a daily dose timeline from common instruction words like morning, dinner, bedtime, and night"
# and "household medication schedule"; infer_schedule and default_slots in dosewise_home/planner.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "dosewise-home==0.1.0"
cd "$folder"
cat >cabinet.csv <<'TEXT'
name,owner,strength,instructions,quantity_left,doses_per_day,refill_date,notes
Amoxicillin,Ada,500mg,One in the afternoon,10,1,,
Ibuprofen,Ada,200mg,Not at night,30,1,,
Warfarin,Ada,5mg,with dinner,30,1,,
Alendronate,Ben,70mg,One a week,4,0.14,,
Amlodipine,Ben,5mg,One every six hours,40,4,,
Aspirin,Ben,100mg,with breakfast,30,1,,keep in a cold place
Vitamin D,Cy,,Once a fortnight,6,0.07,,
TEXT
venv/bin/python - >seen <<'PY'
from datetime import date
from pathlib import Path

from dosewise_home.planner import build_plan

plan = build_plan(Path("cabinet.csv").read_text(), today=date(2026, 11, 30))
for dose in plan["schedule"]:
    print(dose["time"], dose["owner"], dose["medicine"], "-", dose["instructions"])
for caution in plan["cautions"]:
    print(caution["name"])
print(next(row for row in plan["refills"] if row["name"] == "Amoxicillin")["runout_date"])
PY
cat seen
cat >expected <<'TEXT'
08:00 Ben Amlodipine - One every six hours
08:00 Ben Aspirin - with breakfast
09:00 Ben Alendronate - One a week
12:00 Ada Amoxicillin - One in the afternoon
14:00 Ben Amlodipine - One every six hours
15:00 Ada Amoxicillin - One in the afternoon
18:30 Ada Warfarin - with dinner
21:00 Ben Amlodipine - One every six hours
21:30 Ada Ibuprofen - Not at night
21:30 Cy Vitamin D - Once a fortnight
Duplicate acetaminophen
Blood thinner reminder
2026-12-10
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
