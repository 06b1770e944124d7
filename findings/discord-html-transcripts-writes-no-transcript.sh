#!/bin/sh
# discord-html-transcripts 3.3.0 with discord.js 14.28.1 (npm, Node 20), installed as its README says. It cannot be
# loaded, "Cannot find module 'debug'": that package is listed for its developers only. With debug installed no
# transcript is written, of any message: it brings react 19.1.1, npm installs react 18 for its components, and the one
# refuses what the other made ("Objects are not valid as a React child").
# Source: ItzDerock/discord-html-transcripts issue 200 (open) for debug; "react": "19.1.1" in its package.json and the
# peer "16.8.x || 17.x || 18.x" in that of @derockdev/discord-components-react 3.6.1. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "discord-html-transcripts@3.3.0" "discord.js@14.28.1"
cat >transcript.cjs <<'JS'
const {Client, Partials} = require("discord.js");

async function outcome() {
  let transcripts;
  try {
    transcripts = require("discord-html-transcripts");
  } catch (error) {
    return error.message.split("\n")[0];
  }
  const client = new Client({intents: [], partials: [Partials.Channel]});
  client.user = {id: "99"};
  const {message} = client.actions.MessageCreate.handle({
    id: "1", channel_id: "20", channel_type: 1, type: 0, content: "Hello", timestamp: "2026-11-29T10:00:00+00:00",
    author: {id: "10", username: "anna", discriminator: "0", avatar: null},
    edited_timestamp: null, tts: false, pinned: false, mention_everyone: false, mentions: [], mention_roles: [],
    attachments: [], embeds: [], components: [], flags: 0,
  });
  console.error = () => {};
  try {
    const html = await transcripts.generateFromMessages([message], message.channel, {returnType: "string"});
    return html.includes("Hello") ? "written" : "written without the message";
  } catch (error) {
    return error.message.split(" (")[0];
  }
}

outcome().then((words) => {
  console.log(words);
  process.exit(0);
});
JS
first=$(node transcript.cjs)
npm install --silent --no-fund --no-audit "debug@4.4.3"
second=$(node transcript.cjs)
printf 'as installed: %s\nwith debug:   %s\n' "$first" "$second"
case "$first/$second" in
"Cannot find module 'debug'/Objects are not valid as a React child") ;;
*) echo "the behaviour has changed" >&2 && exit 1 ;;
esac
