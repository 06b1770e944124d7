"""An exported archive does not stay in the temporary folder, whoever ends its download."""

import asyncio
from contextlib import suppress

import pytest

from cogs.dashboard.api.archive import TemporaryFileResponse
from utils.admin.leftovers import make_temporary_folder


@pytest.mark.parametrize("error", [None, OSError, asyncio.CancelledError])
async def test_an_export_is_removed_however_its_download_ends(tmp_path, monkeypatch, error):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = make_temporary_folder("export")
    file = folder / "kith-export.zip"
    file.write_text("what Ada said")

    async def send(message):
        assert file.exists()
        if error is not None:
            raise error

    async def receive():
        await asyncio.Event().wait()

    scope = {"type": "http", "method": "GET", "path": "/", "headers": []}
    response = TemporaryFileResponse(file)
    with suppress(OSError, asyncio.CancelledError):
        await response(scope, receive, send)
    assert not folder.exists()
