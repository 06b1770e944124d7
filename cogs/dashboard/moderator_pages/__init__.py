"""Moderators' pages: a server's settings, behind a one-time link of ``/setup`` or ``/mod page``."""

from fastapi import APIRouter, Depends

from cogs.dashboard.moderator_pages import alerts, channels, log, memory, review, start, voice
from cogs.dashboard.moderator_pages.visit import moderator_of
from cogs.dashboard.pages.entering import entrance
from cogs.dashboard.web.visits import MODERATORS

router = APIRouter(include_in_schema=False)
router.include_router(
    entrance(
        MODERATORS,
        "Set up Kith",
        "Set up Kith for your server. This link works once; the visit lasts half an hour.",
    ),
    prefix=MODERATORS.home,
)
for page in (start, channels, voice, memory, review, alerts, log):
    router.include_router(page.router, dependencies=[Depends(moderator_of)])
