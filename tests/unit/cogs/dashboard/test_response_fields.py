"""A new field of a dataclass is public only once it stands here too."""

import pytest

from cogs.dashboard.api.items import AuditEntryResponse, EvidenceResponse, MemoryResponse
from cogs.dashboard.api.records import MessagePageResponse

(MessageResponse,) = MessagePageResponse.model_fields["events"].annotation.__args__

PUBLIC = {
    MemoryResponse: "channel_id confidence created_at evidence_count expires_at fact_key form "
    "guild_id id importance kind last_confirmed_at last_used_at source status superseded_by text "
    "topics uid use_count user_id",
    EvidenceResponse: "channel_id link message_id method model prompt_hash quote said_at "
    "verified_by verifier_model",
    AuditEntryResponse: "action actor_id after at before guild_id id memory_id user_id",
    MessageResponse: "attempts author_id author_name channel_id created_at expires_at guild_id id "
    "message_id reply_to_id revision role source_id state text",
}


@pytest.mark.parametrize("response", PUBLIC, ids=lambda response: response.__name__)
def test_a_response_has_these_fields_and_no_others(response):
    assert sorted(response.model_fields) == PUBLIC[response].split()
