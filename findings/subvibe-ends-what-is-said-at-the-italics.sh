#!/bin/sh
# @aj-archipelago/subvibe 1.0.12 (npm, Node 20), which reads, writes and converts subtitles (SubRip, WebVTT), as transcribers of talks
# write them, with the speaker before each line. Read and written again as WebVTT, without a change, "<v Kim>No, <i>never</i> on
# Friday." is "No,": a speaker whose end tag is left out, as the format allows, is heard up to the next tag. Names of cues, by
# which others refer to them, are replaced by numbers. In SubRip and plain text the same line begins with "<v Kim>", as
# does each speaker with a class ("<v.loud Ben>"), who is not among the voices; of the others the name is lost, and "&amp;" is
# left as it is. A line that the reader of WebVTT understands is thus wrong in each of the three.
# Source: its README, "Parse WebVTT subtitle content with support for styles, regions, and voice spans"; W3C, WebVTT, "cue
# voice span": the end tag may be omitted if the span is all that the cue has, and classes may follow. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "@aj-archipelago/subvibe@1.0.12"
cat >again.mjs <<'JS'
import assert from "node:assert";
import {build, parse} from "@aj-archipelago/subvibe";

const cues = (...texts) => texts.map((text, i) => `question-${i}\n00:0${2 * i + 1}.000 --> 00:0${2 * i + 2}.000\n${text}\n`);
const said = ["<v Kim>No, <i>never</i> on Friday.", "<v Anna>Tea &amp; cake?</v>", "<v.loud Ben>Yes!</v>"];
const read = parse(["WEBVTT\n", ...cues(...said)].join("\n")).cues;
console.log("voices:", JSON.stringify(read.map((cue) => cue.voices)));
assert.deepStrictEqual(read.map((cue) => cue.voices), [
  [{voice: "Kim", text: "No,"}],
  [{voice: "Anna", text: "Tea &amp; cake?"}],
  undefined,
]);
const words = (format) => build(read, format).trim().split(/\n\n+/).map((cue) => cue.split("\n").at(-1));
const expected = {
  vtt: ["WEBVTT", "<v Kim>No,</v>", "<v Anna>Tea &amp; cake?</v>", "<v.loud Ben>Yes!</v>"],
  srt: ["<v Kim>No, <i>never</i> on Friday.", "Tea &amp; cake?", "<v.loud Ben>Yes!</v>"],
  text: ["<v Kim>No, <i>never</i> on Friday.", "Tea &amp; cake?", "<v.loud Ben>Yes!</v>"],
};
for (const format of Object.keys(expected)) {
  console.log(`${format}: ${words(format).join(" | ")}`);
  assert.deepStrictEqual(words(format), expected[format]);
}
assert.ok(!build(read, "vtt").includes("question-"));
JS
node again.mjs
