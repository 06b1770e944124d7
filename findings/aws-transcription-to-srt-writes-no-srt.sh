#!/bin/sh
# aws-transcription-to-srt 1.0.6, read by srt 0.0.3 and @plussub/srt-vtt-parser 2.0.5 (npm, Node 20) and by pycaption 2.3.14
# (PyPI, CPython 3.11). It writes times with a point, as WebVTT has them, not with SubRip's comma. What reads it is told
# nothing, except by pycaption, which refuses it: to srt no sentence has a time (NaN), and to plussub seconds are thousandths,
# so that all of the first minute is said at once. A comma of the sentence ends a cue as a full stop does, so that "No,
# never." is two. Who speaks is left out (items[].speaker_label), and an answer is in one cue with what it answers where no
# sign stands between them: "Nuts No,".
# Source: its README: "outputs a SRT file"; SubRip: hours:minutes:seconds,milliseconds; Amazon Transcribe's output, "items",
# "speaker_label". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "aws-transcription-to-srt@1.0.6" "srt@0.0.3" "@plussub/srt-vtt-parser@2.0.5"
python3 -m venv venv
venv/bin/pip install -q --no-compile "pycaption==2.3.14"
cat >convert.js <<'JS'
const fs = require("fs");
const toSrt = require("aws-transcription-to-srt");
const {parse} = require("@plussub/srt-vtt-parser");
const srt = require("srt");

const said = (content, start, speaker_label) => {
  const time = {start_time: String(start), end_time: String(start + 0.3)};
  return {type: "pronunciation", ...time, alternatives: [{confidence: "0.9", content}], speaker_label};
};
const sign = (content, speaker_label) => ({type: "punctuation", alternatives: [{confidence: "0.0", content}], speaker_label});
const items = [said("Nuts", 1.2, "spk_0"), said("No", 1.6, "spk_1"), sign(",", "spk_1"), said("never", 2, "spk_1"), sign(".", "spk_1")];
items.push(said("Why", 3612.5, "spk_0"), sign("?", "spk_0"));
const text = toSrt({results: {transcripts: [{transcript: ""}], items}});
fs.writeFileSync("talk.srt", text);
console.log(text.trim());
const times = Object.values(srt.fromString(text)).map((cue) => `${cue.text} ${cue.startTime}`);
console.log("srt:", times.join(" | "));
console.log("plussub:", parse(text).entries.map((cue) => `${cue.text} ${cue.from}`).join(" | "));
JS
{
  node convert.js
  venv/bin/python -c "import pycaption; pycaption.SRTReader().read(open('talk.srt').read())" 2>&1 | tail -1
} | tee seen
cat >expected <<'TEXT'
1
00:00:01.200 --> 00:00:01.900
Nuts No,

2
00:00:02.000 --> 00:00:02.300
never.

3
01:00:12.500 --> 01:00:12.800
Why?
srt: Nuts No, NaN | never. NaN | Why? NaN
plussub: Nuts No, 1 | never. 2 | Why? 3600012
pycaption.exceptions.CaptionReadSyntaxError: CaptionReadSyntaxError(Invalid SRT timestamp: '00:00:01.200'.)
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
