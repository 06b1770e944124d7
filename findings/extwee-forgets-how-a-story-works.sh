#!/bin/sh
# extwee 2.3.18 (npm, Node 20), which turns interactive stories of Twine from one format into another. A story written as JSON has
# its script and style sheet in the file ("script", "style"); read back from the same file it has neither, and written on as Twee
# or HTML it is a story without them, with no word about it. By way of HTML both stay. Two script passages, which Twee allows, are
# put together without a line between them: where the first ends in a comment, the second is part of the comment and never runs,
# and where it ends without a semicolon, the two are no program ("setup.gold = 5setup.name").
# Source: the README's table, in which Twine 2 JSON can be both read and written; twine-2-jsonoutput-doc and twee-3-specification
# of iftechfoundation/twine-specs: "style" and "script" belong to the story, and there may be several passages tagged "script";
# parseJSON in src/JSON/parse.js does not read the two. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "extwee@2.3.18" >>npm.log 2>&1
cat >story.mjs <<'JS'
import { parseJSON, parseTwee, parseTwine2HTML } from "extwee";

const twee = (first) => `:: StoryTitle
Tea

:: StoryData
{"ifid": "2B68ECD6-348F-4CF5-96F8-549A512A8128", "format": "SugarCube", "format-version": "2.37.3", "start": "Start"}

:: Start
Anna pours the tea.

:: Money [script]
${first}

:: Names [script]
setup.name = "Anna";

:: Look [stylesheet]
p { color: red }
`;
const story = parseTwee(twee("setup.gold = 5;"));
const tags = (made) => (made.toTwee().match(/\[(script|stylesheet)\]/g) ?? []).join(" ");
console.log("as it was read:", tags(story));
console.log("by way of HTML:", tags(parseTwine2HTML(story.toTwine2HTML())));
const file = story.toJSON();
console.log("in the JSON:", JSON.parse(file).script, JSON.parse(file).style);
console.log("by way of JSON:", tags(parseJSON(file)) || "none");
for (const first of ["setup.gold = 5; // all they have", "setup.gold = 5"]) {
  console.log("scripts together:", JSON.parse(parseTwee(twee(first)).toJSON()).script);
}
JS
node story.mjs | tee seen
cat >expected <<'TEXT'
as it was read: [stylesheet] [script]
by way of HTML: [stylesheet] [script]
in the JSON: setup.gold = 5;setup.name = "Anna"; p { color: red }
by way of JSON: none
scripts together: setup.gold = 5; // all they havesetup.name = "Anna";
scripts together: setup.gold = 5setup.name = "Anna";
TEXT
cmp seen expected
