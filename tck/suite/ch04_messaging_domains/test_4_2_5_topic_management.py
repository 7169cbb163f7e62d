"""4.2.5 Temporary topics exist."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect


@asserts("4.2.5-2")
def test_there_are_temporary_topics(case: Case) -> None:
    """A session or context creates a temporary topic, which can be used at once."""
    client = case.client()
    topic = expect.works("createTemporaryTopic()", client.session.create_temporary_topic)
    link = case.link(client=client, destination=topic)
    link.send("x")
    expect.only(link, ["x"])
