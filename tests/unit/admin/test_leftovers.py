"""What killed processes leave behind is removed; what running ones use is not."""

import os
import time

from utils.admin.leftovers import OLD_AFTER_S, remove_leftovers


def aged(file, seconds):
    file.parent.mkdir(exist_ok=True)
    file.write_text("what Ada said")
    then = time.time() - seconds
    os.utime(file, (then, then))
    return file


def test_unfinished_backups_and_restores_are_removed_once_nobody_writes_them(tmp_path):
    old = [
        aged(tmp_path / name, OLD_AFTER_S + 1)
        for name in ("backups/kith-1.db.part", "backups/kith-1.db.part-wal", "kith.db.restoring")
    ]
    new = aged(tmp_path / "backups" / "kith-2.db.part", 1)
    kept = [aged(tmp_path / name, OLD_AFTER_S + 1) for name in ("kith.db", "backups/kith-0.db")]
    assert set(remove_leftovers(f"sqlite:///{tmp_path}/kith.db")) == set(old)
    assert not any(file.exists() for file in old)
    assert new.exists() and all(file.exists() for file in kept)
