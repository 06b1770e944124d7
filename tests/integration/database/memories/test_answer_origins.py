"""Where an answer comes from, as it is stored."""

import pytest

from tests.fakes.builders import ADA, CHANNEL, GUILD
from tests.integration.stored_rows import add, by
from utils.database.memories import answer_origins
from utils.database.schema.memory_tables import memory_event
from utils.models.provenance import SourceKind, SourceRef, SourceRole

TEXT = "my boat is in the harbour"


@pytest.mark.parametrize("texts", [("", TEXT), (TEXT, "")])
def test_of_an_edited_message_the_revision_with_words_counts(connection, texts):
    for revision, text in enumerate(texts):
        row = {"MessageId": 1, "Revision": revision, "Text": text}
        add(connection, memory_event, **by(ADA), **row)
    refs = [SourceRef(SourceKind.MESSAGE, 1, SourceRole.RECALLED, ADA.user_id)]
    answer = "Your boat is in the harbour."
    (origin,) = answer_origins.load(connection, GUILD, refs, answer, 0, [CHANNEL])
    assert origin.text == TEXT
