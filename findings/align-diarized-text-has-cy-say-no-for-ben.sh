#!/bin/sh
# align-diarized-text 1.0.9 (npm, Node 20), which gives the times of a recognised recording to an accurate transcript with
# speakers. A line is looked up by its words alone: who says the same as somebody before gets that one's time, here the "No."
# of Cy and Ada's second question, so that a clip of Cy's answer plays Ben's. Quotation marks are taken from the text: what Ada
# quotes is told as hers.
# Source: its README ("align stt transcription with accurate text that has got speaker labels", "add timecodes but not lose the
# speaker labels (or the accurate text)"), whose lines have an id of their own. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "align-diarized-text@1.0.9" >>npm.log 2>&1
cat >try.cjs <<'JS'
const align = require("align-diarized-text");

const said = [
  [10, "Ada", "Will you come?"],
  [20, "Ben", "No."],
  [30, "Ada", "Cy said \"perhaps\" last week."],
  [40, "Ada", "Will you come?"],
  [50, "Cy", "No."],
  [60, "Ada", "Then I go alone."],
];

const words = said.flatMap(([start, , text]) =>
  text.replaceAll('"', "").split(" ").map((word, index) => ({ text: word, start: start + index, end: start + index + 0.5 })));
const quotes = said.map(([, speaker, text], index) => ({ id: `line ${index}`, speaker, text }));
const log = console.log;
console.log = () => {}; // it prints the last line
const aligned = align(quotes, { words });
console.log = log;
for (const [index, [start, speaker, text]] of said.entries()) {
  const found = aligned.find((line) => line.id === `line ${index}`);
  console.log(`${start} s, ${speaker}: ${text} -> ${found.start} to ${found.end} s, ${found.text}`);
}
JS
node try.cjs >seen
cat seen
cat >expected <<'TEXT'
10 s, Ada: Will you come? -> 10 to 20 s, Will you come?
20 s, Ben: No. -> 20 to 31 s, No.
30 s, Ada: Cy said "perhaps" last week. -> 31 to 40 s, Cy said perhaps last week.
40 s, Ada: Will you come? -> 10 to 20 s, Will you come?
50 s, Cy: No. -> 20 to 31 s, No.
60 s, Ada: Then I go alone. -> 61 to 63.5 s, Then I go alone.
TEXT
cmp seen expected
