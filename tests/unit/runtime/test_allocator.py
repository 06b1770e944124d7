"""All threads share one arena of the C library, unless the operator chose a number of them."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
COUNT_ARENAS = """
import ctypes, sys, threading
from utils.runtime.allocator import use_one_arena

print(use_one_arena() if "one" in sys.argv else "as it is")
together = threading.Barrier(4)


def allocate():
    together.wait()
    texts = [bytes(1_000 + number) for number in range(500)]  # longer than Python's own allocator
    together.wait()  # takes; every thread lives until all have allocated
    del texts


threads = [threading.Thread(target=allocate) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(libc.fopen(sys.argv[1].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="glibc has arenas")


def run(tmp_path, *arguments, **environment):
    """Return what ``use_one_arena`` returned, and how many arenas the process had."""
    report = tmp_path / "arenas.xml"
    inherited = {
        name: value
        for name, value in os.environ.items()
        if "MALLOC" not in name and name != "GLIBC_TUNABLES"
    }
    ran = subprocess.run(
        [sys.executable, "-c", COUNT_ARENAS, str(report), *arguments],
        cwd=ROOT,
        env=inherited | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout.strip(), report.read_text().count("<heap nr=")


def test_threads_allocate_from_one_arena(tmp_path):
    assert run(tmp_path)[1] > 1, "otherwise there would be nothing to do"
    assert run(tmp_path, "one") == ("True", 1)
