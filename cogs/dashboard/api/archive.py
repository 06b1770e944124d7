"""Export and import archives: zip files of rows, with a manifest and a checksum."""

import asyncio
import shutil
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse
from pydantic import Field
from starlette.types import Receive, Scope, Send

from cogs.dashboard.api.calls import (
    CONFLICT,
    ApiModel,
    IdParameter,
    problem_response,
)
from cogs.dashboard.web.access import RefusedRequest
from cogs.dashboard.web.context import InContext
from utils.admin.leftovers import make_temporary_folder
from utils.models.operator import EXPORTED, IMPORTED

ZIP = "application/zip"
MAX_BYTES = 512 * 2**20
A_FILE: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}

router = APIRouter(tags=["archive"])


class LeftOutResponse(ApiModel):
    """How many rows of a table were left out, and why."""

    table: str
    why: str
    count: int


class ImportResponse(ApiModel):
    """The new and left-out rows of an import, or (``is_preview``) of a dry run."""

    is_preview: bool
    new: dict[str, int] = Field(examples=[{"UserMemory": 120}])
    left_out: list[LeftOutResponse]


class TemporaryFileResponse(FileResponse):
    """A file that is removed with its folder after it was sent, or could not be sent."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file."""
        try:
            await super().__call__(scope, receive, send)
        finally:  # not awaited: the visitor may have gone, which cancels this
            shutil.rmtree(Path(self.path).parent, ignore_errors=True)


@router.get(
    "/export",
    summary="Export an archive",
    response_class=FileResponse,
    responses={200: {"content": {ZIP: A_FILE}, "description": "The archive, as a zip file."}},
)
async def export(
    context: InContext,
    guild_id: Annotated[IdParameter | None, Query(description="Only of this server.")] = None,
    user_id: Annotated[IdParameter | None, Query(description="Only of this person.")] = None,
) -> FileResponse:
    """Return an archive of everything, a server, a user or a member as a zip file."""
    folder = await asyncio.to_thread(make_temporary_folder, "export")
    file = folder / "kith-export.zip"
    try:
        await context.app.admin.archive.export(file, guild_id=guild_id, user_id=user_id)
        await context.app.admin.browser.record_operator_action(EXPORTED, guild_id, user_id)
    except BaseException:
        await _remove(folder)
        raise
    return TemporaryFileResponse(file, media_type=ZIP, filename=file.name)


@router.post(
    "/import",
    summary="Import an archive",
    responses=CONFLICT | {413: problem_response("The archive is too large.")},
    openapi_extra={"requestBody": {"required": True, "content": {ZIP: A_FILE}}},
)
async def import_(
    context: InContext,
    request: Request,
    preview: Annotated[
        bool, Query(description="Only check the archive and report what an import would do.")
    ] = False,
) -> ImportResponse:
    """Check an exported zip file and import it; existing data stays unchanged."""
    folder = await asyncio.to_thread(make_temporary_folder, "import")
    try:
        place = folder / "kith-import.zip"
        received = 0
        with await asyncio.to_thread(place.open, "xb") as stored:
            async for part in request.stream():
                received += len(part)
                if received > MAX_BYTES:
                    raise RefusedRequest(
                        413,
                        "That archive is larger than {limit} MB; import it with `python bot.py "
                        "import`.",
                        limit=MAX_BYTES // 2**20,
                    )
                await asyncio.to_thread(stored.write, part)
        archive = context.app.admin.archive
        result = await (archive.preview(place) if preview else archive.import_(place))
        if not preview:
            await context.app.admin.browser.record_operator_action(IMPORTED)
        return ImportResponse(
            is_preview=preview,
            new=dict(result.new),
            left_out=[
                LeftOutResponse(table=table, why=why, count=count)
                for (table, why), count in sorted(result.left_out.items())
            ],
        )
    finally:
        await _remove(folder)


async def _remove(folder: Path) -> None:
    await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
