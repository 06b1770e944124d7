#!/bin/sh
# @magicyan/discord 1.7.4 with discord.js 14.28.1 (npm, Node 20), helpers that look up channels and messages. Its README's own
# example, the ticket of a member in the category "Tickets", finds nothing: the category's name is compared with the channel's. It
# finds a channel only in a category of the same name, whatever category was asked for. Neither does the number of a channel find
# it in the category of a given number, and a filter without a type of channel never finds one, where text channels are promised.
# Messages are sought the wrong way round: with ignoreCase, "HELLO" does not find "hello", and without it, it does. The last day
# of a year and the first of the next are a year apart.
# Source: the README: findChannel(guild).inCategoryName("Tickets").byName(...) gives "TextChannel | undefined", and by default "it
# tries to find channels of the GuildText type"; dist/functions/channels.mjs (name2 and id2 stand where name and id belong) and
# message.mjs; createDate in @magicyan/core 1.2.1. No network is used but npm's. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "@magicyan/discord@1.7.4" "@magicyan/core@1.2.1" \
  "discord.js@14.28.1" >>npm.log 2>&1
cat >find.mjs <<'JS'
import { createDate, findChannel, findMessage } from "@magicyan/discord";
import { ChannelType, Collection } from "discord.js";

const category = (id, name) => ({ id, name, type: ChannelType.GuildCategory });
const text = (id, name, parent) => ({ id, name, parent, parentId: parent.id, type: ChannelType.GuildText });
const tickets = category("1", "Tickets");
const staff = category("2", "staff");
const channels = [tickets, staff, text("3", "ticket-7", tickets), text("4", "staff", staff)];
const guild = { channels: { cache: new Collection(channels.map((channel) => [channel.id, channel])) } };
const name = (channel) => channel?.name;

const find = findChannel(guild);
console.log("byName ticket-7:", name(find.byName("ticket-7")));
console.log("in category Tickets, byName ticket-7:", name(find.inCategoryName("Tickets").byName("ticket-7")));
console.log("in category Tickets, byName staff:", name(find.inCategoryName("Tickets").byName("staff")));
console.log("in category Tickets, byId 3:", name(find.inCategoryName("Tickets").byId("3")));
console.log("in category 1, byName ticket-7:", name(find.inCategoryId("1").byName("ticket-7")));
console.log("in category 1, byId 3:", name(find.inCategoryId("1").byId("3")));
console.log("byFilter, any name:", name(find.byFilter(() => true)));
console.log("byFilter, any name, GuildText:", name(findChannel(guild, ChannelType.GuildText).byFilter(() => true)));

const channel = { messages: { cache: new Collection([["9", { id: "9", content: "hello" }]]) } };
const content = findMessage(channel).byContent();
console.log("HELLO:", content.equals("HELLO")?.id, "ignoring case:", content.equals("HELLO", true)?.id);
console.log("part HELL:", content.include("HELL")?.id, "ignoring case:", content.include("HELL", true)?.id);

const day = createDate("2026-12-31T23:00:00");
const next = new Date("2027-01-01T01:00:00");
console.log("apart:", ["years", "months", "days", "hours"].map((unit) => `${day.diff(next, unit)} ${unit}`).join(", "));
JS
TZ=UTC node find.mjs | tee seen
cat >expected <<'TEXT'
byName ticket-7: ticket-7
in category Tickets, byName ticket-7: undefined
in category Tickets, byName staff: staff
in category Tickets, byId 3: ticket-7
in category 1, byName ticket-7: ticket-7
in category 1, byId 3: undefined
byFilter, any name: undefined
byFilter, any name, GuildText: ticket-7
HELLO: 9 ignoring case: undefined
part HELL: 9 ignoring case: undefined
apart: 1 years, 1 months, 0 days, 2 hours
TEXT
cmp seen expected
