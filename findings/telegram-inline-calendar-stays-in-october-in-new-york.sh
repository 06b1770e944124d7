#!/bin/sh
# telegram-inline-calendar 2.0.6 (npm, Node 20), a calendar of buttons for bots on Telegram. Where the bot runs west of Greenwich,
# the button for the next month shows the same month again, however often it is pressed: October, asked for in New York, is never
# left. Backwards from August June and April are left out, and each year further begins a month earlier. In UTC and Berlin all of
# it is right. Two calendars of a bot share their words: the second one's greeting ("When is the walk?") is asked by the first as
# well.
# Source: the README's demo and its options, "custom_start_msg" among them, none of which depends on a zone; src/Calendar.js: the
# buttons carry "2026-10", new Date() reads that as midnight in Greenwich, and the month is taken in the bot's zone; the texts are
# one object of the module, which the constructor writes to. Telegram is an object in memory. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "telegram-inline-calendar@2.0.6" >>npm.log 2>&1
cat >press.mjs <<'JS'
import { Calendar } from "telegram-inline-calendar";

let shown;
const texts = [];
const bot = {
  sendMessage: async (id, text, menu) => {
    texts.push(text);
    shown = menu.reply_markup;
    return { chat: { id }, message_id: 1 };
  },
  editMessageReplyMarkup: (markup) => (shown = markup.reply_markup ?? markup),
  deleteMessage() {},
};
const tea = new Calendar(bot, { custom_start_msg: "When is the tea?" });
const walk = new Calendar(bot, { custom_start_msg: "When is the walk?" });
const title = () => shown.inline_keyboard[0].map((button) => button.text)[1];
function press(calendar, sign) {
  const button = shown.inline_keyboard.flat().find(({ callback_data }) => callback_data.endsWith(`_${sign}`));
  calendar.clickButtonCalendar({ data: button.callback_data, message: { chat: { id: 1 }, message_id: 1 } });
  return title();
}
function walkFrom(month, sign) {
  tea.sendMessageCalendar(tea.replyMarkupObject(tea.createNavigationKeyboard(new Date(2026, month, 1))), { chat: { id: 1 } });
  return [title(), ...[1, 2, 3].map(() => press(tea, sign))].join(", ");
}
console.log(`${process.env.TZ}: next ${walkFrom(9, "+")}; before ${walkFrom(7, "-")}; next year ${walkFrom(9, "++")}`);
if (process.env.TZ === "UTC") {
  walk.startNavCalendar({ chat: { id: 1 } });
  console.log("asked by the tea's and the walk's:", texts[0], texts.at(-1));
}
JS
for zone in UTC Europe/Berlin America/New_York; do TZ=$zone node press.mjs; done | tee seen
cat >expected <<'TEXT'
UTC: next Oct 2026, Nov 2026, Dec 2026, Jan 2027; before Aug 2026, Jul 2026, Jun 2026, May 2026; next year Oct 2026, Oct 2027, Oct 2028, Oct 2029
asked by the tea's and the walk's: When is the walk? When is the walk?
Europe/Berlin: next Oct 2026, Nov 2026, Dec 2026, Jan 2027; before Aug 2026, Jul 2026, Jun 2026, May 2026; next year Oct 2026, Oct 2027, Oct 2028, Oct 2029
America/New_York: next Oct 2026, Oct 2026, Oct 2026, Oct 2026; before Aug 2026, Jul 2026, May 2026, Mar 2026; next year Oct 2026, Sep 2027, Aug 2028, Jul 2029
TEXT
cmp seen expected
