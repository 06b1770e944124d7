#!/bin/sh
# habito 1.2.0 with peewee 3.19.0, for it does not import with peewee 4, and freezegun 1.5.5 (PyPI, CPython 3.11), which sets
# the day. The streak of a habit is counted when something is written down and never again: who walked on three days and
# stopped has a streak of three days a month later, beside days that are all empty. The newest entry is a day of it whatever
# it says: nought minutes of thirty are the fourth day. On 29 February nothing can be written down, not even without a date,
# as the year in which it is read is 1900; what is written down for tomorrow is of last year. A habit with a comma in its name
# is two columns of the CSV.
# Source: the docstring of Summary in its models.py ("Current streak for a habit. Continuous activity constitutes a streak") and
# of its option --date ("Date of activity in mm/dd format (defaults to today)"). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "habito==1.2.0" "peewee==3.19.0" "freezegun==1.5.5"
cd "$folder"
mkdir -p home/.config
HOME="$folder/home" XDG_CONFIG_HOME="$folder/home/.config" COLUMNS=100 venv/bin/python - >seen <<'PY'
from click.testing import CliRunner
from freezegun import freeze_time


def run(day, *words):
    """Print what habito answers on a day."""
    with freeze_time(f"{day} 20:00"):
        from habito.commands import cli

        result = CliRunner().invoke(cli, list(words))
    for line in result.output.splitlines():
        if line.strip():
            print(f"{day}: {' '.join(line.replace('|', ' ').split())}")
    if isinstance(result.exception, ValueError):
        print(f"{day}: {result.exception}")


def show_streak(day):
    """Print the streak of the first habit as the list has it on a day."""
    from habito import models

    with freeze_time(f"{day} 20:00"):
        from habito.commands import cli

        listed = CliRunner().invoke(cli, ["list"]).output
    streak = models.Habit.get_by_id(1).summary.get().get_streak()
    print(f"{day}: streak {streak}, listed: {streak in listed}, days with an entry: {listed.count(chr(0x25A0))}")


run("2026-11-01", "add", "walk", "30", "--units", "minutes")
run("2026-11-01", "add", "read, write", "5", "--units", "pages")
for day in ("01", "02", "03"):
    run(f"2026-11-{day}", "checkin", "walk", "-d", f"11/{day}", "-q", "30")
show_streak("2026-11-03")
show_streak("2026-11-30")
run("2026-11-04", "checkin", "walk", "-d", "11/04", "-q", "0")
show_streak("2026-11-04")
run("2026-11-04", "checkin", "walk", "-d", "11/05", "-q", "30")
run("2026-11-04", "list", "-f", "csv", "-d", "1 day")
run("2028-02-29", "checkin", "walk", "-d", "02/29", "-q", "30")
PY
cat seen
cat >expected <<'TEXT'
2026-11-01: You have commited to 30.0 minutes of walk every day!
2026-11-01: You have commited to 5.0 pages of read, write every day!
2026-11-01: Added 30.0 minutes to habit walk for Sun Nov 01 2026.
2026-11-02: Added 30.0 minutes to habit walk for Mon Nov 02 2026.
2026-11-03: Added 30.0 minutes to habit walk for Tue Nov 03 2026.
2026-11-03: streak 3 days, listed: True, days with an entry: 3
2026-11-30: streak 3 days, listed: True, days with an entry: 0
2026-11-04: Added 0.0 minutes to habit walk for Wed Nov 04 2026.
2026-11-04: streak 4 days, listed: True, days with an entry: 4
2026-11-04: Added 30.0 minutes to habit walk for Wed Nov 05 2025.
2026-11-04: id,name,goal,units,date,activity
2026-11-04: 1,walk,30.0,minutes,2026-11-04,0.0
2026-11-04: 2,read, write,5.0,pages,2026-11-04,0.0
2028-02-29: day is out of range for month
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
