#!/bin/sh
# vtt-to-json 0.1.1 and @xsstomy/subsrt 1.0.0 (npm, Node 20), which read WebVTT. To vtt-to-json the number of a cue, as Zoom
# writes one above each, is the last word of the cue before: "I have two cats." is "I have two cats. 3". The last cue of a
# file that ends with a line feed, as nearly all do, is left out. Behind the first cue there is one that says "2". Who speaks
# is lost, and of the words each letter that is not English: "Grüße" is "gre". subsrt leaves each cue out that has settings
# ("align:start position:0%"), as all have of those that YouTube makes by itself: made into SubRip, such a talk is an empty
# file, and nothing is said.
# Source: W3C, WebVTT, "cue identifier", "cue settings list"; the description of vtt-to-json, "Convert VTT file to JSON"; the
# README of subsrt, "WebVTT (.vtt)". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "vtt-to-json@0.1.1" "@xsstomy/subsrt@1.0.0"
cat >read.js <<'JS'
const assert = require("node:assert");
const subsrt = require("@xsstomy/subsrt");
const toJson = require("vtt-to-json");

const zoom = ["Ada: Grüße!", "Ben: I have two cats.", "Ada: Are they at home?", "Ben: No."];
const cue = (text, i) => `${i + 1}\n00:00:0${i + 1}.000 --> 00:00:0${i + 2}.000\n${text}\n`;
const settings = " align:start position:0%";
const talk = `WEBVTT\n\n00:00:01.000 --> 00:00:02.000${settings}\nDo you eat nuts?\n\n00:00:03.000 --> 00:00:04.000${settings}\nNever.\n`;
toJson(["WEBVTT\n", ...zoom.map(cue)].join("\n")).then((cues) => {
  const parts = cues.map((one) => one.part);
  console.log("vtt-to-json:", JSON.stringify(parts), "-", JSON.stringify(cues[0].words.map((one) => one.word)));
  const [all, none] = [talk.replaceAll(settings, ""), talk].map((text) => subsrt.convert(text, {format: "srt"}));
  console.log("subsrt:", JSON.stringify(all), "- with settings:", JSON.stringify(none));
  assert.deepStrictEqual(parts, ["Ada: Grüße!", "2", "Ben: I have two cats. 3", "Ada: Are they at home? 4"]);
  assert.deepStrictEqual(cues[0].words.map((one) => one.word), ["ada", "gre"]);
  assert.ok(all.includes("Do you eat nuts?") && all.includes("Never."));
  assert.strictEqual(none, "");
});
JS
node read.js
