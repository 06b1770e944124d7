"""What people erase does not come back, however often Kith repeated it before."""

import pytest

from tests.fakes.clock import ManualClock
from tests.integration.erasure_walk import ErasureWalk


@pytest.mark.parametrize("seed", [1, 2])
async def test_erased_secrets_never_come_back(database, database_url, seed, caplog):
    caplog.set_level("DEBUG")
    walk = ErasureWalk(database, database_url, ManualClock(), seed)
    await walk.start()
    try:
        for _ in range(8):
            assert await walk.round() == []
    finally:
        await walk.close()
    assert len(walk.erased) >= 30
    assert not [secret for secret in walk.erased if secret in caplog.text]
