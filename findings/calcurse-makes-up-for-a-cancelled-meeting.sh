#!/bin/sh
# calcurse 4.7.1-1 (Debian 12), a calendar for the terminal, given a club's calendar of four Thursdays. If one of them is
# cancelled (EXDATE), a fifth is put at the end, on 31 December: COUNT is taken for the meetings that are held. A meeting
# that was moved (RECURRENCE-ID) is held twice, on its old day and on its new one, and a walk with STATUS:CANCELLED takes
# place. A task that is due on Monday (DUE) has no day. Nothing is reported as skipped, and "calcurse -x" writes the
# fifth Thursday as UNTIL, so that other programs have it too.
# Source: RFC 5545, 3.3.10 ("DTSTART" always counts as the first occurrence when used with COUNT), 3.8.5.1 (EXDATE takes
# dates out of the set that the rule makes), 3.8.4.4, 3.8.1.11, 3.8.2.3. Only apt-get, dpkg and calcurse are used; tried on
# Debian 12. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q "calcurse=4.7.1-1" >log 2>&1
dpkg -x calcurse_*.deb program
club() {
  for line in BEGIN:VCALENDAR VERSION:2.0 PRODID:-//club//club//EN BEGIN:VEVENT UID:club@example.org \
    DTSTAMP:20261001T000000Z DTSTART:20261203T190000 DTEND:20261203T210000 "RRULE:FREQ=WEEKLY;COUNT=4" \
    SUMMARY:Club "$@" END:VCALENDAR; do printf '%s\r\n' "$line"; done
}
days() {
  rm -rf data
  mkdir data
  program/usr/bin/calcurse -q -D data -C data -i "$1"
  program/usr/bin/calcurse -D data -C data -Q --filter-type cal --from 12/01/2026 --days 40 --output-datefmt %d.%m. \
    --format-apt '%(start:%d.%m.) %m; ' --format-recur-apt '%(start:%d.%m.) %m; ' | grep -v '^[0-9./]*:$' | tr -d '\n' | sed 's/; $//'
  echo
}
club END:VEVENT >whole.ics
club EXDATE:20261210T190000 END:VEVENT >cancelled.ics
club END:VEVENT BEGIN:VEVENT UID:club@example.org DTSTAMP:20261001T000000Z RECURRENCE-ID:20261217T190000 \
  DTSTART:20261219T190000 DTEND:20261219T210000 SUMMARY:Moved END:VEVENT \
  BEGIN:VEVENT UID:walk@example.org DTSTAMP:20261001T000000Z DTSTART:20261220T140000 DTEND:20261220T160000 \
  SUMMARY:Walk STATUS:CANCELLED END:VEVENT >moved.ics
club END:VEVENT BEGIN:VTODO UID:key@example.org DTSTAMP:20261001T000000Z DUE:20261207T120000 SUMMARY:Key END:VTODO \
  BEGIN:VTODO UID:tea@example.org DTSTAMP:20261001T000000Z SUMMARY:Tea STATUS:COMPLETED END:VTODO >tasks.ics
{
  echo "four Thursdays: $(days whole.ics)"
  echo "the second cancelled: $(days cancelled.ics)"
  program/usr/bin/calcurse -D data -C data -x | tr -d '\r' | grep -E '^(RRULE|EXDATE)'
  echo "the third moved, a walk cancelled: $(days moved.ics)"
  days tasks.ics >/dev/null
  echo "a task until Monday, one done: $(paste -sd ' ' data/todo)"
} >seen
cat seen
cat >expected <<'TEXT'
four Thursdays: 03.12. Club; 10.12. Club; 17.12. Club; 24.12. Club
the second cancelled: 03.12. Club; 17.12. Club; 24.12. Club; 31.12. Club
RRULE:FREQ=WEEKLY;UNTIL=20261231T190000
EXDATE:20261210T190000
the third moved, a walk cancelled: 03.12. Club; 10.12. Club; 17.12. Club; 19.12. Moved; 20.12. Walk; 24.12. Club
a task until Monday, one done: [0] Key [-0] Tea
TEXT
cmp seen expected
