#!/bin/sh
# acquaint 0.0.15 (PyPI, CPython 3.11), "people, and what they are involved in, for AI agents". check, for a text before it is
# published, reads names without regard to capitals and to what else they are: with Will Smith, May Hall and Mark Lee on record,
# "We may meet in May. Will you come? Please mark the day." mentions all three, and "We meet at the hall or may stay at home" is
# an error, since May Hall is one person and written as two. Of Zoe, who is not on record, it says nothing.
# Source: its README ("check TEXT: before publishing: one person written as two, ... shared names, unknown names"; "Nothing acts on
# a guess: a name, alias, handle or email counts only when exactly one record has it exactly"; "1 when the result is not ok").
# Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "acquaint==0.0.15"
cd "$folder"
export HOME="$folder" ACQUAINT_DATA_DIR="$folder/data"
for name in "Will Smith" "May Hall" "Mark Lee"; do
    venv/bin/acquaint new person "$name" >log
done
{
    for text in "We may meet in May. Will you come? Please mark the day." \
        "We meet at the hall or may stay at home." \
        "Zoe brings the cake."; do
        echo "$text"
        code=0
        venv/bin/acquaint check "$text" 2>>log || code=$?
        echo "exit status $code"
    done
} >seen
cat seen
cat >expected <<'TEXT'
We may meet in May. Will you come? Please mark the day.
mentioned   mark-lee, may-hall, will-smith
exit status 0
We meet at the hall or may stay at home.
CONFLATION  May Hall is ONE entity, written as 'hall' / 'may': …We meet at the hall or may stay at home.…
mentioned   may-hall
exit status 1
Zoe brings the cake.
no conflations
exit status 0
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
