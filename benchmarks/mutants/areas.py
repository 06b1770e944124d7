"""The parts of Kith whose tests are tested, and the tests that are theirs."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Area:
    """Files to change, as patterns from the top of the repository, and tests that may notice."""

    files: tuple[str, ...]
    tests: tuple[str, ...]


AREAS = {
    "privacy": Area(
        ("utils/memory/privacy/*.py",),
        (
            "tests/integration/memory/privacy",
            "tests/integration/memory/member_data",
            "tests/integration/database/test_consent_races.py",
        ),
    ),
    "erasure": Area(
        ("utils/database/erasure/*.py", "utils/database/privacy/*.py"),
        (
            "tests/integration/memory/privacy",
            "tests/integration/memory/member_data",
            "tests/integration/memory/episodes",
        ),
    ),
    "consolidation": Area(
        ("utils/memory/consolidation/*.py",),
        (
            "tests/unit/memory/consolidation",
            "tests/integration/memory/consolidation",
            "tests/integration/memory/ingestion",
        ),
    ),
    "recall": Area(
        (
            "utils/memory/recall/channel_context.py",
            "utils/memory/recall/pipeline.py",
            "utils/memory/recall/prepared_cache.py",
            "utils/memory/recall/query.py",
            "utils/memory/recall/reader.py",
        ),
        ("tests/unit/memory/recall", "tests/integration/memory/recall"),
    ),
    "audience": Area(
        ("cogs/bot/audience.py", "utils/guilds/channel_readers.py"),
        (
            "tests/unit/guilds/test_channel_readers.py",
            "tests/e2e/test_audience_e2e.py",
            "tests/integration/memory/recall/test_audience_leaks.py",
        ),
    ),
}
