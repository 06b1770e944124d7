#!/bin/sh
# ass-to-lrc 0.4.0 with ass 1.0.3 (PyPI, CPython 3.11), which makes lyrics (LRC) of subtitles of the ASS format, as installed: "with
# word-level timing". In a line with karaoke, words are kept only directly behind a "\k" of their own. "I will {\i1}not{\i0} come" is
# "I will come": what stands in italics is gone, and so are the words before the first "\k" and those behind "\kf" or
# "\ko", although "\K", which it reads, is only another name of "\kf". A line with "\kf" alone is one word without times.
# A line break of the format, "\N", is in the lyrics as these two characters. It says "Successfully converted".
# Back again ("lrc2ass"), a chorus with two times ("[00:17.20][01:02.50]") is sung once, with the other time among its words, unless
# "expand" was called before.
# Source: its README, "Karaoke Timing", and "Enhanced LRC"; _parse_karaoke_tags of ass2lrc/parser.py takes [Kk] and a number
# only; the ASS specification of libass and Aegisub ("\k, \K, \kf, \ko", "\N hard line break"). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "ass-to-lrc==0.4.0" "ass==1.0.3"
cd "$folder"
cat >song.ass <<'ASS'
[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,48,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,2,2,10,10,10,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,{\k20}I {\k30}will {\i1}not{\i0}{\k40} come
Dialogue: 0,0:00:04.00,0:00:06.00,Default,,0,0,0,,Never {\k20}say {\k30}never
Dialogue: 0,0:00:07.00,0:00:09.00,Default,,0,0,0,,{\k50}End{\kf50}less {\k50}song
Dialogue: 0,0:00:10.00,0:00:12.00,Default,,0,0,0,,{\kf20}Tea {\kf30}at {\kf40}five
Dialogue: 0,0:00:13.00,0:00:15.00,Default,,0,0,0,,First line\Nsecond line
ASS
venv/bin/ass2lrc convert song.ass | grep Success | cut -d/ -f1
printf '[00:12.00]Verse\n[00:17.20][01:02.50]Chorus\n[00:20.00]Verse\n' >back.lrc
venv/bin/ass2lrc lrc2ass back.lrc >out 2>&1
{ sed -n '/.\]./p' song.elrc; grep '^Dialogue' back.ass | cut -d, -f2,3,10-; } | tee seen
cat >expected <<'TEXT'
[00:01.00]<00:01.00>I <00:01.20>will <00:01.50> come
[00:04.00]<00:04.00>say <00:04.20>never
[00:07.00]<00:07.00>End<00:07.50>song
[00:10.00]<00:10.00>Tea at five
[00:13.00]<00:13.00>First line\Nsecond line
0:00:12.00,0:00:17.20,Verse
0:00:17.20,0:00:20.00,[01:02.50]Chorus
0:00:20.00,0:00:22.00,Verse
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
