#!/bin/sh
# serina 2.0.0-alpha.3, which npm calls the latest (npm, Node 20), reads reminders. A day and a clock time together, its README's
# first example, are put into the wrong month: "Remind me to buy milk tomorrow 3pm" said on the 1st of December is the 2nd of
# November, a month ago, and on the 30th of January "in 2 weeks at 9am" is the 13th of January. "tomorrow" and "in 2 weeks"
# alone are right, and both together in the middle of January. "today 23:00" on New Year's Eve is the 1st of December. "in half
# an hour", which its README ticks, raises TypeError. require("serina"), as in the README, finds no file, since package.json
# names one that is not in the package.
# Source: its README ("buy milk tomorrow 3pm", said on the 10th, is the 11th at 15:00; ticked are "a week from now 2pm" and "in
# half an hour"; it calls this version an alpha and asks for 1.x, which npm gives to those only who name it). Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "serina@2.0.0-alpha.3" >>npm.log 2>&1
cat >clock.cjs <<'JS'
const Clock = Date;
const now = new Clock(process.env.NOW).getTime();
globalThis.Date = class extends Clock {
  constructor(...parts) {
    super(...(parts.length ? parts : [now]));
  }
  static now() {
    return now;
  }
};
JS
cat >try.cjs <<'JS'
const serina = require("./node_modules/serina/dist/serina.js");

for (const text of process.argv.slice(2)) {
  let answer;
  try {
    const { matches } = serina(text);
    const { dateTime } = matches.find(({ matched }) => text.endsWith(matched) && matched.length > 6);
    answer = new Date(dateTime).toISOString().slice(0, 16);
  } catch (error) {
    answer = error.name;
  }
  console.log(`${process.env.NOW.slice(0, 10)}, ${text}: ${answer}`);
}
JS
export TZ=UTC
{
    NOW=2026-12-01T10:00:00Z node -r ./clock.cjs try.cjs "buy milk tomorrow" "buy milk tomorrow 3pm" "meet in half an hour"
    NOW=2026-01-15T10:00:00Z node -r ./clock.cjs try.cjs "buy milk tomorrow 3pm"
    NOW=2026-01-30T10:00:00Z node -r ./clock.cjs try.cjs "meet in 2 weeks" "meet in 2 weeks at 9am"
    NOW=2026-12-31T10:00:00Z node -r ./clock.cjs try.cjs "meet today 23:00"
    node -e 'require("serina")' 2>errors || grep -o "Cannot find module" errors
} >seen
cat seen
cat >expected <<'TEXT'
2026-12-01, buy milk tomorrow: 2026-12-02T00:00
2026-12-01, buy milk tomorrow 3pm: 2026-11-02T15:00
2026-12-01, meet in half an hour: TypeError
2026-01-15, buy milk tomorrow 3pm: 2026-01-16T15:00
2026-01-30, meet in 2 weeks: 2026-02-13T00:00
2026-01-30, meet in 2 weeks at 9am: 2026-01-13T09:00
2026-12-31, meet today 23:00: 2026-12-01T23:00
Cannot find module
TEXT
cmp seen expected
