#!/bin/sh
# graphiti-core 0.31.2 with kuzu 0.11.3, openai 3.57.0 and httpx 0.28.1, which it imports and does not name (PyPI, CPython
# 3.11; getzep/graphiti issue 1893). "I live in Leeds", then "I live in York": the second episode ends the first fact.
# Graphiti.remove_episode(second) deletes York and leaves Leeds ended (invalid_at, expired_at), so of a correction that
# is taken back nothing is known any more; no field says which episode ended a fact.
# A summary of somebody whom other episodes mention is written anew by the model. If the model is away, the old summary
# stays, with the words of the removed episode in it; remove_episode raises nothing, only the log knows.
# Source: remove_episode in graphiti_core/graphiti.py of the wheel; getzep/graphiti issue 1837 asked for the summary to
# be rebuilt. Made without a model: the facts are ended by the package's own resolve_edge_contradictions. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "graphiti-core[kuzu]==0.31.2" "kuzu==0.11.3" "openai==3.57.0" "httpx==0.28.1"
cd "$folder"
GRAPHITI_TELEMETRY_ENABLED=false venv/bin/python -W ignore - 2>log <<'PY'
import asyncio
from datetime import datetime, timezone

from graphiti_core import Graphiti
from graphiti_core.cross_encoder.client import CrossEncoderClient
from graphiti_core.driver.kuzu_driver import KuzuDriver
from graphiti_core.edges import EntityEdge, EpisodicEdge
from graphiti_core.embedder.client import EmbedderClient
from graphiti_core.llm_client import LLMClient, LLMConfig
from graphiti_core.nodes import EntityNode, EpisodeType, EpisodicNode
from graphiti_core.utils.maintenance.edge_operations import resolve_edge_contradictions

MONDAY, TUESDAY = (datetime(2026, 11, day, 10, tzinfo=timezone.utc) for day in (23, 24))


class Away(LLMClient):
    """A model that cannot be reached."""

    async def _generate_response(self, *_, **__):
        raise ConnectionError("the model is away")


class Vectors(EmbedderClient):
    async def create(self, input_data):
        return [1.0, 0.0]


class Ranks(CrossEncoderClient):
    async def rank(self, query, passages):
        return [(passage, 1.0) for passage in passages]


def episode(words, when):
    return EpisodicNode(
        name=words, group_id="", source=EpisodeType.message, source_description="chat", content=words, valid_at=when
    )


def edge(anna, city, by):
    return EntityEdge(
        group_id="",
        source_node_uuid=anna.uuid,
        target_node_uuid=city.uuid,
        name="LIVES_IN",
        fact=f"Anna lives in {city.name}",
        fact_embedding=[1.0, 0.0],
        episodes=[by.uuid],
        created_at=by.valid_at,
        valid_at=by.valid_at,
    )


async def main():
    driver = KuzuDriver()
    graph = Graphiti(
        graph_driver=driver, llm_client=Away(LLMConfig(), cache=False), embedder=Vectors(), cross_encoder=Ranks()
    )
    await graph.build_indices_and_constraints()
    anna, leeds, york = (
        EntityNode(name=name, group_id="", name_embedding=[1.0, 0.0], summary=summary)
        for name, summary in (("Anna", "Anna moved to York."), ("Leeds", ""), ("York", ""))
    )
    first, second = episode("I live in Leeds", MONDAY), episode("I live in York", TUESDAY)
    old, new = edge(anna, leeds, first), edge(anna, york, second)
    ended = resolve_edge_contradictions(new, [old])
    assert [one.uuid for one in ended] == [old.uuid]
    first.entity_edges, second.entity_edges = [old.uuid], [new.uuid]
    for row in (anna, leeds, york, first, second, old, new):
        await row.save(driver)
    for said, names in ((first, (anna, leeds)), (second, (anna, york))):
        for name in names:
            await EpisodicEdge(
                group_id="", source_node_uuid=said.uuid, target_node_uuid=name.uuid, created_at=said.valid_at
            ).save(driver)

    await graph.remove_episode(second.uuid)

    (left,) = await EntityEdge.get_by_group_ids(driver, [""])
    known = await EntityNode.get_by_uuid(driver, anna.uuid)
    print("facts:  ", repr(left.fact), "ended", left.invalid_at and left.invalid_at.date())
    print("summary:", repr(known.summary))
    if left.uuid != old.uuid or left.invalid_at is None or left.expired_at is None or "York" not in known.summary:
        raise SystemExit("the behaviour has changed")


asyncio.run(main())
PY
