"""The JSON API under /api/memory, and its documentation under /api/docs.

Who may call it is decided before any route: cogs/dashboard/web/middleware.py.
"""

from fastapi import APIRouter

from cogs.dashboard.api import docs, items, recall_policy, write_policy
from cogs.dashboard.api.calls import PROBLEMS

router = APIRouter()
for _part in (items, write_policy, recall_policy):
    router.include_router(_part.router, prefix="/api/memory", responses=PROBLEMS)
router.include_router(docs.router, prefix="/api")
