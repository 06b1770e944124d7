"""How many requests are answered at once, and whose."""

import asyncio

from cogs.dashboard.web.connections import (
    MAX_REQUESTS_PER_ADDRESS,
    LimitRequests,
)


class Held:
    """An application whose answers wait."""

    def __init__(self):
        self.go_on = asyncio.Event()
        self.limited = LimitRequests(self)

    async def __call__(self, scope, receive, send):
        if scope["path"] == "/held":
            await self.go_on.wait()
        await send({"type": "http.response.start", "status": 200})

    async def ask(self, address, path="/held"):
        statuses = []

        async def send(message):
            statuses.append(message.get("status"))

        scope = {"type": "http", "path": path, "client": (address, 1)}
        await self.limited(scope, None, send)
        return statuses[0]


async def busy(app, addresses):
    asking = [asyncio.create_task(app.ask(address)) for address in addresses]
    await asyncio.sleep(0)
    return asking


async def test_one_address_leaves_room_for_others_and_for_the_health_check():
    app = Held()
    asking = await busy(app, ["192.0.2.1"] * MAX_REQUESTS_PER_ADDRESS)
    assert await app.ask("192.0.2.1", "/") == 503
    assert await app.ask("192.0.2.2", "/") == 200
    assert await app.ask("192.0.2.1", "/api/memory/health") == 200
    app.go_on.set()
    assert await asyncio.gather(*asking) == [200] * MAX_REQUESTS_PER_ADDRESS
    assert await app.ask("192.0.2.1", "/") == 200
