"""The gallery of scenarios: each has its claims with verdicts and a chart of its messages."""

import re

import pytest

from tck.catalogue import load_catalogue
from tck.cli.main import main
from tck.record.reader import Bundle
from tck.reports.html import sequence
from tck.reports.html.site import write_site


@pytest.fixture(scope="module")
def gallery(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scenarios")
    arguments = [
        "run",
        "pj-hello-pubsub",
        "pj-phone-replyto",
        "-n",
        "0",
        "--no-report",
        "--seed",
        "1",
        "--out",
        str(folder),
    ]
    assert main(arguments) == 0
    (bundle,) = (folder / "runs").iterdir()
    index = write_site(Bundle.open(bundle), folder / "site", load_catalogue())
    return (index.parent / "scenarios.html").read_text(encoding="utf-8"), index.read_text(encoding="utf-8")


def test_the_scenarios_of_the_run_are_there_and_no_others(gallery):
    page, index = gallery
    assert re.findall(r'<section id="(pj-[a-z-]+)"', page) == ["pj-hello-pubsub", "pj-phone-replyto"]
    assert 'href="scenarios.html"' in index


def test_each_claim_has_its_verdict(gallery):
    page, _ = gallery
    for number in range(1, 5):
        assert re.search(rf"pj-hello-pubsub-{number}</a>.*?</tr>", page, re.DOTALL)[0].count("badge") == 1


def test_the_chart_shows_one_copy_for_each_subscriber(gallery):
    page, _ = gallery
    chart = re.search(r'<section id="pj-hello-pubsub".*?<svg.*?</svg>', page, re.DOTALL)[0]
    assert chart.count("Hello World</text>") >= 4
    assert "topic 1" in chart


def event(number, actor, op, phase="ok"):
    facts = {"kind": "text", "body": f"text {number}"}
    return {"seq": number, "actor": actor, "op": op, "phase": phase, "destination": "queue:Q", "message": facts}


def test_alike_messages_in_a_row_share_an_arrow():
    events = [event(number, "session-1", "QueueSender.send") for number in range(1, 9)]
    chart = sequence.build([*events, event(9, "session-2", "MessageListener.on_message", "delivered")])
    assert [(arrow.number, arrow.times, arrow.heard) for arrow in chart.arrows] == [
        (1, 1, False),
        (8, 7, False),
        (9, 1, True),
    ]
    assert list(chart.lanes) == ["session-1", "queue:Q", "session-2"]


def test_a_long_case_is_cut():
    events = [event(number, f"session-{number}", "QueueSender.send") for number in range(1, 40)]
    chart = sequence.build(events)
    assert len(chart.lanes) == sequence.LANES
    assert chart.more == 39 - len(chart.arrows)
    assert "text 1" in sequence.draw(chart, "a title")
