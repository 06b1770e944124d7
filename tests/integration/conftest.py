"""What several of these tests live in."""

import pytest

from tests.fakes.clock import ManualClock
from tests.integration.residue import Household
from utils.memory.member_data.view import MemberData


@pytest.fixture
async def home(database, database_url):
    """Members with everything that is kept of them, and the doors of memory."""
    household = Household(database, database_url, ManualClock())
    await household.move_in()
    yield household
    await household.recorder.close()


@pytest.fixture
def member_data(database, clock):
    return MemberData(database, clock)
