#!/bin/sh
# whatsapp-chat-parser 4.0.2 (npm, Node 20), which reads chats that WhatsApp exports. It infers from the numbers whether the day
# or the month comes first, also where the writing says it: dates that begin with their year, as telephones in Swedish, Japanese
# and Chinese write them, have the month next, and those with dots the day first. In a Swedish chat from January to April the 4th
# of March (2026-03-04) is the 3rd of April; in a German one the 2nd of March (02.03.26) is the 3rd of February. One message more,
# on a 13th, turns all of them round. In Chinese the sign for the afternoon is not seen, so that 下午10:05, five past ten in the
# evening, is in the morning. An Arabic export, with Arabic digits, has no messages and no error.
# Source: the README: the order of day and month is inferred by three methods, "if all fails it defaults to days first"; ISO 8601
# and Unicode's CLDR (dates in sv, ja and zh: year, month, day; in de: day, month, year, with dots; zh: 下午 for pm). Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "whatsapp-chat-parser@4.0.2" >>npm.log 2>&1
cat >read.mjs <<'JS'
import { parseString } from "whatsapp-chat-parser";

const chats = {
  Swedish: ["2026-01-02 22:05 - Ada: a", "2026-02-03 22:05 - Ben: b", "2026-03-04 22:05 - Ada: c", "2026-04-05 22:05 - Ben: d"],
  Japanese: ["2026/01/02, 22:05 - Ada: a", "2026/03/02, 22:05 - Ben: b"],
  Chinese: ["2026/1/2 上午9:05 - Ada: a", "2026/3/2 下午10:05 - Ben: b"],
  Arabic: ["٢‏/٣‏/٢٠٢٦، ١٠:٠٥ م - Ada: a"],
  German: ["02.01.26, 22:05 - Ada: a", "02.03.26, 22:05 - Ben: b"],
};
chats["Swedish and a 13th"] = [...chats.Swedish, "2026-04-13 22:05 - Ada: e"];
for (const [language, lines] of Object.entries(chats)) {
  const dates = parseString(lines.join("\n")).map(({ date }) => date.toISOString().slice(0, 16));
  console.log(`${language}: ${dates.join(", ") || "no messages"}`);
}
JS
TZ=UTC node read.mjs | tee seen
cat >expected <<'TEXT'
Swedish: 2026-02-01T22:05, 2026-03-02T22:05, 2026-04-03T22:05, 2026-05-04T22:05
Japanese: 2026-02-01T22:05, 2026-02-03T22:05
Chinese: 2026-02-01T09:05, 2026-02-03T10:05
Arabic: no messages
German: 2026-02-01T22:05, 2026-02-03T22:05
Swedish and a 13th: 2026-01-02T22:05, 2026-02-03T22:05, 2026-03-04T22:05, 2026-04-05T22:05, 2026-04-13T22:05
TEXT
cmp seen expected
