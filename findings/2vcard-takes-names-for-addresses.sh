#!/bin/sh
# 2vcard 0.6-4 (Debian 12), which makes vCards of address books, of Mutt's if nothing is said. Of "alias annie Anna Berg
# <anna@x.example>", Mutt's own way to write it, it makes a card whose name is "<anna@x.example>" and whose address for mail is
# "Anna Berg"; of a pair it makes one person, whose name is Dan's address and who is reached at Cy's and at "Dan". The other way
# that Mutt takes, the address first and the name in round brackets, is called ill-formatted. Of abook's files the street is
# written once more in place of the state, and telephones at work, mobile ones and nicknames are left out without a word; only the
# one at home stays.
# Source: 2vcard(1), which converts mutt's and abook's files; Mutt's manual, "Defining/Using Aliases", and its addresses, which
# are those of RFC 5322; the comment above parseMutt's second rule, "alias nick full name <email@address>", which the first rule
# already takes; parseAbook prints to "write" instead of "WRITE". Only apt-get, dpkg and perl are used; tried on Debian 12. Seen
# on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q "2vcard=0.6-4" >log 2>&1
dpkg -x 2vcard_*.deb program
cat >aliases <<'TEXT'
alias annie Anna Berg <anna@x.example>
alias pair Cy <cy@z.example>, Dan <dan@z.example>
alias ben ben@y.example (Ben Cole)
TEXT
cat >addressbook <<'TEXT'
[format]
program=abook
version=0.6.1

[0]
name=Anna Berg
email=anna@x.example
address=Hill Street 5
city=Austin
state=TX
zip=73301
country=USA
phone=030-1
workphone=030-2
mobile=030-3
nick=annie

TEXT
{
  perl program/usr/bin/2vcard <aliases 2>&1
  perl program/usr/bin/2vcard -f abook <addressbook 2>/dev/null
} | grep -v -e '^$' -e '^BEGIN' | tee seen
cat >expected <<'TEXT'
Skipping ill-formatted line:
   alias ben ben@y.example (Ben Cole)
FN:<anna@x.example>
N:<anna@x.example>;
EMAIL;INTERNET:Anna Berg
END:VCARD
FN:<dan@z.example>
N:<dan@z.example>;
EMAIL;INTERNET:cy@z.example
EMAIL;INTERNET: Dan
END:VCARD
FN:Anna Berg
N:Berg;Anna;
EMAIL;INTERNET:anna@x.example
ADR;HOME:Default;;Hill Street 5;Austin;Hill Street 5;73301;USA;
TEL;HOME:030-1
END:VCARD
TEXT
cmp seen expected
