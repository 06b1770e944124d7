#!/bin/sh
# sla-calculator 1.0.0 with pendulum 2.1.2 and holidays 0.10.3, the versions that it asks for (PyPI, CPython 3.11), which says
# until when an answer is due. It takes Monday for the first day of pendulum's week, which is Sunday there, so the days off are
# Friday and Saturday: what is asked on Friday morning is due on Sunday at one, what comes on Thursday evening as well, and on
# Sunday one has four hours, as on any working day. A span that ends in the first hours of the next day is not looked at again:
# eight hours from Thursday at ten are due on Friday at ten, and eight from the day before Christmas at ten on Christmas Day.
# Source: its README ("take into account all holidays and weekends as none working hours"); "0=Monday, 6=Sunday" in
# check_working_days of sla_calculator/calculator.py; pendulum 2's constants SUNDAY = 0, SATURDAY = 6. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "sla-calculator==1.0.0" "pendulum==2.1.2" "holidays==0.10.3"
cd "$folder"
TZ=UTC venv/bin/python -W ignore - >seen <<'PY'
from sla_calculator import SLA_Calculator

for asked, hours in (
    ("2026-12-01T10:00", 4),
    ("2026-12-04T10:00", 4),
    ("2026-12-03T18:00", 4),
    ("2026-12-06T10:00", 4),
    ("2026-12-03T10:00", 8),
    ("2026-12-24T10:00", 8),
):
    due = SLA_Calculator().calculate(f"{asked}:00Z", open_hour=9, close_hour=17, country_name="US", sla_in_hours=hours)
    begin = due.__class__.fromisoformat(asked)
    print(f"asked on {begin:%A} {asked}, {hours} working hours: due on {due.strftime('%A %Y-%m-%d %H:%M')}")
PY
cat seen
cat >expected <<'TEXT'
asked on Tuesday 2026-12-01T10:00, 4 working hours: due on Tuesday 2026-12-01 14:00
asked on Friday 2026-12-04T10:00, 4 working hours: due on Sunday 2026-12-06 13:00
asked on Thursday 2026-12-03T18:00, 4 working hours: due on Friday 2026-12-04 13:00
asked on Sunday 2026-12-06T10:00, 4 working hours: due on Sunday 2026-12-06 14:00
asked on Thursday 2026-12-03T10:00, 8 working hours: due on Friday 2026-12-04 10:00
asked on Thursday 2026-12-24T10:00, 8 working hours: due on Friday 2026-12-25 10:00
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
