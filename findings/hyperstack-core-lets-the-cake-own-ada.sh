#!/bin/sh
# hyperstack-core 1.5.3 (npm, Node 20), a memory for agents with cards and typed relations; its parser of notes works without
# its server. A relation is kept where the sentence denies it: what "is not blocked by Cy", "no longer depends on Ben" and is
# "not assigned to Ben" is blocked, depends and is assigned; two blocks away "blocks" a card "away", and what depends on the
# weather depends on "the". "Owned by Ada" is an edge of the cake: it owns Ada. Of notes without a heading each paragraph of up
# to 20 letters is gone, such as "No nuts for Ada." and "Ada is vegan now."; with headings, a line of up to 30 before the first
# heading, whoever is written in Chinese only, and what comes after 1,000 letters. Nothing tells: only the cards are counted.
# Source: its README ("Typed relations, not text blobs"; "HyperStack finds exactly what blocks task #42"; "the only memory layer
# where agents can prove what they knew"; "Ingest a README into cards + edges"); src/parser.js, "Preserves document structure as
# typed graph edges". Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "hyperstack-core@1.5.3" >>npm.log 2>&1
cat >try.mjs <<'JS'
import { parse } from "hyperstack-core/parser";

const notes = [
  "## Cake\nIt is owned by Ada and no longer depends on Ben. It is not blocked by Cy.\n",
  "## Party\nIt depends on the weather. It is not assigned to Ben. The hall is two blocks away.\n",
  "Ada is vegan now.\n\nNo nuts for Ada.\n\nBen brings the cake on Friday.\n",
  "Vegan, no nuts.\n\n## Ada\nLives in Oslo.\n\n## 王芳\nLives in Bergen.\n",
  `## Ada\n${"She lives in Oslo. ".repeat(60)}She is allergic to nuts.\n`,
];
for (const text of notes) {
  console.log(JSON.stringify(text.length > 100 ? `${text.slice(0, 50)} ... ${text.slice(-26)}` : text));
  for (const { title, body, links } of parse(text).cards) {
    const relations = links.map(({ relation, target }) => `${relation} ${target}`);
    console.log(`  card ${JSON.stringify(title)}: ${JSON.stringify(body.slice(-24))}`, ...relations.map((edge) => `[${edge}]`));
  }
}
JS
node try.mjs >seen
cat seen
cat >expected <<'TEXT'
"## Cake\nIt is owned by Ada and no longer depends on Ben. It is not blocked by Cy.\n"
  card "Cake": "It is not blocked by Cy." [depends_on ben] [blocked_by cy] [owns ada]
"## Party\nIt depends on the weather. It is not assigned to Ben. The hall is two blocks away.\n"
  card "Party": "hall is two blocks away." [depends_on the] [blocks away] [assigned_to ben]
"Ada is vegan now.\n\nNo nuts for Ada.\n\nBen brings the cake on Friday.\n"
  card "Ben brings the cake on Friday": "ings the cake on Friday."
"Vegan, no nuts.\n\n## Ada\nLives in Oslo.\n\n## 王芳\nLives in Bergen.\n"
  card "Ada": "Lives in Oslo."
"## Ada\nShe lives in Oslo. She lives in Oslo. She l ...  She is allergic to nuts.\n"
  card "Ada": "es in Oslo. She lives in"
TEXT
cmp seen expected
