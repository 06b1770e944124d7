"""The operator's pages, one module each; they read and change through the doors in utils."""

from fastapi import APIRouter

from cogs.dashboard.pages import (
    audit,
    jobs,
    login,
    members,
    memory,
    overview,
    policy,
    recall,
    recall_policy,
    review,
    settings,
    write_policy,
)

router = APIRouter(include_in_schema=False)
for page in (
    login,
    overview,
    members,
    memory,
    review,
    recall,
    audit,
    recall_policy,  # before the versions, of which "edit" is none
    policy,
    write_policy,
    jobs,
    settings,
):
    router.include_router(page.router)
