#!/bin/sh
# supermemo 2.0.23 (npm, Node 20), which says when to ask for a thing again. An answer that was forgotten starts the repetitions
# anew, and by the algorithm changes nothing of how easy the thing is. Here it makes it harder as well: once forgotten (grade
# 2) a thing of 2.5 is one of 2.18, twice one of 1.86, and after three correct answers it comes again after 11 days instead of
# 15. Two blackouts (grade 0) take it to the lowest mark that there is, 1.3, from which a correct answer (grade 4) never
# brings it back.
# Source: its README, "implementation of the SuperMemo 2 (SM2) algorithm", and the page that it links, step 6: below 3 the
# repetitions start from the beginning "without changing the E-Factor". Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts supermemo@2.0.23 >>npm.log 2>&1
cat >try.cjs <<'JS'
const { supermemo } = require("supermemo");
for (const grades of [[4, 4, 4], [2, 4, 4, 4], [2, 2, 4, 4, 4], [0, 0, 4, 4, 4]]) {
  let item = { interval: 0, repetition: 0, efactor: 2.5 };
  const seen = grades.map((grade) => {
    item = supermemo(item, grade);
    return `${item.interval} d (${item.efactor.toFixed(2)})`;
  });
  console.log(`grades ${grades.join(" ")}:`, seen.join(", "));
}
JS
node try.cjs | tee seen
cat >expected <<'TEXT'
grades 4 4 4: 1 d (2.50), 6 d (2.50), 15 d (2.50)
grades 2 4 4 4: 1 d (2.18), 1 d (2.18), 6 d (2.18), 13 d (2.18)
grades 2 2 4 4 4: 1 d (2.18), 1 d (1.86), 1 d (1.86), 6 d (1.86), 11 d (1.86)
grades 0 0 4 4 4: 1 d (1.70), 1 d (1.30), 1 d (1.30), 6 d (1.30), 8 d (1.30)
TEXT
cmp seen expected
