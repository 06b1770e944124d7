#!/bin/sh
# orga 4.7.1 with uniorg-parse 3.2.2 beside it (npm, Node.js 20), readers of org-mode's notes. A date with a repeater or a time of
# warning is none to orga: "SCHEDULED: <2026-12-05 Sat 18:00 +1w>" is still a line of planning, but without a timestamp, with
# no error, and so are the birthday that comes each year and the deadline two days ahead, while the same dates without the
# sign are read, and uniorg-parse reads both. A date within the text of a note is only text to orga.
# Source: orga's README: "Turns org-mode content into AST"; the Org manual, "Repeated tasks": "DEADLINE: <2005-10-01 Sat +1m>",
# and Org Syntax, where repeater and delay are parts of a timestamp. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "orga@4.7.1" "uniorg-parse@3.2.2" >>npm.log 2>&1
cat >read.mjs <<'JS'
import { parse as orga } from "orga";
import { parse as uniorg } from "uniorg-parse/lib/parser.js";

const all = (node, wanted) => [...(wanted(node) ? [node] : []), ...(node.children ?? []).flatMap((child) => all(child, wanted))];
const two = (number) => String(number).padStart(2, "0");
const day = ({ year, month, day }) => `${year}-${two(month)}-${two(day)}`;
for (const line of [
  "SCHEDULED: <2026-12-05 Sat 18:00>",
  "SCHEDULED: <2026-12-05 Sat 18:00 +1w>",
  "SCHEDULED: <1990-03-05 Mon ++1y>",
  "DEADLINE: <2026-12-06 Sun>",
  "DEADLINE: <2026-12-06 Sun -2d>",
  "We meet <2026-12-05 Sat 18:00> at noon",
]) {
  const note = `* TODO Call Ada\n${line}\n`;
  const dates = all(orga(note), (node) => node.timestamp || node.type === "timestamp").map((node) => node.timestamp.date.toJSON());
  const others = all(uniorg(note), (node) => node.type === "planning" || node.type === "timestamp");
  console.log(line);
  console.log("  orga:", dates.join() || "no date");
  console.log("  uniorg-parse:", others.map((node) => day((node.scheduled ?? node.deadline ?? node).start)).join());
}
JS
TZ=UTC node read.mjs >seen
cat seen
cat >expected <<'TEXT'
SCHEDULED: <2026-12-05 Sat 18:00>
  orga: 2026-12-05T18:00:00.000Z
  uniorg-parse: 2026-12-05
SCHEDULED: <2026-12-05 Sat 18:00 +1w>
  orga: no date
  uniorg-parse: 2026-12-05
SCHEDULED: <1990-03-05 Mon ++1y>
  orga: no date
  uniorg-parse: 1990-03-05
DEADLINE: <2026-12-06 Sun>
  orga: 2026-12-06T00:00:00.000Z
  uniorg-parse: 2026-12-06
DEADLINE: <2026-12-06 Sun -2d>
  orga: no date
  uniorg-parse: 2026-12-06
We meet <2026-12-05 Sat 18:00> at noon
  orga: no date
  uniorg-parse: 2026-12-05
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
