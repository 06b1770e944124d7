#!/bin/sh
# discord-inviter 0.9.3 with discord.js 14.28.1 (npm, Node 20), which tells a bot who invited a new member, given payloads of
# Discord's gateway and Discord's answers to requests for the invites. Whoever comes by an invite for one use, which Discord
# deletes when it is used, was invited by the server's owner: where no invite is found the owner is named, with the code
# "Unknown", the owner's uses and no error, so that a welcome like the README's thanks somebody who did nothing. Of two who
# come at once both were invited by whose invite stands first in the list, as it has more uses than before. What members have
# invited is what their present invites say: when one ends, whoever came by it is gone from the count.
# Source: its README, "Returns full object with invite & inviter data", "invited by <@!${inviter.id}>", "has ${invite.count}
# invite(s)"; memberAdd ("if (!resData)", owner.user) and getMemberInvites in src/util.js. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "discord-inviter@0.9.3" "discord.js@14.28.1"
cat >join.cjs <<'JS'
const path = require("path");
const {Client, Events, IntentsBitField} = require("discord.js");
const {inviteTracker} = require("discord-inviter");
const handlers = require(path.join(path.dirname(require.resolve("discord.js")), "client/websocket/handlers"));

const {Guilds, GuildMembers, GuildInvites} = IntentsBitField.Flags;
const user = (id, username) => ({id, username, discriminator: "0", global_name: null, avatar: null});
const people = {owner: user("9", "owner"), mia: user("7", "mia"), ben: user("8", "ben"), eva: user("6", "eva"), kim: user("5", "kim"), lev: user("4", "lev")};
const member = (name) => ({user: people[name], roles: [], joined_at: "2026-11-30T00:00:00+00:00", deaf: false, mute: false, flags: 0});
const channel = {id: "3", type: 0, name: "hall", position: 0, permission_overwrites: []};
const lists = ["voice_states", "presences", "threads", "stage_instances", "guild_scheduled_events", "emojis", "stickers", "features"];
const guild = {
  ...Object.fromEntries(lists.map((name) => [name, []])),
  id: "1",
  name: "Club",
  owner_id: "9",
  member_count: 2,
  premium_tier: 0,
  roles: [{id: "1", name: "@everyone", permissions: "0", position: 0, colors: {primary_color: 0}, flags: 0}],
  channels: [channel],
  members: [member("owner"), member("mia")],
};
const invite = (code, by, uses, max) => ({
  code,
  type: 0,
  guild: {id: "1", name: "Club"},
  channel,
  inviter: people[by],
  uses,
  max_uses: max,
  max_age: 0,
  temporary: false,
  created_at: "2026-11-29T00:00:00+00:00",
});

const client = new Client({intents: [Guilds, GuildMembers, GuildInvites]});
client.user = {id: "99"};
let invites = [invite("forum", "mia", 4, 0), invite("onlyben", "mia", 0, 1), invite("kims", "kim", 2, 0), invite("owners", "owner", 12, 0)];
const asked = (id) => member(Object.keys(people).find((name) => people[name].id === id));
client.rest.get = async (route) => (route.endsWith("/invites") ? structuredClone(invites) : asked(route.split("/").at(-1)));
const feed = (name, data) => handlers[name](client, {t: name, d: data}, {id: 0, status: 0, checkReady() {}});
const pause = () => new Promise((done) => setTimeout(done, 50));

(async () => {
  const tracker = new inviteTracker(client);
  tracker.on("guildMemberAdd", (joined, inviter, used, error) => {
    console.log(`Welcome ${joined.user.username}, invited by ${inviter?.username}, code ${used?.code}, ${used?.count} uses; ${error}`);
  });
  feed("GUILD_CREATE", guild);
  client.emit("ready", client);
  await pause();

  console.log("by mia's invite:");
  invites[0].uses = 5;
  feed("GUILD_MEMBER_ADD", {guild_id: "1", ...member("eva")});
  await pause();

  console.log("by mia's invite for one:");
  invites = invites.filter(({code}) => code !== "onlyben");
  feed("INVITE_DELETE", {guild_id: "1", channel_id: "3", code: "onlyben"});
  feed("GUILD_MEMBER_ADD", {guild_id: "1", ...member("ben")});
  await pause();

  console.log("at once, lev by kim's invite and eva, who had left, by mia's:");
  invites.find(({code}) => code === "kims").uses = 3;
  invites.find(({code}) => code === "forum").uses = 6;
  feed("GUILD_MEMBER_ADD", {guild_id: "1", ...member("lev")});
  feed("GUILD_MEMBER_ADD", {guild_id: "1", ...member("eva")});
  await pause();

  console.log("when mia's invite has ended, she has invited:");
  invites = invites.filter(({code}) => code !== "forum");
  console.log((await inviteTracker.getMemberInvites(client.guilds.cache.get("1").members.cache.get("7"))).count);
  process.exit();
})();
JS
node join.cjs >seen 2>log || cat log
cat seen
cat >expected <<'TEXT'
by mia's invite:
Welcome eva, invited by mia, code forum, 5 uses; false
by mia's invite for one:
Welcome ben, invited by owner, code Unknown, 12 uses; false
at once, lev by kim's invite and eva, who had left, by mia's:
Welcome lev, invited by mia, code forum, 6 uses; false
Welcome eva, invited by mia, code forum, 6 uses; false
when mia's invite has ended, she has invited:
0
TEXT
cmp expected seen
