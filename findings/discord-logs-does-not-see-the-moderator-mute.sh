#!/bin/sh
# discord-logs 2.2.1 with discord.js 14.28.1 (npm, Node 20), events for logs of what members and moderators do, given payloads
# of Discord's gateway. It asks whether somebody is muted, not by whom: what a moderator does to a member who has muted
# herself is "unhandled", the mute as well as its end, and if the two end in another order than they began, a log has her own
# mute that a moderator ended. A deafened member is "server-v". "The member who acquired the role" is the member as of before,
# who has not got it, and the one who lost a role still has it. Whoever was offline when the bot started comes online without
# guildMemberOnline, once each. A new vanity address is added, and updated from null. Of two clients in a process the second
# gets no event, without an error.
# Source: the descriptions in lib/handlers of the package: "Emitted when a member becomes muted (self-muted or server-muted)",
# "member The member who acquired the role"; eventRegistered in lib/index.js. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "discord-logs@2.2.1" "discord.js@14.28.1"
cat >events.cjs <<'JS'
const path = require("path");
const {Client, IntentsBitField} = require("discord.js");
const logs = require("discord-logs");
const handlers = require(path.join(path.dirname(require.resolve("discord.js")), "client/websocket/handlers"));

const {Guilds, GuildMembers, GuildVoiceStates, GuildPresences} = IntentsBitField.Flags;
const user = {id: "7", username: "mia", discriminator: "0", global_name: null, avatar: null};
const member = (roles) => ({user, roles, joined_at: "2026-01-01T00:00:00+00:00", deaf: false, mute: false, flags: 0, pending: false});
const looks = {position: 0, color: 0, colors: {primary_color: 0}, hoist: false, managed: false, mentionable: false, flags: 0};
const lists = ["voice_states", "presences", "threads", "stage_instances", "guild_scheduled_events", "emojis", "stickers", "features"];
const guild = (code) => ({
  ...Object.fromEntries(lists.map((name) => [name, []])),
  id: "1",
  name: "Club",
  owner_id: "9",
  member_count: 1,
  premium_tier: 0,
  vanity_url_code: code,
  roles: [{...looks, id: "1", name: "@everyone", permissions: "0"}, {...looks, id: "2", name: "Staff", permissions: "0"}],
  channels: [{id: "5", type: 2, name: "Hall", position: 0, permission_overwrites: []}],
  members: [member([])],
});
const NAMES = `guildMemberRoleAdd guildMemberRoleRemove voiceChannelMute voiceChannelUnmute voiceChannelDeaf voiceChannelUndeaf
  unhandledVoiceStateUpdate guildMemberOnline guildMemberOffline guildVanityURLAdd guildVanityURLUpdate`.split(/\s+/);

async function watched() {
  const client = new Client({intents: [Guilds, GuildMembers, GuildVoiceStates, GuildPresences]});
  client.user = {id: "99"};
  await logs(client);
  const seen = [];
  for (const name of NAMES) {
    client.on(name, (subject, ...more) => {
      const role = name.includes("Role") ? `, who has it: ${subject.roles.cache.has(more[0].id)}` : "";
      seen.push(name.startsWith("unhandled") ? "unhandled" : `${name}(${more.map((each) => each?.name ?? each)})${role}`);
    });
  }
  return async (what, name, data) => {
    handlers[name](client, {t: name, d: data}, {id: 0, status: 0, checkReady() {}});
    await new Promise(setImmediate);
    if (what) console.log(`${what}: ${seen.splice(0).join(", ") || "nothing"}`);
  };
}

(async () => {
  const first = await watched();
  await first("", "GUILD_CREATE", guild(null));
  const state = {guild_id: "1", channel_id: "5", user_id: "7", session_id: "s", member: member([]), self_video: false, suppress: false};
  const none = {deaf: false, mute: false, self_deaf: false, self_mute: false};
  const voice = (what, now) => first(what, "VOICE_STATE_UPDATE", {...state, ...none, ...now});
  await voice("", {});
  await voice("she mutes herself", {self_mute: true});
  await voice("a moderator mutes her", {self_mute: true, mute: true});
  await voice("the moderator ends it", {self_mute: true});
  await voice("a moderator mutes her again", {self_mute: true, mute: true});
  await voice("she ends her own", {mute: true});
  await voice("the moderator ends it", {});
  await voice("a moderator deafens her", {deaf: true});
  for (const roles of [["2"], []]) {
    await first(`her roles are ${JSON.stringify(roles)}`, "GUILD_MEMBER_UPDATE", {guild_id: "1", ...member(roles)});
  }
  for (const status of ["online", "offline", "online"]) {
    const presence = {guild_id: "1", user: {id: "7"}, status, activities: [], client_status: {}};
    await first(`she is ${status}`, "PRESENCE_UPDATE", presence);
  }
  await first("the server gets an address", "GUILD_UPDATE", guild("club"));
  const second = await watched();
  await second("", "GUILD_CREATE", guild(null));
  await second("a second client, her role is Staff", "GUILD_MEMBER_UPDATE", {guild_id: "1", ...member(["2"])});
  process.exit();
})();
JS
node events.cjs >seen
cat seen
cat >expected <<'TEXT'
she mutes herself: voiceChannelMute(self-muted)
a moderator mutes her: unhandled
the moderator ends it: unhandled
a moderator mutes her again: unhandled
she ends her own: unhandled
the moderator ends it: voiceChannelUnmute(server-muted)
a moderator deafens her: voiceChannelDeaf(server-v)
her roles are ["2"]: guildMemberRoleAdd(Staff), who has it: false
her roles are []: guildMemberRoleRemove(Staff), who has it: true
she is online: nothing
she is offline: guildMemberOffline(online)
she is online: guildMemberOnline(online)
the server gets an address: guildVanityURLAdd(club), guildVanityURLUpdate(,club)
a second client, her role is Staff: nothing
TEXT
cmp expected seen
