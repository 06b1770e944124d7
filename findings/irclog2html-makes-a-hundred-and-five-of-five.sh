#!/bin/sh
# irclog2html 4.1.0 (PyPI, CPython 3.11), which makes pages of IRC logs. People on IRC colour their words with U+0003 and the number
# of a colour, and ZNC and eggdrop log that as it comes. Of the sign its page drops the first character and keeps the number,
# which is one with what is coloured: 5 places in cyan (10) or on black (1,1) are "105 places" or "1,15 places", and
# "04" in front of 7 pm makes 047 pm. Nothing tells such a number from one that somebody wrote. A nickname that is coloured
# by the bouncer is somebody else, called "04ada".
# Source: escape() in irclog2html/irclog2html.py of the wheel, which strips what is below U+0020; mIRC's colours are a number of
# one or two digits, and one for the background after a comma (modern.ircdocs.horse, formatting). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "irclog2html==4.1.0"
cd "$folder"
printf '14:05 <ada> \00310%s\003 left\n' '5 places' >club.log
printf '14:06 <ada> \0031,1%s\003 left\n' '5 places' >>club.log
printf '14:07 <ben> Doors at \00304%s\n' '7 pm' >>club.log
printf '14:08 <\00304ada\003> I take 2\n' >>club.log
venv/bin/irclog2html -s simplett -o club.html club.log
sed -n 's/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; /^<\|^[0-9][0-9]:/p' club.html | tee seen
cat >expected <<'TEXT'
<ada> 105 places left
<ada> 1,15 places left
<ben> Doors at 047 pm
<04ada> I take 2
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
