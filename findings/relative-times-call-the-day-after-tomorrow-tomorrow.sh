#!/bin/sh
# philiprehberger-timeago 0.2.0 (PyPI, CPython 3.11), human-pretty-date 1.0.8 and relative-date 1.1.3 (npm, Node 20), which
# put times into words as reminders do, asked on Sunday at 20:00. The first two say "tomorrow" and "yesterday" of all that is
# one to two days away to the hour: the dentist on Tuesday at nine, the day after tomorrow, is "tomorrow", so that whoever is
# reminded of him goes there a day early, and Friday night's party was "yesterday"; what is tomorrow at seven is "in 11
# hours". relative-date says the same of the past, and "just now" of everything to come. A date without a time, as of a
# birthday, which the first takes too, is its first minute in Greenwich: today's birthday was 20 hours ago, tomorrow's is in 4
# hours, and that of the day after tomorrow "tomorrow".
# Source: their READMEs, 'timeago(now - timedelta(days=1))  # "yesterday"', "from datetime, date, or Unix timestamp",
# "tomorrow" in the list of human-pretty-date; _FUTURE_THRESHOLDS (172800) of the first, the formats of relative-date (2 *
# DAY). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q "philiprehberger-timeago==0.2.0"
npm install --silent --no-fund --no-audit "human-pretty-date@1.0.8" "relative-date@1.1.3"
cat >said.py <<'PY'
from datetime import date, datetime, timezone

from philiprehberger_timeago import timeago

NOW = datetime(2026, 11, 29, 20, tzinfo=timezone.utc)
for text in ("2026-11-30T07:00", "2026-12-01T09:00", "2026-11-28T10:00", "2026-11-27T22:00"):
    moment = datetime.fromisoformat(text).replace(tzinfo=timezone.utc)
    print(f"philiprehberger-timeago: {moment:%A %H:%M}: {timeago(moment, now=NOW)}")
for day in (date(2026, 11, 29), date(2026, 11, 30), date(2026, 12, 1)):
    print(f"philiprehberger-timeago: {day:%A}: {timeago(day, now=NOW)}")
PY
cat >said.cjs <<'JS'
const Real = Date;
const now = Real.UTC(2026, 10, 29, 20);
globalThis.Date = class extends Real {
  constructor(...given) { super(...(given.length ? given : [now])); }
  static now() { return now; }
};
const says = {"human-pretty-date": require("human-pretty-date").formatDate, "relative-date": require("relative-date")};
const moments = {
  "Monday 07:00": Real.UTC(2026, 10, 30, 7),
  "Tuesday 09:00": Real.UTC(2026, 11, 1, 9),
  "Saturday 10:00": Real.UTC(2026, 10, 28, 10),
  "Friday 22:00": Real.UTC(2026, 10, 27, 22),
};
for (const [name, say] of Object.entries(says)) {
  for (const [day, moment] of Object.entries(moments)) console.log(`${name}: ${day}: ${say(new Date(moment))}`);
}
JS
{ venv/bin/python said.py; node said.cjs; } >seen
cat seen
cat >expected <<'TEXT'
philiprehberger-timeago: Monday 07:00: in 11 hours
philiprehberger-timeago: Tuesday 09:00: tomorrow
philiprehberger-timeago: Saturday 10:00: yesterday
philiprehberger-timeago: Friday 22:00: yesterday
philiprehberger-timeago: Sunday: 20 hours ago
philiprehberger-timeago: Monday: in 4 hours
philiprehberger-timeago: Tuesday: tomorrow
human-pretty-date: Monday 07:00: 11 hours from now
human-pretty-date: Tuesday 09:00: tomorrow
human-pretty-date: Saturday 10:00: yesterday
human-pretty-date: Friday 22:00: yesterday
relative-date: Monday 07:00: just now
relative-date: Tuesday 09:00: just now
relative-date: Saturday 10:00: yesterday
relative-date: Friday 22:00: yesterday
TEXT
cmp expected seen
