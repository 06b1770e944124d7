#!/bin/sh
# subsrt-ts 2.1.2 (npm), which reads and converts subtitles and transcripts. What it writes as LRC it does not read: minutes
# have two digits at most there, so all that is said after an hour and forty minutes is lost without a word, and the line
# before lasts two seconds. Digits behind the stop are counted as hundredths whatever their number: .5 is 50 milliseconds and
# .900 nine seconds, so that what is said at 2.900 comes after what is said at 4.000; of a line with two times the second is
# said. From WebVTT to SubRip names of speakers are dropped, "&amp;" stays, and a note makes the first number 3.
# Source: its README: "Subtitle JavaScript library and command line tool", with VTT, SRT and LRC; for several times in a line
# and milliseconds the page on LRC it links to; WebVTT of W3C, 3.4 (voices) and 6.4 (character references). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "subsrt-ts@2.1.2" >>npm.log 2>&1
cat >convert.mjs <<'JS'
import subsrt from "subsrt-ts";

const captions = [
  ["01:39:58,000", "01:39:59,000", "Ada: I come"],
  ["01:40:01,000", "01:40:02,000", "Ada: but not on Friday"],
];
const srt = captions.map(([start, end, text], at) => `${at + 1}\n${start} --> ${end}\n${text}\n`).join("\n");
const lrc = subsrt.convert(srt, { format: "lrc" });
const show = (text, format) => {
  for (const { type, start, end, text: said } of subsrt.parse(text, { format })) {
    if (type === "caption") console.log(` ${start / 1000} to ${end / 1000}: ${said.trim()}`);
  }
};
console.log("SubRip:");
show(srt, "srt");
console.log("as LRC:", JSON.stringify(lrc.trim().split(/\s*\n\s*/)));
show(lrc, "lrc");
console.log("LRC:");
show("[00:01.5]one\n[00:02.900]two\n[00:04.00]three\n[00:05.00][00:09.00]four\n", "lrc");
const vtt = "WEBVTT\n\nNOTE Board of the club\n\n00:01.000 --> 00:02.000\n<v Ada>Tea &amp; cake</v>\n";
console.log("WebVTT as SubRip:", JSON.stringify(subsrt.convert(vtt, { format: "srt" }).trim().split(/\s*\n\s*/)));
JS
node convert.mjs >seen
cat seen
cat >expected <<'TEXT'
SubRip:
 5998 to 5999: Ada: I come
 6001 to 6002: Ada: but not on Friday
as LRC: ["[99:58.00]Ada: I come","[100:01.00]Ada: but not on Friday"]
 5998 to 6000: Ada: I come
LRC:
 1.05 to 11: one
 11 to 4: two
 4 to 5: three
 5 to 7: [00:09.00]four
WebVTT as SubRip: ["3","00:00:01,000 --> 00:00:02,000","Tea &amp; cake"]
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
