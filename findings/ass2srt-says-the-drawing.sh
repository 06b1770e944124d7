#!/bin/sh
# ass2srt 0.0.5 (PyPI, CPython 3.11), which makes SubRip of subtitles in ASS. Cues keep the order of the file, and ASS has none:
# Ben's answer at five seconds is number 1 and Ada's question at one second number 2. A drawing is taken for words, so that "m
# 0 0 l 100 0" stands on the screen, and a hard space stays as it was in "Bye\hnow". Hours have one digit.
# Source: its summary, "A tool that convert .ass subtitles to .srt"; ASS, where \p1 begins a drawing and \h is a space, and SubRip,
# whose times are hh:mm:ss,mmm and whose cues are numbered in their order. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "ass2srt==0.0.5"
cd "$folder"
cat >talk.ass <<'TEXT'
[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize
Style: Default,Arial,20

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:05.00,0:00:06.00,Default,Ben,0,0,0,,I do, but not on Friday
Dialogue: 0,0:00:01.00,0:00:02.00,Default,Ada,0,0,0,,Who comes?\NAnd {\i1}when{\i0}?
Dialogue: 0,0:00:07.00,0:00:08.00,Default,Cy,0,0,0,,Bye\hnow
Dialogue: 0,0:00:09.00,0:00:09.50,Default,,0,0,0,,{\p1}m 0 0 l 100 0{\p0}
TEXT
venv/bin/ass2srt talk.ass >log
grep . talk*.srt >seen
cat seen
cat >expected <<'TEXT'
1
0:00:05,000 --> 0:00:06,000
I do, but not on Friday
2
0:00:01,000 --> 0:00:02,000
Who comes?
And when?
3
0:00:07,000 --> 0:00:08,000
Bye\hnow
4
0:00:09,000 --> 0:00:09,500
m 0 0 l 100 0
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
