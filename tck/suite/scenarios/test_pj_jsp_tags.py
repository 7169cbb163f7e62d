"""A page with tags that write and read messages: a server renders it, a client without a window fetches it."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

from tck.suite.support import Case, expect, scenario
from tck.suite.support.applications.pages import Page, ReadTag, WriteTag, fetched, page_server

TTL = 60_000
TEMPLATE = f"""<html><body>
<jms:write message="Hello World"/>
<p><jms:read/></p>
<jms:write priority="3" timetolive="{TTL}">
  This is a body test.
</jms:write>
<p><jms:read/></p>
<jms:write message="Hello II"/>
<p title="<jms:read/>">in the attribute</p>
<jms:write message="of the attribute">of the body</jms:write>
<p><jms:read/></p>
</body></html>
"""
SHOWN = ["Hello World", "This is a body test.", "Hello II", "of the attribute"]


@scenario("pj-jsp-tags")
def test_a_page_with_tags(case: Case) -> None:
    """The page shows the texts in the order of its tags, though each reader comes after the message that it reads."""
    queue = case.queue()
    read = ReadTag(case.client(), queue, int(case.timing.deadline))
    page = Page(TEMPLATE, WriteTag(case.client(), queue), read)
    before = case.now()
    text = served(case, page)
    after = case.now()
    texts = re.findall(r'<p(?: title="(.+?)")?>(.*?)</p>', text)
    shown = [title or content for title, content in texts]

    with expect.for_row("pj-jsp-tags-1"):
        expect.equal("the first three texts of the page", shown[:3], SHOWN[:3])
    with expect.for_row("pj-jsp-tags-2"):
        read_so_far = read.messages if len(read.messages) > 2 else None
        second, third = expect.present("three messages", read_so_far)[1:3]
        expect.equal("the priorities", [second.jms_priority, third.jms_priority], [3, 9])
        expect.between("the expiration of the second", second.jms_expiration, before + TTL, after + TTL)
        expect.equal("the expiration of the third", third.jms_expiration, 0)
    with expect.for_row("pj-jsp-tags-3"):
        expect.equal("the text written with both attribute and body", shown[3:], SHOWN[3:])
    with expect.for_row("pj-jsp-tags-4"):
        expect.equal("how many messages were read by consumers opened later", len(read.messages), len(SHOWN))


def served(case: Case, page: Page) -> str:
    """Serve the page once, and fetch it on a thread of its own."""
    with page_server(page.render) as server, ThreadPoolExecutor(1) as browser:
        fetching = browser.submit(fetched, server)
        case.spawn("the server of the page", server.handle_request).result(8 * case.timing.deadline)
        return fetching.result(60)
