"""Draw pictures of tension in a separate thread."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import discord

from cogs.sentiment.tension_chart import Chart, in_words
from cogs.sentiment.tension_picture import draw


class Charts:
    """Draws charts, one at a time; the first one imports Pillow."""

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None

    async def draw(self, chart: Chart) -> bytes:
        """Return the chart as PNG."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "charts")
        return await asyncio.get_running_loop().run_in_executor(self._thread, draw, chart)

    def close(self) -> None:
        """Stop the thread after the chart it is drawing."""
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)
            self._thread = None


async def as_file(charts: Charts, chart: Chart) -> discord.File:
    """Return a chart as an attachment with a description in words."""
    picture = await charts.draw(chart)
    return discord.File(BytesIO(picture), "tension.png", description=in_words(chart))
