"""Makes stored stems again after another version of the stemmer was installed."""

import logging
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from utils.admin.job_runs import JobRuns
from utils.database.admin import jobs, stored_stems
from utils.database.core.engine import Database
from utils.database.schema.attachments_tables import artifact_text
from utils.database.schema.episodes_tables import episode_summary
from utils.database.schema.memory_tables import memory_event, user_memory
from utils.memory.attachments.rendering import PART_STEMS
from utils.memory.consolidation.wording import TEXT_STEMS
from utils.memory.episodes.summarizer import SUMMARY_STEMS
from utils.memory.policy.storable_events import EVENT_STEMS
from utils.models.attachment import without_placeholders
from utils.models.episode import topic_of
from utils.nlp.stemming import stems

RESTEM = "restem"
STEMMER = f"PyStemmer {version('PyStemmer')}, with names 2"  # as of utils/nlp/stemming.py
_MAKERS: tuple[tuple[Any, Callable[[Any], str], int], ...] = (
    (user_memory, lambda row: row.Memory, TEXT_STEMS),
    (memory_event, lambda row: without_placeholders(row.Text), EVENT_STEMS),
    (artifact_text, lambda row: row.Text, PART_STEMS),
    (episode_summary, lambda row: f"{row.Text}\n{topic_of(row.Structure)}", SUMMARY_STEMS),
)

_log = logging.getLogger(__name__)


async def restem_if_due(database: Database, job_runs: JobRuns) -> None:
    """Make all stems again, once for all processes, unless this version has made them.

    Some words would not be found by the stems of another version. Raises DatabaseError; the next
    start tries again.
    """

    async def restem() -> str:
        for table, text_of, limit in _MAKERS:

            def make(row: Any, text_of: Any = text_of, limit: int = limit) -> str:
                return " ".join(stems(text_of(row), limit=limit))

            last_id: int | None = 0
            while last_id is not None:
                last_id = await database.write(stored_stems.restem_page, table, make, last_id)
        _log.info("stored stems are those of %s", STEMMER)
        return STEMMER

    last = await database.read(jobs.last_success, RESTEM)
    if last is None or last.report != STEMMER:
        await job_runs.run_once(RESTEM, restem)
