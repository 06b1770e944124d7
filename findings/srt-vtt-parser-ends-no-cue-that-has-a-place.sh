#!/bin/sh
# @plussub/srt-vtt-parser 2.0.5 (npm, Node 20), which reads subtitles. WebVTT lets a cue of the first hour leave the hours out and say
# where on the screen it stands. The reader knows either: "00:01.000 --> 00:02.500" ends at 2500, and so does the long form with
# "align:start". With both the end is not a number, or it is made of the place: what stands at "line:0 position:20%" ends after two
# minutes instead of two and a half seconds. Who speaks ("<v Ada>"), bold type and "&amp;" stay in the text as they are written.
# Source: its README: a "SRT/VTT subtitle parser" that gives "from", "to" and "text"; WebVTT (W3C), 4.1: a timestamp may have no hours,
# and a cue's timings may be followed by settings. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "@plussub/srt-vtt-parser@2.0.5" >>npm.log 2>&1
cat >read.mjs <<'JS'
import { parse } from "@plussub/srt-vtt-parser";

const timings = [
  "00:01.000 --> 00:02.500", "00:00:01.000 --> 00:00:02.500 align:start", "00:01.000 --> 00:02.500 align:start",
  "00:01.000 --> 00:02.500 line:0 position:20%",
];
for (const timing of timings) {
  const [{ from, to, text }] = parse(`WEBVTT\n\n${timing}\n<v Ada>Tea &amp; <b>no</b> nuts</v>\n`).entries;
  console.log(timing, "->", from, to, text);
}
JS
node read.mjs >seen
cat seen
cat >expected <<'TEXT'
00:01.000 --> 00:02.500 -> 1000 2500 <v Ada>Tea &amp; <b>no</b> nuts</v>
00:00:01.000 --> 00:00:02.500 align:start -> 1000 2500 <v Ada>Tea &amp; <b>no</b> nuts</v>
00:01.000 --> 00:02.500 align:start -> 1000 NaN <v Ada>Tea &amp; <b>no</b> nuts</v>
00:01.000 --> 00:02.500 line:0 position:20% -> 1000 120000 <v Ada>Tea &amp; <b>no</b> nuts</v>
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
