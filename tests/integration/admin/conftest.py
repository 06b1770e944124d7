"""A household with the operator's view of it."""

import pytest

from tests.fakes.builders import ADA, GUILD, audience, make_guild_settings, make_rules
from tests.fakes.clock import ManualClock
from tests.integration.residue import Household
from utils.admin.browser import Browser
from utils.admin.recall_explainer import RecallExplainer
from utils.database.admin import pagination
from utils.guilds.known_members import KnownMembers
from utils.models.admin import MemoryFilter
from utils.models.guild import GuildSettings
from utils.models.recall import Person


class BrowserHousehold(Household):
    """A household with the operator's door in it."""

    def __init__(self, database, url, clock, **given):
        super().__init__(database, url, clock)
        self.guilds = make_guild_settings(database, clock)
        self.told = []
        self.known_members = KnownMembers(database, clock)
        self.signals.proposals.connect(
            lambda guild_id, ids: self.told.extend((guild_id, memory_id) for memory_id in ids)
        )
        self.browser = Browser(
            database,
            clock,
            make_rules(**given),
            self.keeper,
            self.known_members,
        )
        self.explainer = RecallExplainer(clock, self.guilds, self.reader)

    async def only(self, **wanted):
        (row,) = (await self.browser.items(MemoryFilter(**wanted))).rows
        return row

    async def recalled(self, text, reader=None):
        settings = GuildSettings(GUILD)
        reader = reader or self.reader
        people = [Person(ADA.user_id, "Ada")]
        recall = await reader.recall(audience(), people, text, settings=settings)
        return text in recall.block


@pytest.fixture
async def house(database, database_url):
    made = BrowserHousehold(database, database_url, ManualClock())
    await made.move_in()
    yield made
    await made.recorder.close()


@pytest.fixture
def few(monkeypatch):
    """Let one call look at no more than ten rows."""
    monkeypatch.setattr(pagination, "MAX_SCANNED", 10)
    monkeypatch.setattr(pagination, "PAGE", 3)
