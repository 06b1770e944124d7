#!/bin/sh
# birthday 1.6.2-4.1 (Debian 12), whose vcf2birthday makes a list of birthdays of contacts. Any line in which "N:" stands is a name,
# and the last one counts: with a note "Lives in LISSABON: second floor" Eva is called "second floor", and where the version
# of the card comes behind the name, "VERSION:3.0", the person is "3.0". Of dates it knows one form: with hyphens and with no
# parameter. Cards of version 4, where a date has no hyphens, and "BDAY;VALUE=date:" of version 3 are left out without a word,
# so that Cy, Dora and Fay have no birthday.
# Source: its manual page: "Convert VCARD files to birthday database"; RFC 6350, 6.2.5: "BDAY:19960415" and "BDAY:--0415", and RFC
# 2426, 3.1.5, where BDAY may have VALUE=date. Only apt-get, dpkg and perl are used. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q "birthday=1.6.2-4.1" >log 2>&1
dpkg -x birthday_*.deb program
card() {
  for line in BEGIN:VCARD "$@" END:VCARD; do printf '%s\r\n' "$line"; done
}
{
  card VERSION:3.0 "N:Lovelace;Ada;;;" "FN:Ada Lovelace" BDAY:1990-03-05
  card VERSION:3.0 "N:Eder;Eva;;;" "FN:Eva Eder" BDAY:1990-03-05 "NOTE:Lives in LISSABON: second floor"
  card "N:Green;Gus;;;" "FN:Gus Green" BDAY:1990-03-05 VERSION:3.0
  card VERSION:4.0 "FN:Cy Clay" BDAY:19900305
  card VERSION:4.0 "FN:Dora Day" BDAY:--0305
  card VERSION:3.0 "N:Fox;Fay;;;" "FN:Fay Fox" "BDAY;VALUE=date:1990-03-05"
} | perl program/usr/bin/vcf2birthday >seen
cat seen
cat >expected <<'TEXT'
Ada Lovelace=05/03/1990
 second floor=05/03/1990
3.0=05/03/1990
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
