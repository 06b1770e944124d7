#!/bin/sh
# vcf2ldif 0.1.0 with vobject 0.9.9 (PyPI, CPython 3.11), which makes a shared phone book (LDIF) of contacts (vCard). Of a
# number with two types only the first counts: "TYPE=VOICE,CELL" is no mobile and the number is left out, as are numbers at
# work and a second mobile. An organisation ends at its first colon, and at the 75th character where the line would be folded.
# Who has no family name has "  Zoë   " for one. A comma in a name is not escaped in the dn, so that "Berg, Ben" is an entry of
# another kind, and letters beyond ASCII, and values that begin with a blank, are written as they are, where LDIF wants base64.
# A contact without UID has another one with each run, so that the same file is added again each time.
# Source: its help, "vCard to ldif converter", "You can import the resulting ldif file into your LDAP server"; RFC 2426, 3.3.1
# (a list of types); RFC 2849 (SAFE-STRING); RFC 4514, 2.4 (escapes). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "vcf2ldif==0.1.0" "vobject==0.9.9"
cd "$folder"
cat >club.vcf <<'TEXT'
BEGIN:VCARD
VERSION:3.0
FN:Berg\, Ben
N:Berg;Ben;;;
TEL;TYPE=VOICE,CELL:+41 79 000 00 02
TEL;TYPE=WORK:+41 31 000 00 02
ORG:Choir: Basel
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:Zoë
N:;Zoë;;;
TEL;TYPE=CELL:+41 79 000 00 03
TEL;TYPE=CELL:+41 79 000 00 04
ORG:Association of the friends of the old and of the new music in the town of Basel
END:VCARD
TEXT
for run in 1 2; do
  venv/bin/vcf2ldif -i club.vcf -r dc=example,dc=org -o club.ldif
  grep "^uid" club.ldif >uids.$run
done
grep -v "^uid" club.ldif | tr -d '\r' | sed 's/^\(sn: .*\)$/\1|/' >seen
cmp -s uids.1 uids.2 || echo "other UIDs with the second run" >>seen
cat seen
cat >expected <<'TEXT'
dn: cn=Berg, Ben,dc=example,dc=org
changetype: add
objectClass: inetOrgPerson
cn: Berg, Ben
givenName: Ben
o: Choir
sn: Berg|

dn: cn=Zoë,dc=example,dc=org
changetype: add
objectClass: inetOrgPerson
cn: Zoë
givenName: Zoë
mobile: +41 79 000 00 03
o: Association of the friends of the old and of the new music in the town 
sn:  Zoë   |

other UIDs with the second run
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
