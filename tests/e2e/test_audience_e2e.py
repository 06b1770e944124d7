"""Who hears of what: a memory is told again only where everyone could have read it anyway."""

from datetime import timedelta

from cogs.bot.member_roles import KNOWN_FOR_S
from tests.e2e.den import Den, memory
from tests.e2e.test_chat_tools_e2e import calling
from tests.e2e.test_commands_e2e import use
from tests.e2e.test_control_e2e import let_moderators_look
from tests.fakes.discord import Channel, Guild, perms
from tests.fakes.discord.things import VOICE
from tests.fakes.model_server import prompt_of
from utils.models.memory import Consent, Member

BOAT = "owns a boat"
NO_HISTORY = perms("read_message_history")
UNSEEN = perms("view_channel")
CONNECT = perms("connect")
A_DAY_S = 86_400.0


async def comes_to_mind(den: Den, place: Channel) -> bool:
    """Whether what Alice owns is told to the model that answers her there."""
    await den.talk(den.alice, "what do I own?", place)
    return BOAT in den.last_words().lower()


def private_channel(guild: Guild, name: str, *readers: object) -> Channel:
    place = guild.add_text_channel(name, private=True)
    for reader in (guild.bot_role, *readers):
        place.overwrite(reader, allow=UNSEEN)
    return place


async def test_what_was_said_in_private_stays_there(kith: Den) -> None:
    hidden = private_channel(kith.guild, "hidden", kith.alice)
    other = private_channel(kith.guild, "other", kith.alice, kith.bob)
    await kith.teach(kith.alice, "I own a boat", hidden)
    assert await comes_to_mind(kith, hidden)
    assert not await comes_to_mind(kith, kith.general)
    assert not await comes_to_mind(kith, other)
    assert not await comes_to_mind(kith, kith.dm(kith.alice))


async def test_direct_messages_stay_between_two(kith: Den) -> None:
    await kith.teach(kith.alice, "I own a boat", kith.dm(kith.alice))
    assert await comes_to_mind(kith, kith.dm(kith.alice))
    assert not await comes_to_mind(kith, kith.general)
    await kith.talk(kith.bob, "what does Alice own?", kith.dm(kith.bob))
    assert "boat" not in str(kith.prompts()[-1]["messages"])


STAYS = "What I know of you from servers stays there"


async def test_in_direct_messages_kith_says_that_what_servers_know_stays_there(kith: Den) -> None:
    await kith.teach(kith.alice, "I own a boat")
    place = kith.dm(kith.alice)
    direct = await use(kith, kith.alice, "memory search", place, words="boat")
    assert STAYS in direct.content
    assert "choose one with `server`" in direct.content
    assert BOAT not in direct.content.lower()
    there = str(kith.guild.id)
    from_afar = await use(kith, kith.alice, "memory search", place, server=there, words="boat")
    assert BOAT in from_afar.content.lower()
    assert STAYS not in from_afar.content
    for channel, is_direct in ((place, True), (kith.general, False)):
        kith.model.reply_with(calling("list_memories", {}))
        told = (await kith.talk(kith.alice, "what do you know of me?", channel)).content
        assert (STAYS in told) == is_direct
        system = prompt_of(kith.prompts()[-1], "system")
        assert ("What you know from servers stays there" in system) == is_direct


async def test_without_a_model_too_what_servers_know_stays_there(den: Den) -> None:
    async with den.awake(openai_base_url=None, openai_api_key=None):
        await den.teach(den.alice, "I own a boat")
        place = den.dm(den.alice)
        told = (await den.talk(den.alice, "what do I own?", place)).content
        assert STAYS in told
        assert "boat" not in told
        assert STAYS not in (await den.talk(den.alice, "what do I own?")).content


async def test_a_note_has_no_words_of_a_private_channel_that_its_own_may_outgrow(
    kith: Den,
) -> None:
    staff, office = (private_channel(kith.guild, name, kith.alice) for name in ("staff", "office"))
    await kith.teach(kith.alice, "I have a zeppelin named Rex", staff)
    await kith.teach(kith.alice, "I own a boat")
    await kith.teach(kith.alice, "It sank again", office)
    known = prompt_of(kith.extractions()[-1], "user").partition("\nBEFORE")[0]
    assert "boat" in known
    assert "Rex" not in known
    assert "zeppelin" not in known


async def test_what_was_said_in_a_private_thread_stays_in_it(kith: Den) -> None:
    thread = kith.general.add_thread("whisper", owner=kith.alice, private=True)
    await kith.fake.add_to_thread(thread, kith.fake.bot_user)
    await kith.teach(kith.alice, "I own a boat", thread)
    assert await comes_to_mind(kith, thread)
    assert not await comes_to_mind(kith, kith.general)


async def test_of_those_mentioned_it_knows_what_this_channel_may_hear(kith: Den) -> None:
    hidden = private_channel(kith.guild, "hidden", kith.bob)
    await kith.teach(kith.bob, "I own a kite")
    await kith.teach(kith.bob, "I love secret crimes", hidden)
    await kith.talk(kith.alice, f"what do you know of {kith.bob.mention}?")
    words = kith.last_words()
    assert "[What you know about Bob:]" in words
    assert "owns a kite" in words.lower()
    assert "secret" not in words
    assert words.endswith("Alice: what do you know of @Bob?")


async def test_what_is_said_of_somebody_else_is_not_known_of_anybody(kith: Den) -> None:
    kith.model.extract_with(
        lambda request: {
            "memories": [
                {**memory("owns a boat", "Bob owns a boat"), "subject": subject}
                for subject in ("p2", "Bob", "p9")
            ],
            "profile_update": "Bob owns a boat.",
        }
    )
    await kith.talk(kith.bob, "hello")
    await kith.talk(kith.alice, f"{kith.bob.mention} owns a boat, Bob owns a boat")
    assert await kith.learnt_of(kith.alice) == await kith.known_of(kith.bob) == []


async def test_moderators_hear_nothing_of_a_voice_chat_that_they_may_not_join(kith: Den) -> None:
    staff = kith.guild.add_role("Staff")
    kith.alice.role_ids.add(staff.id)
    voice = kith.guild.add_channel("staff-voice", VOICE)
    voice.overwrite(kith.guild.everyone, deny=CONNECT)
    for reader in (staff, kith.guild.bot_role):
        voice.overwrite(reader, allow=CONNECT)
    await kith.teach(kith.alice, "I own a boat", voice)
    await let_moderators_look(kith)
    await use(kith, kith.moderator, "mod watch add", channel=voice)
    shown = await use(kith, kith.moderator, "mod search", words="boat")
    assert BOAT not in shown.content.lower()
    for command in ("mod summary", "mod tension show"):
        shown = await use(kith, kith.moderator, command, channel=voice)
        assert "You can't read" in shown.content
    voice.overwrite(kith.moderator, allow=CONNECT)
    await kith.calm()
    shown = await use(kith, kith.moderator, "mod search", words="boat")
    assert BOAT in shown.content.lower()


async def test_the_past_of_a_channel_without_history_is_not_told_in_it(own_kith: Den) -> None:
    place = own_kith.guild.add_text_channel("fleeting")
    place.overwrite(own_kith.guild.everyone, deny=NO_HISTORY)
    place.overwrite(own_kith.guild.bot_role, allow=NO_HISTORY)
    await own_kith.teach(own_kith.alice, "I own a boat", place)
    thread = place.add_thread("whisper", owner=own_kith.alice, private=True)
    await own_kith.fake.add_to_thread(thread, own_kith.fake.bot_user)
    await own_kith.teach(own_kith.alice, "I own a boat", thread)
    await own_kith.app.memory.editor.set_consent(
        Member(own_kith.guild.id, own_kith.bob.id), Consent.OFF
    )
    await own_kith.talk(own_kith.bob, "I own a kite", place)  # kept by the running program alone
    newcomer = own_kith.guild.add_member("Nia")
    await own_kith.fake.add_to_thread(thread, newcomer)
    own_kith.clock.pass_time(A_DAY_S)
    for where in (place, thread):
        await own_kith.talk(newcomer, "what do Alice and Bob own?", where)
        prompt = str(own_kith.prompts()[-1]["messages"])
        assert "boat" not in prompt
        assert "kite" not in prompt
    first = place.history()[0]
    asked = await own_kith.fake.say(
        own_kith.guild.owner, place, "<@bot> who said this?", reply_to=first
    )
    await own_kith.answer_to(asked)
    assert "boat" not in str(own_kith.prompts()[-1]["messages"])


async def test_a_newcomer_hears_nothing_from_before_they_joined_where_the_past_is_hidden(
    kith: Den,
) -> None:
    place = kith.guild.add_text_channel("fleeting")
    place.overwrite(kith.guild.everyone, deny=NO_HISTORY)
    place.overwrite(kith.guild.bot_role, allow=NO_HISTORY)
    await kith.talk(kith.alice, "I own a boat", place)
    newcomer = kith.guild.add_member("Nia")
    newcomer.joined_at = place.history()[-1].created_at + timedelta(milliseconds=1)
    await kith.talk(newcomer, "what was said here before? I own a kite", place)
    assert "boat" not in str(kith.prompts()[-1]["messages"])
    first = place.history()[0]
    asked = await kith.fake.say(newcomer, place, "<@bot> who said this?", reply_to=first)
    await kith.answer_to(asked)
    prompt = str(kith.prompts()[-1]["messages"])
    assert "boat" not in prompt
    assert "kite" in prompt
    await kith.talk(kith.alice, "what did I say?", place)
    assert "boat" in str(kith.prompts()[-1]["messages"])


async def test_what_was_said_in_an_age_restricted_channel_stays_in_such_channels(
    kith: Den,
) -> None:
    restricted = [kith.guild.add_text_channel(name) for name in ("adults", "more-adults")]
    for place in restricted:
        place.nsfw = True
        kith.fake.world.announce("CHANNEL_UPDATE", place)
    await kith.teach(kith.alice, "I own a boat", restricted[0])
    assert await comes_to_mind(kith, restricted[1])
    assert not await comes_to_mind(kith, kith.general)
    await let_moderators_look(kith)
    for place in (kith.general, restricted[1]):
        shown = await use(kith, kith.moderator, "mod search", place, words="boat")
        assert (BOAT in shown.content.lower()) is (place is restricted[1])
    shown = await use(kith, kith.moderator, "mod summary", channel=restricted[0])
    assert "is age-restricted" in shown.content
    await kith.teach(kith.alice, "I own a boat", kith.general)
    assert await comes_to_mind(kith, kith.general)


async def test_a_person_with_an_overwrite_counts_with_their_roles(own_kith: Den) -> None:
    """Bob is shut out of one of the staff's channels; whether that matters says his role."""
    staff = own_kith.guild.add_role("Staff")
    own_kith.alice.role_ids.add(staff.id)
    first, second = (private_channel(own_kith.guild, name, staff) for name in ("first", "second"))
    first.overwrite(own_kith.bob, deny=UNSEEN)
    await own_kith.teach(own_kith.alice, "I own a boat", first)
    assert await comes_to_mind(own_kith, second)
    await own_kith.fake.change_member(own_kith.bob, roles=[staff])
    own_kith.clock.pass_time(KNOWN_FOR_S)
    assert not await comes_to_mind(own_kith, second)
    await own_kith.fake.change_member(own_kith.bob, roles=[])
    assert not await comes_to_mind(own_kith, second)
    await own_kith.fake.say(own_kith.bob, own_kith.general, "hello")  # his message shows his roles
    assert await comes_to_mind(own_kith, second)


async def test_a_role_is_implied_only_once_a_moderator_says_so(kith: Den) -> None:
    verified, staff, guest = (kith.guild.add_role(n) for n in ("Verified", "Staff", "Guest"))
    kith.alice.role_ids |= {verified.id, staff.id}
    lounge, office, reception = (
        private_channel(kith.guild, role.name, role) for role in (verified, staff, guest)
    )
    muted = kith.guild.add_role("Muted")  # lets nobody in, so nobody is asked about it
    kith.guild.add_text_channel("hall").overwrite(muted, deny=UNSEEN)
    await kith.teach(kith.alice, "I own a boat", lounge)
    page = await use(kith, kith.moderator, "config baserole", role=verified)
    assert not await comes_to_mind(kith, office)
    answers = {staff.mention: "Yes", guest.mention: "No"}
    for number in (1, 2):
        assert f"**{number} of 2:** Does everyone with" in page.content
        (role,) = (mention for mention in answers if f"everyone with {mention} " in page.content)
        page = await (await kith.fake.click(kith.moderator, page, answers.pop(role))).edited()
    assert page.content == f"Everyone with one of these roles also has {verified.mention}: " + (
        f"{staff.mention}."
    )
    assert await comes_to_mind(kith, office)
    kith.bob.role_ids.add(guest.id)
    await kith.talk(kith.bob, "what does Alice own?", reception)
    assert "boat" not in str(kith.prompts()[-1]["messages"])
    page = await use(kith, kith.moderator, "config baserole", role=verified)
    while "Does everyone with" in page.content:
        page = await (await kith.fake.click(kith.moderator, page, "No")).edited()
    assert "No other role counts as having" in page.content
    assert not await comes_to_mind(kith, office)


async def test_only_a_role_of_ordinary_members_can_be_the_base_role(kith: Den) -> None:
    ruler = kith.guild.add_role("Ruler", perms("administrator"))
    for role, words in ((ruler, "can do everything anyway"), (kith.guild.bot_role, "to a bot")):
        assert words in (await use(kith, kith.moderator, "config baserole", role=role)).content
    assert (await kith.app.guilds.settings.get(kith.guild.id)).base_role_id is None
