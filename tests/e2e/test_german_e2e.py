"""A German server: whatever Kith sends there is German, whoever presses or types what."""

import json
from typing import Any

import pytest

from tests.e2e.den import Den, memory
from tests.e2e.test_alerts_e2e import scored
from tests.english_finder import english_in, shown_in
from tests.fakes.discord import Member, Message, perms
from tests.fakes.model_server import ChatRequest, prompt_of
from utils.models.sentiment import Score

BAD = Score(-0.9, 0.92, 0.9, "beleidigt p2")
OWNED = "Ich habe "
APPROVE, REJECT = 3, 4  # the styles of the buttons


def attentive_german(request: ChatRequest) -> dict[str, Any]:
    """Note every "Ich habe ..." as a model would; calm scores for watched messages."""
    said = prompt_of(request, "user").rpartition("\nSAID\n")[2]
    lines = [line for line in said.splitlines() if OWNED in line]
    owned = [line.partition(OWNED)[2].rstrip(".") for line in lines]
    return {
        "memories": [memory(f"hat {what}", f"{OWNED}{what}") for what in owned],
        "profile_update": None,
    }


class Walk:
    """People who use everything, and what Kith sent to Discord meanwhile."""

    def __init__(self, den: Den) -> None:
        self.den, self.fake = den, den.fake

    async def use(self, who: Member, command: str, /, place: Any = None, **options: Any) -> Message:
        used = await self.fake.slash(who, place or self.den.general, command, options)
        return await used.reply()

    async def ask(self, who: Member, command: str, /, *labels: str, **options: Any) -> None:
        """Use a command and press a button of its answer, once for each label."""
        for label in labels:
            used = await self.fake.slash(who, self.den.general, command, options)
            await self.press(who, await used.reply(), label)

    async def press(
        self, who: Member, message: Message, label: str, *, is_asked: bool = False
    ) -> None:
        """Press a button; ``is_asked``: it opens a question, whose answer it waits for."""
        pressed = await self.fake.click(who, message, label)
        await (pressed.response() if is_asked else self.den.calm())

    async def offered(self, who: Member, command: str, option: str, typed: str = "") -> list[Any]:
        return await self.fake.autocomplete(who, self.den.general, command, option, typed)

    def english(self) -> str:
        """Return every text with English words that was sent, a line each."""
        sent = [one for one in self.fake.requests if "commands" not in one.path]
        texts = dict.fromkeys(text for request in sent for text in shown_in(request.json))
        return "\n".join(f"{english_in(text)}: {text}" for text in texts if english_in(text))

    def texts(self) -> int:
        """Return how many different texts were sent."""
        return len({text for one in self.fake.requests for text in shown_in(one.json)})


@pytest.fixture
async def walk(den: Den):
    everything = den.guild.bot_role.permissions | perms("moderate_members", "manage_channels")
    den.guild.bot_role.permissions = everything
    (steers,) = [role for role in den.guild.roles.values() if role.name == "Moderator"]
    steers.permissions |= perms("manage_channels", "moderate_members")
    den.guild.locale = "de"
    for who in (den.alice, den.bob, den.moderator):
        den.fake.world.users[who.id].locale = "de"
    den.model.extract_with(attentive_german)
    den.model.reply_with("Gern!")
    async with den.awake() as kith:
        yield Walk(kith)


async def test_what_members_read_is_german(walk: Walk) -> None:
    kith, alice = walk.den, walk.den.alice
    await kith.teach(alice, "Ich habe einen Hund")
    await kith.teach(alice, "Ich habe ein Fahrrad")
    (notice,) = [one for one in kith.answers() if one.components]
    await walk.press(kith.bob, notice, "30 Tage")
    await walk.press(alice, notice, "30 Tage")
    await kith.teach(alice, "Ich habe eine Katze", kith.dm(alice))
    shown = await walk.use(alice, "memory show")
    assert "hat ein Fahrrad" in str(shown.content) + str(shown.embeds)
    (number, *_) = [one["value"] for one in await walk.offered(alice, "memory why", "memory")]
    for command in ("memory why", "memory forget", "memory correct", "memory undo"):
        await walk.offered(alice, command, "memory")
        options = {"text": "hat zwei Hunde"} if command == "memory correct" else {}
        for named in (number, "m1", "p1", "999", "was?"):
            await walk.use(alice, command, memory=named, **options)
        (number, *_) = [one["value"] for one in await walk.offered(alice, "memory why", "memory")]
    await walk.use(alice, "memory search", words="hat")
    await walk.use(alice, "memory search", words="Elefant")
    await walk.use(alice, "memory export")
    await walk.use(alice, "memory show", server="5")
    for command in ("memory show", "memory search", "memory export", "memory consent", "help"):
        options = {"words": "hat"} if command == "memory search" else {}
        await walk.use(alice, command, kith.dm(alice), **options)
    await walk.use(alice, "memory show", kith.dm(alice), server=str(kith.guild.id))
    await walk.ask(alice, "memory consent", "Dauerhaft merken", "30 Tage")
    await walk.ask(alice, "memory consent", "Auch Gespräche mit anderen merken")
    await walk.ask(alice, "memory consent", "Gespräche mit anderen nicht merken")
    await walk.ask(alice, "memory forget", "Behalten", "Alles vergessen", memory="everything")
    for command in ("help", "privacy", "kith mode", "kith unlink"):
        await walk.use(alice, command)
    for state in ("on", "off"):
        await walk.use(alice, "kith roast", state=state)
    await walk.ask(alice, "kith link", "Es ist nicht meins", "Es ist meins", other=kith.bob)
    await walk.ask(kith.bob, "kith link", "Es ist meins", other=alice)
    for other in (alice, kith.guild.me):
        await walk.use(alice, "kith link", other=other)
    await walk.use(alice, "kith link", kith.dm(alice), other=kith.bob)
    await walk.ask(alice, "reset", "Weitermachen", "Neu anfangen")
    own = await kith.say(alice, "Ich habe einen Garten")
    answer = await kith.answer_to(own)
    for name, target in (
        ("Remember this", own),
        ("Remember this", answer),
        ("Delete this answer", own),
        ("Delete this answer", answer),
        ("What do you know?", alice),
        ("What do you know?", kith.bob),
        ("What do you know?", kith.guild.me),
    ):
        await (await walk.fake.context_menu(alice, kith.general, name, target)).reply()
    for label in ("Behalten", "Alles löschen"):
        page = await walk.use(alice, "memory consent")
        await walk.press(alice, page, "Nichts merken", is_asked=True)
        await walk.press(alice, page, label)
    await kith.calm()
    await walk.use(alice, "memory show")
    assert walk.texts() > 100
    assert not (found := walk.english()), "\n".join(
        f"{words}: {text}" for text, words in found.items()
    )


async def test_what_moderators_read_is_german(walk: Walk) -> None:
    kith, mia = walk.den, walk.den.moderator
    reports = kith.guild.add_text_channel("reports")
    other = kith.guild.add_text_channel("other")
    await set_up(walk, other)
    for purpose in ("chat", "game", "log", "never", "only"):
        for action in ("list", "add", "list", "remove", "remove"):
            place = reports if purpose == "log" else other
            await walk.use(mia, f"config channel {purpose}", action=action, channel=place)
    for name in ("Europe/Berlin", "Mond"):
        await walk.use(mia, "config timezone", name=name)
    for default in ("lasting", "temporary"):
        await walk.use(mia, "config consent", default=default)
    base = kith.guild.add_role("Verifiziert", perms("view_channel"))
    kith.guild.add_role("Freunde", perms("view_channel"))
    other.overwrite(kith.guild.everyone, deny=perms("view_channel"))
    question = await walk.use(mia, "config baserole", role=base)
    if question.components:
        await walk.press(mia, question, "Stop")
    await walk.use(mia, "config baserole")
    for state in ("on", "off"):
        await walk.use(mia, "config lore", state=state)
        await walk.use(mia, "mod freeze", state=state)
    await walk.use(mia, "config channel log", action="add", channel=reports)
    await walk.use(mia, "config show")
    await walk.use(mia, "help")
    await use_modes(walk, other)
    await use_policy(walk)
    await use_review(walk)
    await use_watching(walk, other)
    await kith.calm()
    assert walk.texts() > 200
    assert walk.english().splitlines() == []


async def set_up(walk: Walk, other: Any) -> None:
    mia = walk.den.moderator
    page = await walk.use(mia, "setup")
    for chosen in ("Chat-Kanäle", "Kanäle, in denen ich nie antworte"):
        await walk.fake.select(mia, page, [other], chosen)
        await walk.den.calm()
    for _ in range(6):
        await walk.press(mia, page, "Weiter")
    await walk.press(mia, page, "Noch einmal prüfen")
    await walk.press(mia, page, "Fertig")
    for purpose in ("chat", "never"):
        await walk.use(mia, f"config channel {purpose}", action="remove", channel=other)


async def use_modes(walk: Walk, other: Any) -> None:
    mia = walk.den.moderator
    for mode in ("roast", "friendly", "fremd"):
        await walk.use(mia, "mode set", mode=mode)
        await walk.use(mia, "mode set", mode=mode, channel=other)
        await walk.use(mia, "mode preview", mode=mode)
    await walk.use(mia, "kith mode")
    for _ in range(2):
        await walk.use(mia, "mode clear", channel=other)
    for name in ("seebaer", "Nein!"):
        used = await walk.fake.slash(mia, walk.den.general, "mode create", {"name": name})
        if name == "seebaer":
            form = await used.modal()
            await (await form.submit({"Meine Persönlichkeit, in deinen Worten": "Ahoi!"})).reply()
        else:
            await used.reply()
    form = await (
        await walk.fake.slash(mia, walk.den.general, "mode edit", {"name": "seebaer"})
    ).modal()
    await (await form.submit({"Meine Persönlichkeit, in deinen Worten": "Moin!"})).reply()
    card = {"name": "Mara", "description": "Ahoi! " * 500, "scenario": "Auf See."}
    for file in (json.dumps(card).encode(), b"nichts"):
        page = await walk.use(mia, "mode import", card=("mara.json", file))
        if page.components:
            form = await (await walk.fake.click(mia, page, "Ändern und speichern…")).modal()
            await (await form.submit({"Meine Persönlichkeit, in deinen Worten": "Ahoi!"})).reply()
    await walk.ask(mia, "mode delete", "Behalten", "Löschen", name="seebaer")
    await walk.use(mia, "mode delete", name="seebaer")
    for place in ({}, {"channel": other}):
        for model in ("gpt-4.1-mini", "fremd"):
            await walk.use(mia, "model set", model=model, **place)
        await walk.use(mia, "model show")
        for _ in range(2):
            await walk.use(mia, "model reset", **place)


async def use_policy(walk: Walk) -> None:
    kith, mia = walk.den, walk.den.moderator
    await walk.use(mia, "mod policy history")
    for options in (
        {"mode": "manual", "reason": "Probe"},
        {"cap": 10_000_000},
        {"active_from": 0.1, "proposed_from": 0.9},
        {"approve_kinds": "Quatsch"},
        {"refused_kinds": "lore"},
        {"approve_kinds": "task, lore", "longest_days": "task 7", "recall": True},
        {"longest_days": "Quatsch"},
        {"moderators_see_members": True},
        {},
    ):
        await walk.use(mia, "mod policy set", **options)
    for command in ("mod policy show", "mod policy history", "mod usage", "mod ignore list"):
        await walk.use(mia, command)
    for version in (0, 99):
        await walk.use(mia, "mod policy rollback", version=version)
    await walk.use(mia, "mod policy set", mode="manual")
    for _ in range(2):
        await walk.use(mia, "mod ignore add", member=kith.bob)
    await walk.use(mia, "mod ignore list")
    for _ in range(2):
        await walk.use(mia, "mod ignore remove", member=kith.bob)
    await walk.use(mia, "mod memory", member=kith.alice)
    await walk.use(mia, "mod search", words="Hund")
    await walk.use(kith.alice, "memory show")


async def use_review(walk: Walk) -> None:
    kith, mia = walk.den, walk.den.moderator
    await walk.use(mia, "mod review")
    for what in ("einen Hund", "eine Katze", "ein Pferd"):
        await kith.teach(kith.alice, f"Ich habe {what}")
    page = await walk.use(mia, "mod review")
    for style in (APPROVE, REJECT):
        buttons = [item for row in page.components for item in row["components"]]
        chosen = [one for one in buttons if one["style"] == style and not one.get("disabled")]
        await walk.press(mia, page, chosen[0]["custom_id"])


async def use_watching(walk: Walk, other: Any) -> None:
    kith, mia = walk.den, walk.den.moderator
    general = kith.general
    for command in ("mod watch list", "mod tension show", "mod tension cases"):
        await walk.use(mia, command)
    for mode in ("opt-out", "opt-in"):
        await walk.use(mia, "mod watch add", memory=mode, channel=general)
    for command in ("mod watch list", "mod tension show", "mod tension settings", "mod summary"):
        await walk.use(mia, command)
    for options in ({"automatic": "on"}, {"automatic": "dry-run", "tension_alert": 0.4}):
        await walk.use(mia, "mod tension settings", **options)
    said = [await walk.fake.say(who, general, "du Nuss") for who in (kith.alice, kith.bob)]
    await scored(kith, *((one, BAD) for one in said))
    (reports,) = [one for one in kith.guild.channels.values() if one.name == "reports"]
    post = await kith.fake.wait_message(
        reports, where=lambda one: "kith:alert:" in str(one.components)
    )
    await walk.press(mia, post, "Slow-Modus 10 Min.")
    await walk.press(mia, post, "Slow-Modus 10 Min.")
    for label in ("Ermahnen", "Timeout 10 min", "Timeout 10 min"):
        choosing = await (await walk.fake.click(mia, post, label)).reply()
        if choosing.components:
            await walk.fake.select(mia, choosing, [str(kith.alice.id)])
            await kith.calm()
    await walk.press(mia, post, "Fall eröffnen")
    for command in ("mod tension cases", "mod tension show"):
        options = {"member": kith.alice} if command.endswith("show") else {}
        await walk.use(mia, command, **options)
    await walk.press(mia, post, "Fall schließen")
    for _ in range(2):
        await walk.use(mia, "mod watch remove", channel=general)


async def test_the_finder_finds_what_is_english() -> None:
    assert english_in("Your memory") == ["Your", "memory"]
    assert english_in("Ich kann’s nicht; I don't") == ["don't"]
    assert not english_in("Das `the code` in <#12> und </memory show:4> ist **deins**.")
    shown = {"content": "a", "embeds": [{"title": "b", "fields": [{"name": "c", "value": "d"}]}]}
    select = [{"placeholder": "e", "options": [{"label": "f", "value": "g"}], "custom_id": "h"}]
    assert list(shown_in(shown | {"components": select})) == ["a", "b", "c", "d", "e", "f"]
