#!/bin/sh
# sherlockjs 1.4.2 (npm, Node 20), which makes events of sentences. "I sat down with Ada" is an event of Saturday called "i down
# with ada". An hour and a half from now is an hour from now, and "and a half" is gone from the title too; of "lunch at half
# past five" the time is neither read nor left in the title, so that nobody can see that there was one. "Drop it at 5 Main
# Street" is at five in the afternoon, in "drop it main street". A birthday on Feb 29 is on 1 March, and whatever stands before
# a title makes it lower case ("in call ada").
# Source: its README, "parses events written in plain English", "Sherlock's best guess at what the event title should be, or
# null", "startDate - Date object representing start of the event, or null if not found". Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts sherlockjs@1.4.2 >>npm.log 2>&1
cat >try.cjs <<'JS'
const Sherlock = require("sherlockjs");
Sherlock._setNow(new Date(2026, 11, 1, 10, 0)); // a Tuesday
const sentences = ["Dinner with Ada on Friday at 7", "I sat down with Ada", "Call Ada in an hour and a half",
  "Lunch at half past five", "Drop it at 5 Main Street", "Birthday of Ben on Feb 29", "In 2 hours call Ada"];
for (const sentence of sentences) {
  const { eventTitle, startDate, isAllDay } = Sherlock.parse(sentence);
  const start = startDate ? startDate.toString().slice(0, isAllDay ? 15 : 21) : "no start";
  console.log(JSON.stringify(sentence), "->", JSON.stringify(eventTitle), start);
}
JS
TZ=UTC node try.cjs | tee seen
cat >expected <<'TEXT'
"Dinner with Ada on Friday at 7" -> "Dinner with Ada" Fri Dec 04 2026 19:00
"I sat down with Ada" -> "i down with ada" Sat Dec 05 2026
"Call Ada in an hour and a half" -> "Call Ada" Tue Dec 01 2026 11:00
"Lunch at half past five" -> "Lunch" no start
"Drop it at 5 Main Street" -> "drop it main street" Tue Dec 01 2026 17:00
"Birthday of Ben on Feb 29" -> "Birthday of Ben" Mon Mar 01 2027
"In 2 hours call Ada" -> "in call ada" Tue Dec 01 2026 12:00
TEXT
cmp seen expected
