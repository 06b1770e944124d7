#!/bin/sh
# fairy-subtitle 1.1.0 (PyPI, CPython 3.11), which reads and converts subtitles. In ASS a text ends at its first comma, whatever
# comes then: "I come, but not on Friday" is "I come", in SubRip that is made of it too. Comments, which nobody says, are
# said, and names of speakers are gone. In WebVTT a cue that is only a number is left out: to "How old are you?" there is
# no answer 7; "&amp;" stays as it is, and in SubRip made of it "<v Ada>" is a sign on the screen.
# Source: its README: "Supports multiple common subtitle formats: SRT, VTT, ASS" and "Complete exception handling mechanism";
# the format of ASS, where Text is the last field and so may have commas. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "fairy-subtitle==1.1.0"
cd "$folder"
cat >talk.ass <<'TEXT'
[Script Info]
ScriptType: v4.00+

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:02.00,Default,Ada,0,0,0,,I come, but not on Friday
Comment: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,is this what she said?
TEXT
cat >talk.vtt <<'TEXT'
WEBVTT

00:00:01.000 --> 00:00:02.000
<v Ada>How old are you &amp; Cy?

00:00:03.000 --> 00:00:04.000
7

00:00:05.000 --> 00:00:06.000
I see
TEXT
venv/bin/python - >seen <<'PY'
from fairy_subtitle import SubtitleLoader

for name in ("talk.ass", "talk.vtt"):
    talk = SubtitleLoader.load(name)
    print(name, [cue.text for cue in talk])
    print(" as SubRip:", [line for line in talk.to_srt().split("\n") if line])
PY
cat seen
cat >expected <<'TEXT'
talk.ass ['I come', 'is this what she said?']
 as SubRip: ['1', '00:00:01,000 --> 00:00:02,000', 'I come', '2', '00:00:03,000 --> 00:00:04,000', 'is this what she said?']
talk.vtt ['<v Ada>How old are you &amp; Cy?', 'I see']
 as SubRip: ['1', '00:00:01,000 --> 00:00:02,000', '<v Ada>How old are you &amp; Cy?', '2', '00:00:05,000 --> 00:00:06,000', 'I see']
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
