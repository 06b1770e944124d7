#!/bin/sh
# strife.js 4.2.0 with discord.js 14.28.1 (npm, Node 20), a framework for Discord bots. A list in two columns has a page for each
# twenty names. If one name is left for the last page, its second column is an embed's field without a value, which Discord
# refuses, so that whoever presses "Next" gets an error and never sees the name; 22 names are shown, 21 and 41 are not. In three
# columns four leave the third empty. Its stripMarkdown also takes signs that are none of Markdown's: "anna_b_c" becomes "annabc",
# a path loses its backslashes, "2 * 3 * 4" its stars, while bars of spoilers, headings and links stay.
# Source: paginate's option "columns" and the comment "Strip all Markdown from a string." in strife.js' types; Discord's
# documentation, "Embed Field Structure", where value is required, and its error 50035 (BASE_TYPE_REQUIRED) for an empty one;
# names may have underscores ("Usernames and Nicknames"). Discord is not asked. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "strife.js@4.2.0" "discord.js@14.28.1" >>npm.log 2>&1
cat >pages.mjs <<'JS'
import { columnize, paginate, stripMarkdown } from "strife.js";

async function lastPage(count, columns) {
  const names = Array.from({ length: count }, (_, index) => `member${index + 1}`);
  const user = { id: "1", username: "anna", displayAvatarURL: () => "https://x.example/a.png" };
  const pressed = {};
  const collector = { on: (name, listener) => ((pressed[name] = listener), collector) };
  const message = { id: "2", components: [], createMessageComponentCollector: () => collector };
  let shown;
  const show = async (reply) => ((shown = reply), message);
  await paginate(names, (name) => name, show, { title: "Members", singular: "member", user, columns, color: 0 });
  while (!shown.components[0].components.at(-1).disabled) {
    await pressed.collect({ customId: "next", deferUpdate() {} });
  }
  return JSON.stringify(shown.embeds[0].fields.map((field) => field.value));
}
for (const [count, columns] of [[22, 2], [21, 2], [41, 2]]) {
  console.log(`${count} members in ${columns} columns, last page:`, await lastPage(count, columns));
}
console.log("four in three columns:", JSON.stringify(columnize(["a", "b", "c", "d"], "Names", 3).map((field) => field.value)));
for (const text of ["ask anna_b_c", "2 * 3 * 4", String.raw`C:\temp\new`, "# Rules ||no nuts||"]) {
  console.log(JSON.stringify(text), "->", JSON.stringify(stripMarkdown(text)));
}
process.exit(0);
JS
node pages.mjs | tee seen
cat >expected <<'TEXT'
22 members in 2 columns, last page: ["21. member21","22. member22"]
21 members in 2 columns, last page: ["21. member21",""]
41 members in 2 columns, last page: ["41. member41",""]
four in three columns: ["a\nb","c\nd",""]
"ask anna_b_c" -> "ask annabc"
"2 * 3 * 4" -> "2  3  4"
"C:\\temp\\new" -> "C:tempnew"
"# Rules ||no nuts||" -> "# Rules ||no nuts||"
TEXT
cmp seen expected
