"""Memory out and in, as archives: zip files of JSON Lines with a manifest and checksums."""

import asyncio
import shutil
import tempfile
from pathlib import Path
from typing import Annotated, Any, BinaryIO

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse
from pydantic import Field
from starlette.background import BackgroundTask

from cogs.dashboard.api.calls import (
    CONFLICT,
    Call,
    GivenId,
    InHouse,
    Shape,
    TooLarge,
    problem_named,
)
from utils.model.operator import EXPORTED, IMPORTED

ZIP = "application/zip"
MOST_BYTES = 512 * 2**20
TOO_LARGE = "That archive is larger than {most} MB; take it in with `python bot.py import`."
A_FILE: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}

router = APIRouter(route_class=Call, tags=["archive"])


class LeftOut(Shape):
    """Lines of a file that were left out, and why."""

    file: str
    why: str
    count: int


class Arrived(Shape):
    """What an import came to, or (``is_preview``) would: new lines by file, and those left out."""

    is_preview: bool
    new: dict[str, int] = Field(examples=[{"memories.jsonl": 120}])
    left_out: list[LeftOut]


@router.get(
    "/export",
    summary="Export an archive",
    response_class=FileResponse,
    responses={200: {"content": {ZIP: A_FILE}, "description": "The archive, as a zip file."}},
)
async def export(
    house: InHouse,
    guild_id: Annotated[GivenId | None, Query(description="Only of this server.")] = None,
    user_id: Annotated[GivenId | None, Query(description="Only of this person.")] = None,
) -> FileResponse:
    """Return everything, or what is of a server, a person, or a member, as a zip file."""
    folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="kith-export-"))
    file = folder / "kith-export.zip"
    try:
        await house.core.archive.export(file, guild_id=guild_id, user_id=user_id)
        await house.core.browser.note_deed(EXPORTED, guild_id, user_id)
    except BaseException:
        await _remove(folder)
        raise
    return FileResponse(
        file, media_type=ZIP, filename=file.name, background=BackgroundTask(_remove, folder)
    )


@router.post(
    "/import",
    summary="Import an archive",
    responses=CONFLICT | {413: problem_named("The archive is too large.")},
    openapi_extra={"requestBody": {"required": True, "content": {ZIP: A_FILE}}},
)
async def import_(
    house: InHouse,
    request: Request,
    preview: Annotated[bool, Query(description="Only check it, and say what it would do.")] = False,
) -> Arrived:
    """Check a zip file that export made, and take it in: what is here already stays as it is."""
    folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="kith-import-"))
    try:
        place = folder / "kith-import.zip"
        await _receive(request, place)
        archive = house.core.archive
        came = await (archive.preview(place) if preview else archive.take_in(place))
        if not preview:
            await house.core.browser.note_deed(IMPORTED)
        return Arrived(
            is_preview=preview,
            new=dict(came.new),
            left_out=[
                LeftOut(file=file, why=why, count=count)
                for (file, why), count in sorted(came.left_out.items())
            ],
        )
    finally:
        await _remove(folder)


async def _receive(request: Request, file: Path) -> None:
    """Store what is sent, up to MOST_BYTES. Raises TooLarge."""
    received = 0
    with await asyncio.to_thread(_opened, file) as stored:
        async for part in request.stream():
            received += len(part)
            if received > MOST_BYTES:
                raise TooLarge(TOO_LARGE, most=MOST_BYTES // 2**20)
            await asyncio.to_thread(stored.write, part)


def _opened(file: Path) -> BinaryIO:
    return file.open("xb")


async def _remove(folder: Path) -> None:
    await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
