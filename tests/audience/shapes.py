"""Realistic servers, and how much Kith withholds in them although every reader could read it.

Three shapes: an open server; a server behind a verification gate with roles that members choose,
boosters, staff, tickets and a music bot; and one whose channels unlock with a rank. Their members
are those of a server of that kind, and moderators named the roles that imply the base role.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.audience.cached_client import CachedClient
from tests.audience.judging import server_of
from tests.audience.program import AudienceRule
from tests.fakes.clock import ManualClock
from tests.fakes.discord import Channel, FakeDiscord, Guild, Member, Role, perms
from tests.fakes.discord.things import CATEGORY, FORUM, NEWS, STAGE, VOICE, WITHOUT_CHAT
from tests.oracles.permissions import Channel as Judged
from tests.oracles.permissions import Judge, sees

VIEW, SEND, CONNECT = perms("view_channel"), perms("send_messages"), perms("connect")
READ = VIEW | perms("read_message_history")
STAFF_MAY = READ | SEND | perms("manage_messages", "manage_threads", "moderate_members")
SPEAK = SEND | perms("speak", "add_reactions", "send_messages_in_threads")

BUSY, USUAL, QUIET = 30.0, 8.0, 1.0  # messages an hour


@dataclass(slots=True)
class Shape:
    """A server, what its moderators told Kith, and how much is said in each channel."""

    name: str
    guild: Guild
    base_role_id: int | None = None
    implied_role_ids: frozenset[int] = frozenset()
    traffic: dict[int, float] = field(default_factory=dict)


@dataclass(slots=True)
class Withheld:
    """How much of what every reader could read was withheld.

    Pairs are a channel with an answer and another one with something said; recalls weigh each pair
    by how much is said in both.
    """

    name: str
    channels: int = 0
    members: int = 0
    readable: int = 0
    withheld: int = 0
    leaks: int = 0
    readable_traffic: float = 0.0
    withheld_traffic: float = 0.0
    examples: list[str] = field(default_factory=list)

    @property
    def share_of_pairs(self) -> float:
        """The share of channel pairs."""
        return self.withheld / self.readable

    @property
    def share_of_recalls(self) -> float:
        """The share of recalls."""
        return self.withheld_traffic / self.readable_traffic

    def __str__(self) -> str:
        return (
            f"{self.name}: {self.channels} channels, {self.members} members; of {self.readable} "
            f"pairs that every reader could read, {self.withheld} are withheld "
            f"({self.share_of_pairs:.1%} of pairs, {self.share_of_recalls:.1%} of recalls); "
            f"{self.leaks} leaks"
        )


class Builder:
    """Makes channels in one go: name, who may view it, how busy it is."""

    def __init__(self, fake: FakeDiscord, name: str, seed: int = 1) -> None:
        self.dice = random.Random(seed)
        self.guild = fake.add_guild(name)
        self.shape = Shape(name, self.guild)

    def category(self, name: str, *may_view: Role, hidden: bool = False) -> Channel:
        """Make a category; a hidden one is for the roles named."""
        made = self.guild.add_channel(name, CATEGORY)
        if hidden:
            made.overwrite(self.guild.everyone, deny=VIEW)
        for role in may_view:
            made.overwrite(role, allow=VIEW)
        if hidden:
            made.overwrite(self.guild.bot_role, allow=VIEW)
        return made

    def channels(
        self, parent: Channel, names: str, kind: int = 0, traffic: float = USUAL
    ) -> list[Channel]:
        """Make channels that are synced with a category; names are separated by spaces."""
        made = [self.guild.add_channel(name, kind, parent=parent) for name in names.split()]
        self.shape.traffic |= {channel.id: traffic for channel in made}
        return made

    def threads(self, parent: Channel, names: str, traffic: float = QUIET) -> None:
        """Open public threads, or posts of a forum."""
        for name in names.split():
            thread = parent.add_thread(name, owner=self.guild.owner)
            self.shape.traffic[thread.id] = traffic

    def private_threads(self, parent: Channel, count: int) -> None:
        """Open private threads between a member who reads the parent and Kith."""
        members = [m for m in self.guild.members.values() if parent.permissions_of(m) & VIEW]
        for number, member in enumerate(self.dice.sample(members, count)):
            thread = parent.add_thread(
                f"private-{number}", owner=member, private=True, members=[self.guild.me]
            )
            self.shape.traffic[thread.id] = QUIET

    def people(self, count: int, *roles: Role, chance: Sequence[tuple[Role, float]] = ()) -> None:
        """Let members join with these roles, and each of the others by chance."""
        for number in range(count):
            chosen = [role for role, share in chance if self.dice.random() < share]
            name = f"member-{len(self.guild.members)}-{number}"
            self.guild.add_member(name, roles=[*roles, *chosen])


def open_server(fake: FakeDiscord) -> Shape:
    """A server in which nearly everything is open to everybody."""
    build = Builder(fake, "open server")
    guild = build.guild
    admin = guild.add_role("Admin", perms("administrator"))
    moderator = guild.add_role("Moderator", STAFF_MAY)
    helper = guild.add_role("Helper")
    booster = guild.add_role("Booster")
    booster.managed = booster.is_booster = True
    muted = guild.add_role("Muted")
    colours = [guild.add_role(name) for name in ("Red", "Green", "Blue", "Pink")]
    music = guild.add_bot("Music", READ | SEND | CONNECT)

    information = build.category("information")
    information.overwrite(guild.everyone, deny=SEND)
    build.channels(information, "rules welcome", traffic=QUIET)
    build.channels(information, "announcements", NEWS, QUIET)
    chats = build.category("chats")
    general, *_ = build.channels(chats, "general off-topic memes", traffic=BUSY)
    build.channels(chats, "introductions pets music-talk politics")
    build.threads(general, "birthday trip")
    games = build.category("games")
    build.channels(games, "chess rogue racing looking-for-group")
    help_ = build.category("help")
    (forum,) = build.channels(help_, "questions", FORUM, 0.0)
    build.threads(forum, "how-to-start broken-save lost-key", USUAL)
    voice = build.category("voice")
    build.channels(voice, "lounge gaming study", VOICE)
    build.channels(voice, "concerts", STAGE, QUIET)
    (commands,) = build.channels(voice, "music-commands")
    commands.overwrite(guild.members[music.id].roles[0], allow=READ | SEND)
    (adults,) = build.channels(chats, "after-dark")
    adults.restrict_age()
    extra = build.category("extra", booster, moderator, hidden=True)
    build.channels(extra, "booster-lounge")
    staff = build.category("staff", moderator, hidden=True)
    build.channels(staff, "mod-chat mod-log reports")
    for category in (chats, games, voice):
        category.overwrite(muted, deny=SPEAK)

    build.people(3, admin, moderator)
    build.people(8, moderator, chance=[(booster, 0.2), *((colour, 0.3) for colour in colours)])
    chances = [(booster, 0.04), (helper, 0.03), (muted, 0.01), *((c, 0.15) for c in colours)]
    build.people(300, chance=chances)
    build.private_threads(general, 2)
    return build.shape


def gated_server(fake: FakeDiscord) -> Shape:
    """A server that opens after verification, with roles that members choose for themselves."""
    build = Builder(fake, "verified gate")
    guild = build.guild
    guild.everyone.permissions &= ~VIEW
    verified = guild.add_role("Verified", READ)
    admin = guild.add_role("Admin", perms("administrator"))
    moderator = guild.add_role("Moderator", STAFF_MAY)
    helper = guild.add_role("Helper", READ)
    booster = guild.add_role("Booster")
    booster.managed = booster.is_booster = True
    muted = guild.add_role("Muted")
    chosen = [guild.add_role(name) for name in ("Gamer", "Artist", "Coder", "Anime", "Movies")]
    pings = [guild.add_role(name) for name in ("Event Ping", "News Ping")]
    music = guild.add_bot("Music")

    gate = build.category("gate", guild.everyone)
    gate.overwrite(guild.everyone, allow=READ)
    build.channels(gate, "rules verify", traffic=QUIET)
    build.channels(gate, "announcements", NEWS, QUIET)
    community = build.category("community", verified, hidden=True)
    general, *_ = build.channels(community, "general off-topic memes", traffic=BUSY)
    build.channels(community, "introductions pets suggestions")
    build.threads(general, "book-club")
    (forum,) = build.channels(community, "questions", FORUM, 0.0)
    build.threads(forum, "setup router", USUAL)
    for role in chosen:
        interest = build.category(role.name.lower(), role, moderator, hidden=True)
        build.channels(interest, f"{role.name.lower()}-chat {role.name.lower()}-media")
        build.channels(interest, f"{role.name.lower()}-voice", VOICE)
    voice = build.category("voice", verified, hidden=True)
    build.channels(voice, "lounge duo", VOICE)
    build.channels(voice, "talks", STAGE, QUIET)
    (commands,) = build.channels(voice, "music-commands")
    commands.overwrite(guild.members[music.id].roles[0], allow=READ | SEND | CONNECT)
    boosts = build.category("boosters", booster, moderator, hidden=True)
    build.channels(boosts, "booster-lounge")
    staff = build.category("staff", moderator, helper, hidden=True)
    (mod_chat, *_) = build.channels(staff, "mod-chat helper-chat mod-log")
    mod_chat.overwrite(helper)
    for category in (community, voice):
        category.overwrite(muted, deny=SPEAK)

    build.people(2, admin, verified)
    build.people(6, moderator, verified, chance=[(role, 0.5) for role in chosen])
    build.people(6, helper, verified, chance=[(role, 0.4) for role in chosen])
    chances = [(booster, 0.05), (muted, 0.01), *((role, 0.3) for role in (*chosen, *pings))]
    build.people(260, verified, chance=chances)
    build.private_threads(general, 2)
    build.people(40)
    tickets = build.category("tickets", moderator, hidden=True)
    asking = [m for m in guild.members.values() if m.role_ids == {verified.id}][:4]
    for number, member in enumerate(asking):
        (ticket,) = build.channels(tickets, f"ticket-{number}")
        ticket.overwrite(member, allow=READ | SEND)
    implied = [admin, moderator, helper, booster, muted, *chosen, *pings]
    build.shape.base_role_id = verified.id
    build.shape.implied_role_ids = frozenset(role.id for role in implied)
    return build.shape


def ranked_server(fake: FakeDiscord) -> Shape:
    """An open server in which each rank unlocks a channel; whoever has a rank has those below."""
    build = Builder(fake, "rank roles")
    guild = build.guild
    moderator = guild.add_role("Moderator", STAFF_MAY)
    ranks = [guild.add_role(f"Level {level}") for level in (5, 10, 20, 30, 50)]
    chats = build.category("chats")
    build.channels(chats, "general memes", traffic=BUSY)
    build.channels(chats, "introductions pets games music art")
    build.channels(chats, "lounge", VOICE)
    levels = build.category("levels", hidden=True)
    for rank in ranks:
        (channel,) = build.channels(levels, rank.name.lower().replace(" ", "-"))
        channel.overwrite(rank, allow=VIEW)
        channel.overwrite(moderator, allow=VIEW)
    staff = build.category("staff", moderator, hidden=True)
    build.channels(staff, "mod-chat")
    build.people(5, moderator, *ranks)
    for reached, count in enumerate((150, 60, 40, 20, 10, 5)):
        build.people(count, *ranks[:reached])
    return build.shape


SHAPES = (open_server, gated_server, ranked_server)


async def measure(
    clock: ManualClock, fake: FakeDiscord, client: CachedClient, shape: Shape
) -> Withheld:
    """Return how much is withheld in a server, with its members as the only readers."""
    rule = AudienceRule(clock, client)
    await rule.notice(shape)
    server = server_of(shape.guild)
    people = [person for person in server.people.values() if not person.is_bot]
    judge = Judge(server, people)
    chats = [c for c in shape.guild.channels.values() if c.type not in WITHOUT_CHAT]
    result = Withheld(shape.name, len(chats), len(people))
    for answer in chats:
        speaker = _somebody(shape.guild, judge, server.channels[answer.id])
        if speaker is None:
            continue
        sources = rule.audience(answer, speaker).sources
        for source in chats:
            may_be_used = not judge.leaks(server.channels[answer.id], server.channels[source.id])
            is_used = rule.source_id(source) in sources
            result.leaks += is_used and not may_be_used
            if may_be_used:
                weight = shape.traffic[answer.id] * shape.traffic[source.id]
                result.readable += 1
                result.withheld += not is_used
                result.readable_traffic += weight
                result.withheld_traffic += 0 if is_used else weight
                if not is_used:
                    result.examples.append(f"#{source.name} in #{answer.name}")
    return result


def _somebody(guild: Guild, judge: Judge, channel: Judged) -> Member | None:
    """Return a member who sees an answer in a channel, the newest first."""
    seeing = (p.id for p in reversed(judge.members) if sees(judge.server, p, channel))
    return next((guild.members[member_id] for member_id in seeing), None)


async def measure_all() -> list[Withheld]:
    """Measure every shape."""
    results = []
    for make in SHAPES:
        fake = FakeDiscord(point_here=False)
        client = CachedClient(fake)
        shape = make(fake)
        results.append(await measure(ManualClock(), fake, client, shape))
    return results
