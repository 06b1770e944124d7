#!/bin/sh
# @lenml/char-card-reader 1.1.1 and character-card-utils 2.0.3 (npm, Node 20), tools for Tavern character cards. The second
# writes what the V2 specification recommends: the six fields of V1 stand at the top once more and tell programs that know
# no V2 to update themselves. Its reader shows the right character, but what the first converts (toSpecV1, toSpecV2, toSpecV3) is
# made of both: name and description are the character's, the first message and the examples are the notice, and
# the character greets people with it. In cards of SillyTavern, which repeats the fields, whatever was edited under "data"
# alone comes back in its old wording. A V1 card becomes a V2 card without six fields that must be there, which
# character-card-utils refuses, and a V3 card whose creation_date is the word "unknown".
# Source: Character Card Specification V2 (malfoyslastname/character-card-spec-v2): the fields at the top must be ignored
# where "data" has them; V3: creation_date is a number. toSpecV1 and its siblings in src/CharacterCard.ts of the package:
# the class has no first_mes and mes_example of its own, so the top is asked before "data". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "@lenml/char-card-reader@1.1.1" "character-card-utils@2.0.3"
cat >card.mjs <<'JS'
import {CharacterCard} from "@lenml/char-card-reader";
import {backfillV2WithObsolescenceNotice, safeParseToV2} from "character-card-utils";

const v1 = {
  name: "Mira", description: "A baker.", personality: "calm", scenario: "", first_mes: "Fresh bread!", mes_example: "Hm.",
};
const v2 = safeParseToV2(v1).data;
const card = CharacterCard.from_json(backfillV2WithObsolescenceNotice(v2));
const old = CharacterCard.from_json(v1);
const outcome = {
  read: card.first_message,
  v1: card.toSpecV1(),
  v2: card.toSpecV2().data.first_mes,
  v3: card.toSpecV3().data.first_mes,
};
console.log(outcome);
const missing = safeParseToV2(old.toSpecV2()).error.issues.filter((issue) => issue.received === "undefined");
const names = missing.map((issue) => issue.path.join("."));
console.log("missing in a V2 card made of V1:", names.join(" "));
console.log("creation_date in a V3 card made of V1:", old.toSpecV3().data.creation_date);
const notice = outcome.v1.first_mes;
if (
  outcome.read !== "Fresh bread!" || notice === "Fresh bread!" || !/v2|obsolete|update/i.test(notice) ||
  outcome.v1.name !== "Mira" || outcome.v1.description !== "A baker." || outcome.v2 !== notice || outcome.v3 !== notice ||
  outcome.v1.mes_example === "Hm." || names.length !== 6 || old.toSpecV3().data.creation_date !== "unknown"
) {
  console.error("the behaviour has changed");
  process.exit(1);
}
JS
node card.mjs
