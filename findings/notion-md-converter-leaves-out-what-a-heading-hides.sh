#!/bin/sh
# @notion-md-converter/core 0.6.3 with marked 18.2.1 to read what it writes (npm, Node 20), which makes Markdown of Notion's
# pages. What stands under a heading that folds is gone, while a toggle keeps it: of "Allergies" and "Ada: nuts" the heading
# remains. Links are their words without the address. A bold " not " with the blanks that Notion has in its marks is "do** not
# **come", stars for every reader, 2*3*4 is 234, and a bar in a table begins a cell, so that "no" of the last cell is lost. Two
# paragraphs are one.
# Source: its README, "converting Notion pages to Markdown"; Notion's API, "Heading": with is_toggleable "the block has
# children", and "Rich text": href is the link's address, annotations are per text; CommonMark 0.31.2, sections 6.2 (a mark
# beside a blank opens nothing) and 4.8. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "@notion-md-converter/core@0.6.3" "marked@18.2.1" >>npm.log 2>&1
cat >try.mjs <<'JS'
import { NotionMarkdownConverter } from "@notion-md-converter/core";
import { marked } from "marked";

function text(content, marks = {}, href = null) {
  const annotations = { bold: false, italic: false, strikethrough: false, underline: false, code: false, color: "default", ...marks };
  return { type: "text", text: { content, link: href && { url: href } }, annotations, plain_text: content, href };
}

function block(type, fields, children = []) {
  return { object: "block", id: "1", type, has_children: children.length > 0, children, [type]: { color: "default", ...fields } };
}

const nuts = block("paragraph", { rich_text: [text("Ada: nuts")] });
const row = (...cells) => block("table_row", { cells: cells.map((cell) => [text(cell)]) });
const pages = {
  "a toggle": [block("toggle", { rich_text: [text("Allergies")] }, [nuts])],
  "a heading that folds": [block("heading_2", { rich_text: [text("Allergies")], is_toggleable: true }, [nuts])],
  "a link": [block("paragraph", { rich_text: [text("See "), text("the bill", {}, "https://example.org/7")] })],
  "a bold word": [block("paragraph", { rich_text: [text("do"), text(" not ", { bold: true }), text("come")] })],
  "a sum": [block("paragraph", { rich_text: [text("2*3*4 is 24")] })],
  "two paragraphs": [block("paragraph", { rich_text: [text("No.")] }), block("paragraph", { rich_text: [text("Nuts for Ada!")] })],
  "a table": [block("table", { table_width: 2, has_column_header: true, has_row_header: false },
    [row("Who", "Nuts"), row("Ada|Eva", "no")])],
};
for (const [name, blocks] of Object.entries(pages)) {
  const written = new NotionMarkdownConverter().execute(blocks);
  console.log(`${name}: ${JSON.stringify(written.trim())}`);
  console.log(`  ${marked.parse(written).replaceAll("\n", " ").trim()}`);
}
JS
node try.mjs >seen
cat seen
cat >expected <<'TEXT'
a toggle: "<details>\n<summary>\nAllergies\n</summary>\n\nAda: nuts\n</details>"
  <details> <summary> Allergies </summary><p>Ada: nuts</p> </details>
a heading that folds: "## Allergies"
  <h2>Allergies</h2>
a link: "See the bill"
  <p>See the bill</p>
a bold word: "do** not **come"
  <p>do** not **come</p>
a sum: "2*3*4 is 24"
  <p>2<em>3</em>4 is 24</p>
two paragraphs: "No.\nNuts for Ada!"
  <p>No. Nuts for Ada!</p>
a table: "| Who     | Nuts |\n| ------- | ---- |\n| Ada|Eva | no   |"
  <table> <thead> <tr> <th>Who</th> <th>Nuts</th> </tr> </thead> <tbody><tr> <td>Ada</td> <td>Eva</td> </tr> </tbody></table>
TEXT
cmp seen expected
