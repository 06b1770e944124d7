#!/bin/sh
# @microsoft/recognizers-text-date-time 1.3.2 (npm, Node 20), which reads the times that people write to a bot. What is counted from
# tomorrow is counted from today: "2 weeks from tomorrow at 5pm" is the same day as "2 weeks from now at 5pm". "In an hour and a half" is
# in an hour, though the whole of it is marked as read, and "in half an hour" is found as a time and has no value. "In two weeks" is a
# length, not a day, and "a week from friday" is a week and a Friday that may be over.
# Source: its description: "recognizers-text provides robust recognition and resolution of date/time expressed in multiple languages".
# Seen on 2026-11-30, a Monday at noon.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "@microsoft/recognizers-text-date-time@1.3.2" >>npm.log 2>&1
cat >when.cjs <<'JS'
const { recognizeDateTime } = require("@microsoft/recognizers-text-date-time");

const now = new Date(2026, 10, 30, 12);
const said = [
  "tomorrow at 5pm", "2 weeks from now at 5pm", "2 weeks from tomorrow at 5pm", "3 days from tomorrow at 5pm", "in an hour and a half",
  "in half an hour", "in two weeks", "a week from friday",
];
for (const text of said) {
  const found = recognizeDateTime(text, "en-us", undefined, now).map(({ text, typeName, resolution }) => {
    return `"${text}" (${typeName.replace("datetimeV2.", "")}) ${(resolution?.values ?? []).map(({ value }) => value).join(" or ") || "without a value"}`;
  });
  console.log(`${text}: ${found.join(", ")}`);
}
JS
TZ=UTC node when.cjs >seen
cat seen
cat >expected <<'TEXT'
tomorrow at 5pm: "tomorrow at 5pm" (datetime) 2026-12-01 17:00:00
2 weeks from now at 5pm: "2 weeks from now at 5pm" (datetime) 2026-12-14 17:00:00
2 weeks from tomorrow at 5pm: "2 weeks from tomorrow at 5pm" (datetime) 2026-12-14 17:00:00
3 days from tomorrow at 5pm: "3 days from tomorrow at 5pm" (datetime) 2026-12-03 17:00:00
in an hour and a half: "in an hour and a half" (datetime) 2026-11-30 13:00:00
in half an hour: "in half an hour" (datetime) without a value
in two weeks: "two weeks" (duration) 1209600
a week from friday: "a week" (duration) 604800, "friday" (date) 2026-11-27 or 2026-12-04
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
