"""A policy in the shadow on live traffic: noted after the reply, while nobody sees a difference."""

import asyncio

from tests.e2e.den import PATIENCE_S, Den
from utils.memory.policy.recall_policy import RecallPolicy

WHO = {"actor": "command line", "reason": "a test"}


async def test_what_is_in_the_shadow_is_reported_and_changes_no_reply(den: Den) -> None:
    async with den.awake():
        policies = den.app.policies.versions
        await den.teach(den.alice, "I have a dog named Rex")
        await policies.start_shadow(RecallPolicy(block_tokens=100, said_share=0.0), 2, **WHO)
        await den.talk(den.alice, "what is my dog called?")
        assert "Has a dog named Rex." in den.last_words()
        await den.fake.slash(den.alice, den.general, "ask", {"question": "what is my dog called?"})
        async with asyncio.timeout(PATIENCE_S):  # the reply is seen before the cog is done with it
            while (await policies.shadow_report()).recalls < 2:
                await asyncio.sleep(0)
                await den.app.policies.shadow.write()
        report = await policies.shadow_report()
        assert (report.recalls, report.members) == (2, 1)
        assert report.values["tokens, active"] > 0
