#!/bin/sh
# kcal-cli 0.2.0 with icalendar 7.3.0 (PyPI, CPython 3.11), a calendar on the command line for scripts and agents. "list --date"
# looks at the first day of an event alone: the weekly meeting is there in its first week and on no other Monday, and a
# holiday of four days is over after the first. "delete" writes what lies within an event or a time zone once more at the
# top of the file: of three events with an alarm each, two are left with five alarms, one of them the deleted event's,
# and the rules for summer time stand there beside the time zone too, where a calendar program need not take them. Each
# deletion adds to that.
# Source: cmd_list and cmd_delete ("for component in cal.walk()") in kcal.py of the wheel; its README: "Designed for scripting
# and AI agent integration"; RFC 5545, 3.4 and 3.6.6 (an alarm stands within an event or a to-do). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "kcal-cli==0.2.0" "icalendar==7.3.0"
cd "$folder"
kcal() {
    venv/bin/kcal -f club.ics "$@"
}
event() { # uid, summary, start and end, alarm
    printf '%s\n' BEGIN:VEVENT "UID:$1" DTSTAMP:20261101T000000Z "SUMMARY:$2" "DTSTART;TZID=Europe/Berlin:$3" \
        "DTEND;TZID=Europe/Berlin:$4" BEGIN:VALARM ACTION:DISPLAY "DESCRIPTION:$5" TRIGGER:-PT15M END:VALARM END:VEVENT
}
{
    printf '%s\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//club//EN BEGIN:VTIMEZONE TZID:Europe/Berlin BEGIN:DAYLIGHT \
        DTSTART:19810329T020000 TZOFFSETFROM:+0100 TZOFFSETTO:+0200 "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU" END:DAYLIGHT \
        BEGIN:STANDARD DTSTART:19961027T030000 TZOFFSETFROM:+0200 TZOFFSETTO:+0100 \
        "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU" END:STANDARD END:VTIMEZONE
    event 1@club Dentist 20261203T090000 20261203T100000 "to the dentist"
    event 2@club Choir 20261203T190000 20261203T210000 "to the choir"
    event 12@club Concert 20261204T190000 20261204T210000 "to the concert"
    echo END:VCALENDAR
} | sed 's/$/\r/' >club.ics
{
    kcal add Meeting -s "2026-12-07 18:00" -e "2026-12-07 19:00" --repeat weekly --byday MO >added
    kcal add Holiday -s 2026-12-24 -e 2026-12-28 --allday >>added
    for day in 2026-12-07 2026-12-14 2026-12-25; do
        echo "$day: $(kcal list --date "$day" | sed 's/  *\[uid.*//')"
    done
    kcal delete 1@
    echo "alarms: $(grep -c BEGIN:VALARM club.ics), rules of summer time: $(grep -c BEGIN:DAYLIGHT club.ics)"
    kcal delete 2@
    echo "alarms: $(grep -c BEGIN:VALARM club.ics), rules of summer time: $(grep -c BEGIN:DAYLIGHT club.ics)"
    kcal list | sed 's/  *\[uid.*//'
} >seen
cat seen
cat >expected <<'TEXT'
2026-12-07:   2026-12-07 18:00 - 19:00  Meeting [weekly]
2026-12-14: No events found.
2026-12-25: No events found.
Deleted event 1@
alarms: 5, rules of summer time: 2
Deleted event 2@
alarms: 6, rules of summer time: 3
  2026-12-04 19:00 - 21:00  Concert
  2026-12-07 18:00 - 19:00  Meeting [weekly]
  2026-12-24 (all day)  Holiday
TEXT
cmp seen expected
