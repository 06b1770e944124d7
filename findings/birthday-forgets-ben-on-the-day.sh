#!/bin/sh
# birthday 1.6.2-4.1 (Debian 12), which tells of coming birthdays at each login. Ben, born on 29 February, is told of for weeks
# before the first of March in a year without that day, on 28 February as "tomorrow", and on the first of March nothing is
# said of him: the next that is told is his birthday a year later. Eva, born on the first of March, is told of on the day.
# In a leap year Ben is told of on 29 February as he should be.
# Source: its manual page, "warn about upcoming birthdays and other events", whose format for dates allows 29/02. The clock is
# set by libfaketime 0.9.10 (Debian). Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q birthday=1.6.2-4.1 libfaketime=0.9.10-2.1 >apt.log 2>&1
for package in birthday_1.6.2*.deb libfaketime_0.9.10*.deb; do dpkg -x "$package" .; done
printf 'Ben=29/02/2000\nEva=01/03/2000\n' >dates
fake=$(ls "$folder"/usr/lib/*/faketime/libfaketime.so.1)
for day in 2027-02-20 2027-02-28 2027-03-01 2027-03-02 2028-02-28 2028-02-29 2028-03-01; do
  echo "on $day:"
  LD_PRELOAD="$fake" FAKETIME="$day 12:00:00" TZ=UTC usr/bin/birthday -f dates -W 21
done >seen
cat seen
cat >expected <<'TEXT'
on 2027-02-20:
Ben is 27 years old in 1 week and 2 days' time.
Eva is 27 years old in 1 week and 2 days' time.
on 2027-02-28:
Ben is 27 years old tomorrow.
Eva is 27 years old tomorrow.
on 2027-03-01:
Eva is 27 years old today.
on 2027-03-02:
on 2028-02-28:
Ben is 28 years old tomorrow.
Eva is 28 years old in 2 days' time.
on 2028-02-29:
Ben is 28 years old today.
Eva is 28 years old tomorrow.
on 2028-03-01:
Eva is 28 years old today.
TEXT
cmp seen expected
