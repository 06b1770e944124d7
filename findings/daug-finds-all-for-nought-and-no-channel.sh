#!/bin/sh
# Daug 2023.12.9.1 with discord.py 2.7.1 (PyPI, CPython 3.11), additions for Discord bots. Channels in a text are looked for as
# "<@#123>", which Discord does not write: "<#123>" names none, though a member and a role in the same text are found. Names
# are compared as "ada#0", with the discriminator that has gone since 2023: "ada", the whole name of a member, is only a part
# of it, so that find_member returns a set of ada and canada where it says it returns the member. "0" is a part of everybody's
# name, and get_member returns the first of all for it.
# Source: the docstring of find_member, that the member is returned where the id or the account's name matches in full, and a
# set where it matches in part; Discord's documentation, "Message Formatting": a channel is "<#ID>"; discord.py's, where a
# discriminator is "a legacy concept", "0" for those with a unique name. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "Daug==2023.12.9.1" "discord.py==2.7.1"
cd "$folder"
venv/bin/python - >seen <<'PY'
from dataclasses import dataclass

from daug.utils import extract_channel_mentions, extract_mentions, extract_role_mentions, find_member, get_member


@dataclass(frozen=True)
class Named:
    """A member, as Discord has sent them since 2023, a channel or a role."""

    id: int
    name: str
    display_name: str = ""
    discriminator: str = "0"
    bot: bool = False


class Guild:
    """A server with three members, a channel and a role."""

    members = [Named(10**17 + 1, "zoe", "Zoe"), Named(10**17 + 2, "canada", "Cy"), Named(10**17 + 3, "ada", "A")]

    def get_member(self, number):
        return next((member for member in self.members if member.id == number), None)

    def get_channel(self, number):
        return Named(number, "general")

    def get_role(self, number):
        return Named(number, "board")


guild = Guild()
text = "<@100000000000000003> and <@&100000000000000008>, see <#100000000000000009>"
for extract in (extract_mentions, extract_role_mentions, extract_channel_mentions):
    print(extract.__name__, [found.name for found in extract(guild, text)])
print("ada:", sorted(member.name for member in find_member(guild, "ada")))
print("0:", get_member(guild, "0").name)
PY
cat seen
cat >expected <<'TEXT'
extract_mentions ['ada']
extract_role_mentions ['board']
extract_channel_mentions []
ada: ['ada', 'canada']
0: zoe
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
