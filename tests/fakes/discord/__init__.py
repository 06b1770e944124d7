"""A loopback Discord that the unmodified discord.py logs into, strict where Discord is strict.

Quick start
-----------
::

    async with FakeDiscord() as fake:                    # discord.py points at it inside the block
        guild = fake.add_guild("Den")                    # the bot is in it, with BOT_PERMISSIONS
        general = guild.add_text_channel("general")
        alice = guild.add_member("Alice")
        async with fake.running(bot):                    # start, wait until ready, close at the end
            asked = await fake.say(alice, general, "hi <@bot>")
            answer = await fake.wait_message(general, after=asked)
            assert fake.pings(answer).users == {alice.id}

Give the client ``guild_ready_timeout=0.05`` and the token ``TOKEN``. Every wait is event-driven
and takes ``timeout=`` seconds; when it fails, ``FakeTimeout`` lists what happened (also:
``fake.journal.lines``). ``CannotDo`` is raised when a test asks a person for what Discord's
client would not let them do.

The server
----------
``FakeDiscord(*, message_content=True, members=True, presences=False, token=TOKEN,
time_source=time.time, interaction_deadline_s=3.0, followup_deadline_s=900.0, advised_shards=1,
heartbeat_interval_ms=41250, quick_identify=True, point_here=True)``. The first three are the
portal's privileged-intent switches: a client that asks for one that is off is closed with 4014.
``quick_identify`` leaves out discord.py's five-second pause before a second IDENTIFY. Also
``start(port=0)``, ``stop()``, ``patch()`` (= ``point_discord_py_here()``, a context manager),
``api_url``, ``gateway_url``, ``advance(seconds)`` (moves the clock: deadlines, ids, timeouts),
``command_line(script, *args)`` (argv for a bot in its own process, run from the repository's
root), ``running(*bots)``, ``bot_user``, ``application_id``.

Making: ``add_guild(name, *, bot_permissions=…, owner=None, shard=(id, count), with_bot=True)``,
``add_user(name, *, bot=False)`` (in no server; ``user.has_app = True`` installs the application in
their account), ``dm(who)``, ``add_group(*people)`` (their conversation, without the bot); on a
guild ``add_text_channel(name, *, parent, topic, private)``, ``add_channel(name, type, *, parent)``
(types are in ``things``: VOICE, STAGE, FORUM, CATEGORY, NEWS; ``parent`` is a category,
whose overwrites a new channel has), ``add_member(name_or_user, *, nick, roles, bot)``,
``add_bot(name, permissions)`` (with its role),
``add_role(name, permissions, *, mentionable, position)``, and ``.owner .me .everyone .bot_role
.roles .members .channels .age_restricted``; on a channel ``add_thread(name, *, owner,
private, members)``, ``overwrite(target, allow=, deny=)`` (a category's goes to the channels synced
with it), ``move(category, sync=)``, ``restrict_age(restricted)``, ``is_synced``,
``permissions_of(who)``, ``history()``, ``slowmode_s``. ``perms("send_messages", …)`` makes
permission bits. ``user.accepts_dms = False`` closes somebody's DMs. All of it also works (and is
announced) while bots run.

People (coroutines)
-------------------
``say(who, channel, text, *, reply_to=None, ping_reply=True, files=[(name, bytes[, type])],
embeds=[], at=None, forward=None,
shown=None) -> Message``; ``open_post(who, forum, title, text)`` -> the post
(a thread) and its first message; ``edit(message, text)``, ``delete(message)``,
``bulk_delete(messages)``, ``react(who, message, emoji)``, ``type_in(who, channel)``,
``leave(member)``, ``change_member(member, *, nick, roles)``,
``delete_channel(channel)``, ``set_overwrite(channel, target, *, allow,
deny)``, ``set_role_permissions(role, bits)``,
``delete_role(role)``, ``archive_thread(thread, *, archived=True, locked=False)``,
``add_to_thread(thread, who)``, ``remove_bot(guild)``,
``outage(guild)``, ``outage_over(guild)``.

Interactions: ``slash(who, channel, "memory show", {"page": 2})``, ``context_menu(who, channel,
name, target)``, ``click(who, message, label_or_custom_id)``, ``select(who, message, values,
which=None)`` each return an ``Interaction``; ``autocomplete(who, channel, command, focused, text,
options=None)`` returns the choices. Options and selects take the objects themselves (Member,
Role, Channel; a file is ``(name, bytes)``). Await ``.response()`` (first answer: ``type content
embeds components ephemeral deferred message data``), ``.reply()`` (the message the person reads
in the end), ``.followup(index=0)``, ``.edited(times=1)``, ``.modal()`` -> ``Modal`` (``title
inputs``; ``await modal.submit({label_or_custom_id: value}) -> Interaction``). Also ``.refused``
(codes of refused first answers or follow-ups), ``.expire()``.

Looking and waiting
-------------------
``messages(channel, *, author=None)``, ``pings(message)`` (``.users .roles .everyone``, whom it
really notified when sent), ``typing_events(channel)``, ``requests`` (``method path route json
files status error reason at_s``), ``requests_to(method, "/channels/{channel_id}/messages")``,
``invalid_requests``, ``command_syncs``, ``commands.by_scope``,
``gateway.sessions/identifies/closed_with``; a Message has ``content embeds attachments components
flags edits edited_at deleted reactions reply_to pings mentions thread ephemeral visible_to``.
``wait_ready(bot=None, *, sessions=1)``, ``wait_message(channel=None, *, after, author=bot,
contains, where)``, ``wait_edit(message, *, times=1, contains)``, ``wait_deleted(message)``,
``wait_reaction(message, emoji)``, ``wait_request(method,
route, *, times=1, status)``, ``wait_resumed(*, times=1)``, ``wait_until(look, what)`` for
anything else (it looks again whenever the fake notes something).

Misfortunes
-----------
``rate_limit(method, "/channels/*/messages", *, times=1, retry_after=0.01, via=True,
everywhere=False)``, ``fail(method, path, *, times=1, status=500, code=0, after=False)``
(``after``: it takes effect, the answer is lost), ``cut(method, path, *, times=1, after=False)``
(no answer: the line breaks),
``hold(method, path, *, times=1)`` -> ``await .reached.wait()``, ``.release()``.
``drop_connection(code=None, *, forget_session=False)``, ``duplicate_last_dispatch(event=None)``.
What Discord may leave out: ``world.updates_in_part``, ``sends_least`` (what is optional; the shard
and installations too).

Where it is not Discord
-----------------------
REST hides message content when the application's switch is off *or* no connected session has the
intent (Discord looks at the switch only). Lengths count UTF-16 units; Discord does not say what it
counts, and no other way gives more. Messages in archived threads cannot be deleted, though
Discord's documentation says that they can. Missing: system messages
unless ``say(shown={"type": ...})`` sends one, sound, polls' votes, webhooks but what they post,
audit log, AutoMod but for blocked words (``guild.blocked_words``), emoji and sticker management,
presences, people's slow mode, the limit of all requests a second, 4008/4009 closes for chatty or
silent clients. The windows of rate limits are a hundredth as long as Discord's, unless
``buckets.pace`` says otherwise.
"""

from .errors import CannotDo, FakeTimeout
from .outcomes import Interaction, Modal, Response
from .permissions import perms
from .server import BOT_PERMISSIONS, TOKEN, FakeDiscord, point_discord_py_at
from .things import Channel, Guild, Member, Message, Pings, Role, User

__all__ = [
    "BOT_PERMISSIONS",
    "TOKEN",
    "CannotDo",
    "Channel",
    "FakeDiscord",
    "FakeTimeout",
    "Guild",
    "Interaction",
    "Member",
    "Message",
    "Modal",
    "Pings",
    "Response",
    "Role",
    "User",
    "perms",
    "point_discord_py_at",
]
