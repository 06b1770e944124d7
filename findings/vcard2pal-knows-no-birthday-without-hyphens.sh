#!/bin/sh
# vcard2pal of pal 0.4.3-8.1+b5 (Debian 12), which takes birthdays out of vCards for pal, a calendar for the terminal. Of a
# birthday written as vCard 4 writes each, 19900502, comes the day "0000" of somebody born in 19900502; of one with a time, as in
# vCard 3's own examples, the day "00001015T23". pal refuses both lines and the birthdays are in no calendar. One behind a group
# ("item1.BDAY"), as telephones export it, is left out without a word, as is the rest of a name after a colon. Who was born in
# 1900 has no age, and who gave no year has "(!!)" for one.
# Source: RFC 6350, 6.2.5 and 4.3.1 (dates have no hyphens between year, month and day); RFC 2426, 3.1.5 ("1953-10-15T23:10:00Z"),
# and 2.1 ("group."); the script splits the value at hyphens and colons. Only apt-get, dpkg and awk are used, with pal itself;
# tried on Debian 12. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q "pal=0.4.3-8.1+b5" >log 2>&1
dpkg -x pal_*.deb program
card() { printf 'BEGIN:VCARD\r\nVERSION:%s\r\nN:%s;;;;\r\nFN:%s\r\n%s\r\nEND:VCARD\r\n' "$1" "$2" "$2" "$3"; }
{
  card 3.0 Eva BDAY:1990-05-02
  card 4.0 Anna BDAY:19900503
  card 3.0 Ben BDAY:1953-10-15T23:10:00Z
  card 3.0 Cy item1.BDAY:1990-06-02
  card 3.0 "Dora: at work" BDAY:1990-07-02
  card 3.0 Finn BDAY:1900-08-02
  card 4.0 Gil BDAY:--0902
} >cards.vcf
mkdir -p .pal
echo "file birthdays.pal" >.pal/pal.conf
awk -f program/usr/bin/vcard2pal cards.vcf >.pal/birthdays.pal
{
  cat .pal/birthdays.pal
  HOME=$folder program/usr/bin/pal --nocolor -d 20270101 -r 0-365 -c 0 2>&1 | grep -E 'ERROR|^\*|2027' | sed 's/ - .*//'
} | tee seen
cat >expected <<'TEXT'
** Birthday
00000502 Eva (!1990!)
0000 Anna (!19900503!)
00001015T23 Ben (!1953!)
00000702 Dora (!1990!)
00000802 Finn
00000902 Gil (!!)
ERROR: Invalid date string.
ERROR: Invalid date string.
Sun  2 May 2027
* Birthday: Eva (37)
Fri  2 Jul 2027
* Birthday: Dora (37)
Mon  2 Aug 2027
* Birthday: Finn
Thu  2 Sep 2027
* Birthday: Gil (!!)
TEXT
cmp seen expected
