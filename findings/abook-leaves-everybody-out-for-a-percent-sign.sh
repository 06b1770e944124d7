#!/bin/sh
# abook 0.9.1 with vobject 0.9.9 (PyPI, CPython 3.11), which turns vCards into an address book of Abook's and back. One note with a
# percent sign, "100% vegan", and there is no address book: of nobody, by an error about interpolation. Of two mobile numbers the last
# stays, a number whose first type is VOICE or PREF goes, as do birthdays, firms and the second address. The way there and back makes of
# Ludwig, family van Beethoven, a Ludwig van of the family Beethoven.
# Source: its documentation: it "converts vcards (.vcf files) and writes them to your abook addressbook", "multiple contacts" too; RFC 2426,
# 3.3.1, where TEL may be there more than once and has a list of types; ConfigParser and _conv_tel_list in abook.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "abook==0.9.1" "vobject==0.9.9"
cd "$folder"
cat >two.vcf <<'TEXT'
BEGIN:VCARD
VERSION:3.0
FN:Ada Klein
N:Klein;Ada;;;
TEL;TYPE=CELL:111
TEL;TYPE=CELL:222
TEL;TYPE=VOICE,WORK:333
BDAY:1990-05-03
ORG:Bakery
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:Ludwig van Beethoven
N:van Beethoven;Ludwig;;;
ADR;TYPE=HOME:;;Mill Lane 1;Bonn;;53111;Germany
ADR;TYPE=WORK:;;Court 2;Vienna;;1010;Austria
END:VCARD
TEXT
sed 's/^ORG.*/NOTE:100% vegan/' two.vcf >vegan.vcf
venv/bin/vcf2abook two.vcf book
{
  sed 1,4d book
  venv/bin/abook2vcf book | tr -d '\r' | grep '^N:'
  venv/bin/vcf2abook vegan.vcf vegan 2>&1 | tail -n 1
  ls vegan 2>/dev/null || echo "no address book"
} >seen
cat seen
cat >expected <<'TEXT'
[0]
name=Ada Klein
mobile=222

[1]
name=Ludwig van Beethoven
address=Mill Lane 1
city=Bonn
zip=53111
country=Germany

N:Klein;Ada;;;
N:Beethoven;Ludwig van;;;
ValueError: invalid interpolation syntax in '100% vegan' at position 3
no address book
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
