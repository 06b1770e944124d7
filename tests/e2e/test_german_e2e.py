"""A German server: whatever Kith sends there is German, whoever presses or types what."""

import json
from typing import Any

import pytest

from tests.e2e.den import Den, memory
from tests.e2e.test_alerts_e2e import scored
from tests.english_finder import english_in, shown_in
from tests.fakes.discord import Channel, Member, Message, perms
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

    async def use_all(self, who: Member, *commands: tuple[str, dict[str, Any]]) -> None:
        """Use these commands with their options, one after the other."""
        for command, options in commands:
            await self.use(who, command, **options)

    async def ask(self, who: Member, command: str, /, *labels: str, **options: Any) -> None:
        """Use a command and press a button of its answer, once for each label."""
        for label in labels:
            await self.press(who, await self.use(who, command, **options), label)

    async def fill_in(self, who: Member, command: str, text: str, **options: Any) -> None:
        """Use a command that opens the form of a mode, and send it."""
        used = await self.fake.slash(who, self.den.general, command, options)
        form = await used.modal()
        await (await form.submit({"Meine Persönlichkeit, in deinen Worten": text})).reply()

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
    direct = kith.dm(alice)
    await kith.teach(alice, "Ich habe einen Hund")
    await kith.teach(alice, "Ich habe ein Fahrrad")
    (notice,) = [one for one in kith.answers() if one.components]
    await walk.press(kith.bob, notice, "30 Tage")
    await walk.press(alice, notice, "30 Tage")
    await kith.teach(alice, "Ich habe eine Katze", direct)
    shown = await walk.use(alice, "memory show")
    assert "hat ein Fahrrad" in str(shown.content) + str(shown.embeds)
    for command in ("memory why", "memory correct", "memory undo", "memory forget"):
        (number, *_) = [one["value"] for one in await walk.offered(alice, command, "memory")]
        options = {"text": "hat zwei Hunde"} if command == "memory correct" else {}
        for named in (number, "m1", "999", "was?"):
            await walk.use(alice, command, memory=named, **options)
    await walk.use_all(
        alice,
        ("memory search", {"words": "hat"}),
        ("memory search", {"words": "Elefant"}),
        ("memory export", {}),
        ("memory show", {"server": "5"}),
        ("memory show", {"place": direct}),
        ("memory export", {"place": direct}),
        ("memory consent", {"place": direct}),
        ("memory search", {"place": direct, "words": "hat"}),
        ("memory show", {"place": direct, "server": str(kith.guild.id)}),
        ("help", {}),
        ("privacy", {}),
        ("kith mode", {}),
        ("kith unlink", {}),
        ("kith roast", {"state": "on"}),
        ("kith roast", {"state": "off"}),
    )
    await walk.ask(alice, "memory consent", "Dauerhaft merken", "30 Tage")
    await walk.ask(alice, "memory consent", "Auch Gespräche mit anderen merken")
    await walk.ask(alice, "memory consent", "Gespräche mit anderen nicht merken")
    await walk.ask(
        *(alice, "memory forget", "Behalten", "Alles vergessen"),
        memory=(await walk.offered(alice, "memory forget", "memory", "Alles, was"))[0]["value"],
    )
    await walk.ask(alice, "kith link", "Es ist nicht meins", "Es ist meins", other=kith.bob)
    await walk.ask(kith.bob, "kith link", "Es ist meins", other=alice)
    for other in (alice, kith.guild.me):
        await walk.use(alice, "kith link", other=other)
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
    ):
        await (await walk.fake.context_menu(alice, kith.general, name, target)).reply()
    for label in ("Behalten", "Alles löschen"):
        page = await walk.use(alice, "memory consent")
        await walk.press(alice, page, "Nichts merken", is_asked=True)
        await walk.press(alice, page, label)
    await kith.calm()
    await walk.use(alice, "memory show")
    assert walk.texts() > 90
    assert walk.english().splitlines() == []


@pytest.mark.slow  # the walk of members is the quick suite's sample
async def test_what_moderators_read_is_german(walk: Walk) -> None:
    kith, mia, fake = walk.den, walk.den.moderator, walk.fake
    reports, other = (kith.guild.add_text_channel(name) for name in ("reports", "other"))
    verified = kith.guild.add_role("Verifiziert", perms("view_channel"))
    page = await walk.use(mia, "setup")
    for chosen in ("Chat-Kanäle", "Kanäle, in denen ich nie antworte"):
        await fake.select(mia, page, [other], chosen)
        await kith.calm()
    for _ in range(6):
        await walk.press(mia, page, "Weiter")
    await walk.press(mia, page, "Noch einmal prüfen")
    await walk.press(mia, page, "Fertig")
    question = await walk.use(mia, "config baserole", role=verified)
    if question.components:
        await walk.press(mia, question, "Stop")
    card = {"name": "Mara", "description": "Ahoi! " * 500, "scenario": "Auf See."}
    await walk.use_all(
        mia,
        *(
            (f"config channel {purpose}", {"action": action, "channel": other})
            for purpose in ("chat", "never")
            for action in ("list", "add", "remove", "remove")
        ),
        ("config channel log", {"action": "add", "channel": reports}),
        ("config timezone", {"name": "Europe/Berlin"}),
        ("config timezone", {"name": "Mond"}),
        ("config consent", {"default": "lasting"}),
        ("config consent", {"default": "temporary"}),
        ("config lore", {"state": "on"}),
        ("config lore", {"state": "off"}),
        ("mod freeze", {"state": "on"}),
        ("mod freeze", {"state": "off"}),
        ("config show", {}),
        ("help", {}),
        ("mode set", {"mode": "roast"}),
        ("mode set", {"mode": "fremd"}),
        ("mode set", {"mode": "roast", "channel": other}),
        ("mode preview", {"mode": "roast"}),
        ("mode preview", {"mode": "fremd"}),
        ("kith mode", {}),
        ("mode clear", {"channel": other}),
        ("mode clear", {"channel": other}),
        ("mode create", {"name": "Nein!"}),
        ("mode import", {"card": ("mara.json", json.dumps(card).encode())}),
        ("mode import", {"card": ("mara.json", b"nichts")}),
        ("model set", {"model": "gpt-4.1-mini", "channel": other}),
        ("model set", {"model": "fremd"}),
        ("model show", {}),
        ("model reset", {"channel": other}),
        ("model reset", {"channel": other}),
        ("mod policy history", {}),
        ("mod policy set", {"cap": 10_000_000}),
        ("mod policy set", {"active_from": 0.1, "proposed_from": 0.9}),
        ("mod policy set", {"approve_kinds": "Quatsch"}),
        ("mod policy set", {"approve_kinds": "task", "longest_days": "task 7", "recall": True}),
        ("mod policy set", {"longest_days": "Quatsch"}),
        ("mod policy set", {"moderators_see_members": True}),
        ("mod policy set", {}),
        ("mod policy show", {}),
        ("mod policy history", {}),
        ("mod usage", {}),
        ("mod policy rollback", {"version": 0}),
        ("mod policy rollback", {"version": 99}),
        ("mod ignore list", {}),
        ("mod ignore add", {"member": kith.bob}),
        ("mod ignore add", {"member": kith.bob}),
        ("mod ignore list", {}),
        ("mod ignore remove", {"member": kith.bob}),
        ("mod ignore remove", {"member": kith.bob}),
        ("mod memory", {"member": kith.alice}),
        ("mod search", {"words": "Hund"}),
        ("mod review", {}),
        ("mod policy set", {"mode": "manual", "reason": "Probe"}),
    )
    await walk.fill_in(mia, "mode create", "Ahoi!", name="seebaer")
    await walk.fill_in(mia, "mode edit", "Moin!", name="seebaer")
    await walk.ask(mia, "mode delete", "Behalten", "Löschen", name="seebaer")
    await use_review(walk)
    await use_watching(walk, reports)
    await kith.calm()
    assert walk.texts() > 150
    assert walk.english().splitlines() == []


async def use_review(walk: Walk) -> None:
    mia = walk.den.moderator
    for what in ("einen Hund", "eine Katze"):
        await walk.den.teach(walk.den.alice, f"Ich habe {what}")
    page = await walk.use(mia, "mod review")
    for style in (APPROVE, REJECT):
        buttons = [item for row in page.components for item in row["components"]]
        chosen = [one for one in buttons if one["style"] == style and not one.get("disabled")]
        await walk.press(mia, page, chosen[0]["custom_id"])


async def use_watching(walk: Walk, reports: Channel) -> None:
    kith, mia, general = walk.den, walk.den.moderator, walk.den.general
    await walk.use_all(
        mia,
        ("mod watch list", {}),
        ("mod tension show", {}),
        ("mod tension cases", {}),
        ("mod watch add", {"memory": "opt-out", "channel": general}),
        ("mod watch add", {"memory": "opt-in", "channel": general}),
        ("mod watch list", {}),
        ("mod tension show", {}),
        ("mod tension settings", {}),
        ("mod summary", {}),
        ("mod tension settings", {"automatic": "on"}),
        ("mod tension settings", {"automatic": "dry-run", "tension_alert": 0.4}),
    )
    said = [await walk.fake.say(who, general, "du Nuss") for who in (kith.alice, kith.bob)]
    await scored(kith, *((one, BAD) for one in said))
    post = await kith.fake.wait_message(
        reports, where=lambda one: "kith:alert:" in str(one.components)
    )
    await walk.press(mia, post, "Slow-Modus 10 Min.")
    for label in ("Ermahnen", "Timeout 10 Min."):
        choosing = await (await walk.fake.click(mia, post, label)).reply()
        await walk.fake.select(mia, choosing, [str(kith.alice.id)])
        await kith.calm()
    await walk.press(mia, post, "Fall eröffnen")
    await walk.use_all(mia, ("mod tension cases", {}), ("mod tension show", {"member": kith.alice}))
    await walk.press(mia, post, "Fall schließen")
    await walk.use_all(
        mia, ("mod watch remove", {"channel": general}), ("mod watch remove", {"channel": general})
    )


async def test_the_finder_finds_what_is_english() -> None:
    assert english_in("Your memory") == ["Your", "memory"]
    assert english_in("Ich kann’s nicht; I don't") == ["don't"]
    assert not english_in("Das `the code` in <#12> und </memory show:4> ist **deins**.")
    shown = {"content": "a", "embeds": [{"title": "b", "fields": [{"name": "c", "value": "d"}]}]}
    select = [{"placeholder": "e", "options": [{"label": "f", "value": "g"}], "custom_id": "h"}]
    assert list(shown_in(shown | {"components": select})) == ["a", "b", "c", "d", "e", "f"]
