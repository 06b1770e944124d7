#!/bin/sh
# telegram-markdown-v2 0.0.4 (npm, Node 20), which turns what a model answers into Telegram's MarkdownV2. Told nothing else, it
# leaves the bars of a table as they are, and a table's amounts ("3.50") with a bare ".", so that Telegram refuses the whole
# message. Told to remove what Telegram does not know, it removes the table with all that stands in it, and of "Come at 5<br>
# or at 6" there remains "5or". Told to escape, it still leaves footnotes ("[^1]"), and a rule between paragraphs becomes
# "***" whichever is asked for, which opens bold text and never closes it.
# Source: its README: "Formatted string ready for Telegram's parse_mode: 'MarkdownV2'"; Telegram's Bot API, "MarkdownV2 style",
# by which '[', ']', '|', '.', '>' and '*' must be escaped in all other places. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts telegram-markdown-v2@0.0.4 >>npm.log 2>&1
cat >try.mjs <<'JS'
import { convert } from "telegram-markdown-v2";
const answers = ["| who | owes |\n|---|---|\n| Ada | 3.50 |", "Come at 5<br>or at 6",
  "Not on Sundays[^1]\n\n[^1]: bring 3.50", "above\n\n---\n\nbelow"];
console.log(JSON.stringify(convert("**Ada** comes at 5.").trimEnd()));
for (const markdown of answers) {
  for (const strategy of ["keep", "escape", "remove"]) {
    console.log(strategy, JSON.stringify(markdown), "->", JSON.stringify(convert(markdown, strategy).trimEnd()));
  }
}
JS
node try.mjs | tee seen
cat >expected <<'TEXT'
"*Ada* comes at 5\\."
keep "| who | owes |\n|---|---|\n| Ada | 3.50 |" -> "| who | owes |\n| Ada | 3.50 |"
escape "| who | owes |\n|---|---|\n| Ada | 3.50 |" -> "\\| who \\| owes \\|\n\\| Ada \\| 3\\.50 \\|"
remove "| who | owes |\n|---|---|\n| Ada | 3.50 |" -> ""
keep "Come at 5<br>or at 6" -> "Come at 5<br>or at 6"
escape "Come at 5<br>or at 6" -> "Come at 5<br\\>or at 6"
remove "Come at 5<br>or at 6" -> "Come at 5or at 6"
keep "Not on Sundays[^1]\n\n[^1]: bring 3.50" -> "Not on Sundays[^1]\n\n[^1]: bring 3\\.50"
escape "Not on Sundays[^1]\n\n[^1]: bring 3.50" -> "Not on Sundays[^1]\n\n[^1]: bring 3\\.50"
remove "Not on Sundays[^1]\n\n[^1]: bring 3.50" -> "Not on Sundays[^1]\n\n[^1]: bring 3\\.50"
keep "above\n\n---\n\nbelow" -> "above\n\n***\n\nbelow"
escape "above\n\n---\n\nbelow" -> "above\n\n***\n\nbelow"
remove "above\n\n---\n\nbelow" -> "above\n\n***\n\nbelow"
TEXT
cmp seen expected
