"""The dashboard's pages, one module each."""

from fastapi import APIRouter

from cogs.dashboard.pages import (
    audit,
    login,
    members,
    memories,
    memory,
    overview,
    people,
    recall,
    recall_policy,
    recall_policy_versions,
    review,
    settings,
    watching,
    write_policy,
)

router = APIRouter(include_in_schema=False)
for page in (
    login,
    overview,
    members,
    memories,  # before memory: its paths would match as an id
    memory,
    review,
    watching,
    recall,
    audit,
    recall_policy,  # before policy: its paths would match as a version
    recall_policy_versions,
    write_policy,
    settings,
    people,
):
    router.include_router(page.router)
