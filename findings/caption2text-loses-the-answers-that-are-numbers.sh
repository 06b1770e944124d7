#!/bin/sh
# caption2text 0.1.2 (PyPI, CPython 3.11), which makes "plain text transcripts" of subtitles (SubRip, WebVTT). A line that is
# only a number is taken for the number of a cue wherever it stands: "Ada: How many can come?" "42" is a question without an
# answer, and of two lines "I was born in / 1984" the year is gone. In WebVTT the numbers stay, but times without hours, which
# the format allows and many programs write, are lines of the text, as are comments and the names of cues; a line that begins
# with "Language:" or "Kind:" is left out wherever it stands; who speaks ("<v Ada>") is lost; "&amp;" is left as it is. In
# both, what stands between "<" and ">" is left out, so "2 < 3, and 5 > 4" is "2  4".
# Source: its summary, "convert VTT and SRT caption files into plain text transcripts"; converter.py of the wheel
# (SRT_INDEX_REGEX, VTT_TIMESTAMP_REGEX); W3C, WebVTT, "timestamp": hours are optional; "comment block". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "caption2text==0.1.2"
cd "$folder"
cat >talk.srt <<'SRT'
1
00:00:01,000 --> 00:00:02,000
Ada: How many can come?

2
00:00:03,000 --> 00:00:04,000
42

3
00:00:05,000 --> 00:00:07,000
Ben: I was born in
1984

4
00:00:08,000 --> 00:00:09,000
2 < 3, and 5 > 4.
SRT
cat >talk.vtt <<'VTT'
WEBVTT

NOTE Ben has still to read it

question
00:01.000 --> 00:02.000
<v Ada>Tea &amp; cake at four?

00:00:03.000 --> 00:00:04.000
<v Ben>In which
language: ours? And what
kind: a sweet one?
Language: yours.
VTT
for file in talk.srt talk.vtt; do venv/bin/caption2text convert "$file" 2>/dev/null; done | tee seen
cat >expected <<'TEXT'
Ada: How many can come?
Ben: I was born in
2  4.
NOTE Ben has still to read it
question
00:01.000 --> 00:02.000
Tea &amp; cake at four?
In which
language: ours? And what
kind: a sweet one?
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
