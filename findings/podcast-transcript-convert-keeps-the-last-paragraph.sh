#!/bin/sh
# podcast-transcript-convert 0.1.2 (the newest for CPython 3.11) with webvtt-py 0.6.0 (PyPI), which makes PodcastIndex's JSON
# of transcripts. In HTML, of each speaker only the last paragraph is kept: "I must not eat nuts." "Nor much sugar." is "Nor
# much sugar." In Podlove's XML, as the Podlove Publisher writes it, with <pst:speaker> in each <pst:speech>, nobody has said
# anything: no segment has a speaker. Of two voices in one cue of WebVTT the first has said it all. Files of one name in a
# folder (both.html, both.vtt) are one file of JSON, that of the last; nothing is said.
# Source: PodcastIndex, transcripts.md: "<cite>: Name of the speaker", "<p>: Content of monologue", "speaker"; the Podlove
# Publisher, as_xml of its renderer of transcripts; converters/html_to_json.py and xml_to_json.py of the wheel; W3C, WebVTT,
# "cue voice span"; its README, "Convert podcast transcripts from HTML, SRT, WebVtt, Podlove etc". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "podcast-transcript-convert==0.1.2" "webvtt-py==0.6.0"
mkdir -p "$folder/in/show" "$folder/out"
cd "$folder/in/show"
cat >html.html <<'HTML'
<cite>Ada:</cite>
<time>0:01</time>
<p>I must not eat nuts.</p>
<p>Nor much sugar.</p>
<cite>Ben:</cite>
<time>0:09</time>
<p>I see.</p>
HTML
cat >podlove.xml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<pst:transcripts version="1.0" xmlns:pst="http://podlove.org/simple-transcripts">
  <pst:speech><pst:speaker>Ada</pst:speaker><pst:item start="00:00:01.000" end="00:00:04.000">I must not eat nuts.</pst:item></pst:speech>
  <pst:speech><pst:speaker>Ben</pst:speaker><pst:item start="00:00:09.000" end="00:00:10.000">I see.</pst:item></pst:speech>
</pst:transcripts>
XML
cat >webvtt.vtt <<'VTT'
WEBVTT

00:00:01.000 --> 00:00:04.000
<v Ada>May I have nuts?</v>
<v Ben>Never.</v>
VTT
cp html.html both.html
cp webvtt.vtt both.vtt
cd "$folder"
venv/bin/transcript2json in out 2>log
venv/bin/python - <<'PY' | tee seen
import json

for name in ("html", "podlove", "webvtt", "both"):
    segments = json.load(open(f"out/show/{name}.json"))["segments"]
    print(f"{name}:", *(f"{segment.get('speaker')}: {segment['body']}" for segment in segments), sep=" | ")
PY
cat >expected <<'TEXT'
html: | Ada: Nor much sugar. | Ben: I see.
podlove: | None: I must not eat nuts. | None: I see.
webvtt: | Ada: May I have nuts? Never.
both: | Ada: Nor much sugar. | Ben: I see.
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
