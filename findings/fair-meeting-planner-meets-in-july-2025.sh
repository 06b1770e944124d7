#!/bin/sh
# fair-meeting-planner 0.1.0 with pandas 3.1.1, PuLP 3.3.2 and ics 0.7.3 (PyPI, CPython 3.11), "fair, repeatable meeting
# times". Every plan begins on 7 July 2025, whenever it is asked for, and so does its calendar file. A series is that many
# slots anywhere in its weeks: nothing asks for one a week, so a week has two meetings and another has none. From four meetings
# on only 8 to 18 o'clock in Greenwich is looked at: three meetings suit Ada in Auckland at no cost, four are all at 20 o'clock
# there. Who works at night, from 22 to 6, is at work at no hour: her meetings are at 21 o'clock, before her shift.
# Source: its README ("weekly/bi-weekly meeting grid", "a weekly meeting for the next 8 weeks", "how far a meeting is outside a
# person's defined working hours"); start_date, start_hour and the constraints in fairmeeting/solver.py, DefaultCostFunction in
# cost.py. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "fair-meeting-planner==0.1.0" "pandas==3.1.1" "PuLP==3.3.2" "ics==0.7.3"
cd "$folder"
venv/bin/python -W ignore - >seen <<'PY'
import re

from fairmeeting.export import generate_ics
from fairmeeting.schemas import Meeting, Participant
from fairmeeting.solver import ilp_solver

WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri"]


def plan(zone, start, end, count):
    """Print when a person's meetings are."""
    ada = Participant(name="Ada", tz=zone, work_start=start, work_end=end)
    series = {"duration_minutes": 60, "allowed_weekdays": WEEKDAYS, "horizon": count, "min_gap_between_meetings": 0}
    meeting = Meeting(participants=[ada], **series)
    solution = ilp_solver(meeting)
    slots = solution["scheduled_slots"]
    local = sorted(slot["slot_utc"].tz_convert(zone) for slot in slots)
    months = sorted({f"{time:%Y-%m}" for time in local})
    hours = [f"{time:%H}" for time in local]
    weeks = len({time.isocalendar()[:2] for time in local})
    print(f"{zone}, {start} to {end}, {count} meetings: cost {solution['max_total_cost']:.1f}, at {' '.join(hours)} o'clock,")
    begin = min(re.findall(r"DTSTART:(\d{6})", generate_ics(meeting, slots)))
    print(f"  in {weeks} weeks of {', '.join(months)}; the calendar file begins in {begin}")


plan("Pacific/Auckland", "09:00", "17:00", 3)
plan("Pacific/Auckland", "09:00", "17:00", 4)
plan("Europe/London", "22:00", "06:00", 3)
PY
cat seen
cat >expected <<'TEXT'
Debug: Optimized problem size - 210 slots, 3 meetings = 630 variables
Pacific/Auckland, 09:00 to 17:00, 3 meetings: cost 0.0, at 09 09 10 o'clock,
  in 2 weeks of 2025-07; the calendar file begins in 202507
Debug: Optimized problem size - 120 slots, 4 meetings = 480 variables
Pacific/Auckland, 09:00 to 17:00, 4 meetings: cost 5.2, at 20 20 20 20 o'clock,
  in 2 weeks of 2025-07, 2025-08; the calendar file begins in 202507
Debug: Optimized problem size - 195 slots, 3 meetings = 585 variables
Europe/London, 22:00 to 06:00, 3 meetings: cost 3.3, at 21 21 21 o'clock,
  in 2 weeks of 2025-07; the calendar file begins in 202507
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
