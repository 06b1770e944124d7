"""The parts of Kith whose tests are tested, and the tests that may notice."""

AREAS = {
    "privacy": ("utils/memory/privacy/*.py",),
    "erasure": ("utils/database/erasure/*.py", "utils/database/privacy/*.py"),
    "consolidation": ("utils/memory/consolidation/*.py",),
    "verification": ("utils/memory/verification/*.py",),
    "recall": (
        "utils/memory/recall/channel_context.py",
        "utils/memory/recall/pipeline.py",
        "utils/memory/recall/prepared_cache.py",
        "utils/memory/recall/query.py",
        "utils/memory/recall/reader.py",
    ),
    "audience": (
        "cogs/bot/audience.py",
        "utils/guilds/channel_readers.py",
        "utils/guilds/permission_rules.py",
    ),
}
"""Files to change, as patterns from the top of the repository."""

TESTS = (
    *(
        f"tests/unit/memory/{name}"
        for name in ("consolidation", "privacy", "recall", "verification")
    ),
    "tests/unit/guilds",
    "tests/unit/cogs/bot",
    "tests/integration/memory",
    "tests/integration/admin",
    "tests/integration/conversation",
    *(f"tests/integration/database/{name}" for name in ("erasure", "memories", "privacy")),
    *(
        f"tests/integration/database/test_{name}.py"
        for name in ("consent_races", "overtaken", "races")
    ),
    "tests/integration/guilds",
    *(
        f"tests/e2e/test_{name}_e2e.py"
        for name in (
            *("answer_removals", "attachments", "audience", "cascade", "channel_kinds"),
            *("commands", "consent", "control", "modes", "outage", "setup"),
        )
    ),
)
"""Tests of all areas. Running them once shows which of them call a function."""
