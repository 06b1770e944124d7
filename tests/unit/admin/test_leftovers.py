"""What killed processes leave behind is removed; what running ones use is not."""

import os
import subprocess
import sys
import tempfile
import time

import pytest

from utils.admin.leftovers import OLD_AFTER_S, remove_leftovers


@pytest.fixture(autouse=True)
def own_temporary_folder(tmp_path, monkeypatch):
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path / "tmp"


def ended_process():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def aged(file, seconds):
    file.parent.mkdir(exist_ok=True)
    file.write_text("what Ada said")
    then = time.time() - seconds
    os.utime(file, (then, then))
    return file


def test_exports_of_processes_that_ended_are_removed_and_those_of_others_stay(tmp_path):
    killed = own(tmp_path, ended_process())
    running = own(tmp_path, os.getppid())
    foreign = tmp_path / "tmp" / "somebody-else"
    foreign.mkdir()
    assert len(remove_leftovers(f"sqlite:///{tmp_path}/kith.db")) == 1
    assert not killed.exists()
    assert running.exists() and foreign.exists()


def own(tmp_path, process):
    folder = tmp_path / "tmp" / f"kith-export-{process}-abc"
    folder.mkdir()
    (folder / "kith-export.zip").write_text("what Ada said")
    return folder


def test_unfinished_backups_and_restores_are_removed_once_nobody_writes_them(tmp_path):
    old = [
        aged(tmp_path / name, OLD_AFTER_S + 1)
        for name in ("backups/kith-1.db.part", "backups/kith-1.db.part-wal", "kith[1].db.restoring")
    ]
    new = aged(tmp_path / "backups" / "kith-2.db.part", 1)
    kept = [aged(tmp_path / name, OLD_AFTER_S + 1) for name in ("kith[1].db", "backups/kith-0.db")]
    assert set(remove_leftovers(f"sqlite:///{tmp_path}/kith[1].db")) == set(old)
    assert not any(file.exists() for file in old)
    assert new.exists() and all(file.exists() for file in kept)
