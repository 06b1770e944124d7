"""The JSON API under /api/memory, and its documentation under /api/docs.

Who may call it is decided before any route: cogs/dashboard/web/middleware.py.
"""

from fastapi import APIRouter

from cogs.dashboard.api import (
    archive,
    docs,
    items,
    recall,
    recall_policy,
    records,
    stats,
    write_policy,
)
from cogs.dashboard.api.calls import PROBLEMS

router = APIRouter()
for _part in (items, records, stats, write_policy, recall, recall_policy, archive):
    router.include_router(_part.router, prefix="/api/memory", responses=PROBLEMS)
router.include_router(docs.router, prefix="/api")
