#!/bin/sh
# khard 0.22.0 (PyPI, CPython 3.11), an address book for the terminal. A birthday without a year, "--0520" in vCard 4,
# was in 1900 for programs: that is what "birthdays --parsable" prints, and nothing tells it from somebody who was born
# then, of whom the list for people has no year either. For people it has the locale's short date, in which the year has
# two digits: who was born in 1926, and who was in 2026, have the same birthday, and with Apple's mark for "no year",
# 1604, somebody is of 2004. A birthday of a year and a month ("1990-05") is not listed.
# Source: RFC 6350, 4.3.1 ("--0412") and 4.3.4 (truncated and reduced dates are allowed in BDAY); khard's documentation
# of --parsable, "machine readable format". The locale is C here. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "khard==0.22.0"
cd "$folder"
mkdir book
person() {
    printf 'BEGIN:VCARD\nVERSION:%s\nUID:%s\nFN:%s\nN:%s;%s;;;\n%s\nEND:VCARD\n' "$1" "$2" "$2" Lee "$2" "$3" >"book/$2.vcf"
}
person 4.0 Ann 'BDAY:--0520'
person 4.0 Ben 'BDAY:19000520'
person 3.0 Cy 'BDAY;X-APPLE-OMIT-YEAR=1604:1604-05-20'
person 3.0 Dan 'BDAY:1926-03-01'
person 3.0 Eve 'BDAY:2026-03-01'
person 4.0 Fay 'BDAY:1990-05'
printf '[addressbooks]\n[[me]]\npath = %s/book\n[general]\ndefault_action = list\n' "$folder" >khard.conf
export LC_ALL=C
{
    echo "for people:"
    venv/bin/khard -c khard.conf birthdays | sed 's/  */ /g; s/ *$//'
    echo "for programs:"
    venv/bin/khard -c khard.conf birthdays --parsable | tr '\t' ' '
} | tee seen
cat >expected <<'TEXT'
for people:
Name Birthday
Dan Lee 03/01/26
Eve Lee 03/01/26
Ann Lee --05-20
Ben Lee --05-20
Cy Lee 05/20/04
for programs:
1926.03.01 Dan Lee
2026.03.01 Eve Lee
1900.05.20 Ann Lee
1900.05.20 Ben Lee
1604.05.20 Cy Lee
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
