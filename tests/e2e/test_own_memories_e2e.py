"""What members do under /memory show, and buttons whose view is over."""

from weakref import WeakSet

import pytest

from cogs.bot.views import AuthorView
from tests.e2e.den import Den
from tests.e2e.test_commands_e2e import use
from tests.fakes.discord import Message

CHOOSE = "Choose one to correct or forget"


def offered(page: Message) -> list[str]:
    """The labels of what the list under a page offers."""
    items = [item for row in page.components for item in row["components"]]
    return [option["label"] for item in items for option in item.get("options", [])]


def disabled(page: Message) -> dict[str, bool]:
    """The buttons under a page, and whether they are disabled."""
    items = [item for row in page.components for item in row["components"]]
    return {item["label"]: bool(item.get("disabled")) for item in items if "label" in item}


async def test_a_memory_is_chosen_under_the_list_and_explained_corrected_and_forgotten(
    kith: Den,
) -> None:
    alice = kith.alice
    await kith.teach(alice, "I have a dog. I live in Rome. I own a boat.")
    page = await use(kith, alice, "memory show")
    assert len(offered(page)) == 3
    assert disabled(page) == {"Why?": True, "Correct": True, "Forget": True}
    (dog,) = [label for label in offered(page) if "has a dog" in label]
    number = dog.partition(" ")[0]

    await (await kith.fake.select(alice, page, [number], CHOOSE)).edited()
    assert disabled(page) == {"Why?": False, "Correct": False, "Forget": False}
    why = await (await kith.fake.click(alice, page, "Why?")).followup()
    assert why.ephemeral
    assert "I have a dog" in why.content
    form = await (await kith.fake.click(alice, page, "Correct")).modal()
    (field,) = form.inputs
    assert field["value"] == "has a dog"
    (rome,) = [label for label in offered(page) if "Rome" in label]
    elsewhere = await kith.fake.select(alice, page, [rome.partition(" ")[0]], CHOOSE)
    await elsewhere.edited()  # on another device, with the form still open
    corrected = await (await form.submit({"What is true instead": "has two dogs"})).followup()
    assert corrected.content.startswith("Corrected: `#")
    assert "has two dogs" in page.content
    assert "has two dogs" in await kith.known_of(alice)
    assert any("Rome" in text for text in await kith.known_of(alice))

    (dogs,) = [label for label in offered(page) if "has two dogs" in label]
    chosen = dogs.partition(" ")[0]
    await (await kith.fake.select(alice, page, [chosen], CHOOSE)).edited()
    gone = await (await kith.fake.click(alice, page, "Forget")).followup()
    assert gone.content == f"Forgotten: {chosen}."
    assert "dog" not in page.content
    assert disabled(page)["Forget"]
    assert not any("dog" in text for text in await kith.known_of(alice))


async def test_buttons_that_are_over_go_and_say_so(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with den.awake():
        asked = await use(den, den.alice, "memory consent")
        listed = await use(den, den.alice, "reset")
    monkeypatch.setattr(AuthorView, "_open", WeakSet())  # a process of its own has no others
    monkeypatch.setattr("cogs.bot.views.EXPIRED_AFTER_S", 0.0)  # nor is there another to wait for
    async with den.awake():
        for message in (asked, listed):
            label = next(iter(disabled(message)))
            told = await (await den.fake.click(den.alice, message, label)).followup()
            assert told.ephemeral
            assert told.content == "These buttons have expired. Use the command again."
            assert message.components == []
        fresh = await use(den, den.alice, "memory consent")
        chosen = await den.fake.click(den.alice, fresh, "Remember me lastingly")
        assert (await chosen.edited()).content.startswith("I remember you lastingly here")
