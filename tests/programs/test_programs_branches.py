"""Branches of distributed transactions in programs: what takes effect and is redelivered, and who owns what differs."""

import copy

import pytest
from story_support import Story, do, partner

from tck.blame.owners import owners_of
from tck.programs.program import Program

APIS = ("classic", "simplified", "queue")
PLAIN = [
    do("queue", "q1"), do("queue", "q2"), do("connect", "c1", api="simplified"), do("producer", "p1", on="c1"),
    do("connect", "c3", api="simplified"),
]  # fmt: skip


@pytest.fixture(scope="module")
def made():
    with partner() as found:
        yield lambda *steps: Story(found, *steps)


def manager(api="classic", name="s2"):
    """Return an XA session of a connection of its own, started."""
    if api == "simplified":
        return [do("connect", name, api=api, xa=True)]
    connection = f"{name}_c"
    return [
        do("connect", connection, api=api, xa=True), do("start", on=connection),
        do("session", name, on=connection, mode="transacted", xa=True),
    ]  # fmt: skip


def call(what, of="b1", on="s2"):
    if what == "start":
        return do("branch", of, on=on, what=what)
    return do("branch", on=on, what=what, **({} if what == "recover" else {"of": of}))


def sends(first=7, count=1, api="classic", producer="p2"):
    """Return a send on the XA session to the second queue."""
    bound = {} if api == "simplified" else {"to": "q2"}
    to = {"to": "q2"} if api == "simplified" else {}
    return [
        do("producer", producer, on="s2", **bound),
        do("send_many", on=producer, of="s2", first=first, count=count, **to),
    ]


RECEIVES = [
    do("send_many", on="p1", of="c1", to="q1", first=1, count=1), do("consumer", "k2", on="s2", of="q1"), call("start"),
    do("receive", "m2", on="k2"), call("end"),
]  # fmt: skip
WATCHES = [do("consumer", "k3", on="c3", of="q2")]
LOOK = do("drain", on="k3")
LEFT = [do("close", on="k2"), do("consumer", "k4", on="c3", of="q1"), do("drain", on="k4")]


def got(story, nth=0):
    return [view["send"] for view in story.got("drain", nth)]


def calls(*what):
    return [call(each) for each in what]


# -- what takes effect -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    ("ending", "arrives"),
    [(("one_phase",), [0]), (("rollback",), []), (("prepare", "commit"), [0]), (("prepare", "rollback"), [])],
)
def test_what_a_branch_sends_arrives_with_its_commit(made, api, ending, arrives):
    work = [call("start"), *sends(api=api), call("end")]
    story = made(*PLAIN, *manager(api), *WATCHES, *work, LOOK, *calls(*ending), LOOK)
    assert (got(story), got(story, 1)) == ([], arrives)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    ("ending", "again"),
    [(("one_phase",), []), (("rollback",), [0]), (("prepare", "commit"), []), (("prepare", "rollback"), [0])],
)
def test_what_a_branch_receives_is_redelivered_after_its_rollback(made, api, ending, again):
    story = made(*PLAIN, *manager(api), *RECEIVES, *calls(*ending), *LEFT)
    assert got(story) == again
    assert all(view["headers"]["JMSRedelivered"] for view in story.got("drain"))


def test_a_suspended_branch_keeps_its_work(made):
    work = [call("start"), *sends(), call("suspend"), call("resume"), *sends(8, producer="p3"), call("end")]
    story = made(*PLAIN, *manager(), *WATCHES, *work, LOOK, call("one_phase"), LOOK)
    assert (got(story), got(story, 1)) == ([], [0, 1])


@pytest.mark.parametrize(("ending", "arrives"), [("one_phase", [0, 1, 2]), ("rollback", [])])
def test_a_branch_that_its_resource_joins_again_is_one(made, ending, arrives):
    work = [call("start"), *sends(), call("end"), call("join"), *sends(8, 2, producer="p3"), call("end")]
    story = made(*PLAIN, *manager(), *WATCHES, *work, LOOK, call(ending), LOOK)
    assert (got(story), got(story, 1)) == ([], arrives)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("tries", [(), ("prepare",), ("one_phase",), ("prepare", "one_phase")])
def test_a_failed_branch_refuses_its_commit_and_is_undone(made, api, tries):
    work = [*RECEIVES[:-1], *sends(api=api), *calls("fail", *tries, "undo")]
    story = made(*PLAIN, *manager(api), *WATCHES, *work, LOOK, *LEFT)
    outcomes = story.seen[len(PLAIN) + len(manager(api)) + 1 + len(work) - len(tries) - 1 :][: len(tries) + 1]
    assert [each.get("raises") for each in outcomes] == [*("XAException" for _ in tries), None]
    assert (got(story), got(story, 1)) == ([], [0])


@pytest.mark.parametrize("loss", [[do("close", on="s2")], [do("sever", on="s2_c")], [do("restart")], [do("kill")]])
@pytest.mark.parametrize(("what", "arrives"), [("commit", [0]), ("rollback", [])])
def test_another_resource_decides_on_a_prepared_branch(made, loss, what, arrives):
    asks = [call("recover", on="s5"), call(what, on="s5"), call("recover", on="s5")]
    story = made(
        *PLAIN, *manager(), call("start"), *sends(), *calls("end", "prepare"), *loss, *manager(name="s5"), *asks,
        do("connect", "c6", api="simplified"), do("consumer", "k3", on="c6", of="q2"), LOOK,
    )  # fmt: skip
    listed = [each["ok"]["in_doubt"] for each in story.seen if "in_doubt" in (each.get("ok") or {})]
    assert (listed, got(story)) == ([["b1"], []], arrives)


@pytest.mark.parametrize("what", ["commit", "forget"])
def test_a_finished_branch_is_unknown(made, what):
    story = made(*PLAIN, *manager(), *calls("start", "end", "one_phase", what))
    assert story.seen[-1]["raises"] == "XAException"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("steps", "why"),
    [
        (sends(), "outside of a branch"),
        ([do("commit", on="s2")], "is left open"),
        ([*calls("start", "end", "prepare")], "without work"),
        ([*calls("start", "start")], "works on a branch"),
        ([*calls("start", "commit")], "works on a branch"),
        ([*calls("start", "end", "commit")], "is ended"),
        ([call("start"), do("close", on="s2")], "not prepared"),
        ([*calls("start", "end"), do("restart")], "not prepared"),
        ([call("start"), *sends(), call("suspend"), call("start", "b2")], "has suspended"),
        ([call("start"), *sends(), call("end"), *manager(name="s5"), call("join", on="s5")], "isSameRM"),
        ([*calls("start", "join")], "works on a branch"),
        ([*calls("start", "end", "undo")], "is ended"),
        ([*calls("start", "fail", "prepare")], "without work"),
        ([*calls("start", "fail", "one_phase")], "without work"),
        ([*calls("start", "fail", "rollback")], "is failed"),
        ([*calls("start", "fail"), do("consumer", "k3", on="c3", of="q2")], "until it is rolled back"),
        ([*calls("start", "fail"), call("start", "b2")], "until it is rolled back"),
        ([do("session", "s4", on="s2_c", mode="auto")], "an ordinary session"),
        ([call("start", on="c1")], "only an open XA session"),
    ],
)
def test_what_is_open_is_in_no_program(steps, why):
    with partner() as found:
        assert why in (found.run(Program((*PLAIN, *manager(), *steps))).unclear or "")


# -- what differs ------------------------------------------------------------------------------------------------------


def owner(story):
    found = story.compare().differences[0]
    return owners_of(found, story.expectation)[1][0]


@pytest.mark.parametrize(
    ("api", "middle", "row"),
    [("classic", [], "11.3.3-4"), ("simplified", [], "11.3.4-3"), ("classic", [do("restart")], "11.3.5-6")],
)
def test_the_owner_of_a_message_of_a_committed_branch_that_does_not_come(made, api, middle, row):
    decides = [*middle, *manager(name="s5"), call("commit", on="s5"), do("connect", "c6", api="simplified")]
    story = made(
        *PLAIN, *manager(api), call("start"), *sends(api=api), *calls("end", "prepare"), *decides,
        do("consumer", "k3", on="c6", of="q2"), LOOK,
    )  # fmt: skip
    story.got("drain").pop()
    assert owner(story) == row


@pytest.mark.parametrize(("ending", "row"), [((), "11.3.3-4"), (("rollback",), "11.3.3-5")])
def test_the_owner_of_a_message_of_a_branch_that_did_not_commit(made, ending, row):
    seen = [do("send_many", on="p1", of="c1", to="q2", first=1, count=1)]
    story = made(*PLAIN, *manager(), *WATCHES, *seen, LOOK, call("start"), *sends(), call("end"), *calls(*ending), LOOK)
    extra = copy.deepcopy(story.got("drain")[0])
    extra["send"] = 1
    story.got("drain", 1).append(extra)
    assert owner(story) == row


@pytest.mark.parametrize(("ending", "row"), [("one_phase", "11.3.3-6"), ("rollback", "11.3.3-7")])
def test_the_owner_of_a_receipt_is_the_decision(made, ending, row):
    story = made(*PLAIN, *manager(), *RECEIVES, call(ending), *LEFT)
    if ending == "rollback":
        story.lose("drain")
    else:
        story.got("drain").append(copy.deepcopy(story.got("receive")))
    assert owner(story) == row


@pytest.mark.parametrize(
    ("what", "row"),
    [
        ("prepare", "11.3.5-2"),
        ("one_phase", "11.3.5-3"),
        ("rollback", "11.3.5-4"),
        ("suspend", "11.3.5-8"),
        ("join", "11.3.5-9"),
        ("fail", "11.3.5-1"),
    ],
)
def test_the_owner_of_a_refused_call(made, what, row):
    first = () if what in {"suspend", "fail"} else ("end",)
    story = made(*PLAIN, *manager(), call("start"), *sends(), *calls(*first, what))
    story.seen[-1] = {"raises": "XAException", "text": "no"}
    assert owner(story) == row


@pytest.mark.parametrize("what", ["prepare", "one_phase"])
def test_the_owner_of_a_failed_branch_that_can_be_committed(made, what):
    story = made(*PLAIN, *manager(), *WATCHES, call("start"), *sends(), *calls("fail", what, "undo"), LOOK)
    story.at("branch", 2).clear()
    story.at("branch", 2)["ok"] = None
    assert (owner(story), len(story.compare().differences)) == ("11.3.5-14", 1)


def test_the_owner_of_a_message_of_a_failed_branch(made):
    seen = [do("send_many", on="p1", of="c1", to="q2", first=1, count=1)]
    work = [call("start"), *sends(), *calls("fail", "one_phase", "undo"), LOOK]
    story = made(*PLAIN, *manager(), *WATCHES, *seen, LOOK, *work)
    story.got("drain", 1).append(copy.deepcopy(story.got("drain")[0]) | {"send": 1})
    assert owner(story) == "11.3.3-5"


def test_the_owner_of_a_branch_that_is_not_listed(made):
    story = made(*PLAIN, *manager(), call("start"), *sends(), *calls("end", "prepare", "recover", "rollback"))
    next(each for each in story.seen if "in_doubt" in (each.get("ok") or {}))["ok"] = {"in_doubt": []}
    assert owner(story) == "11.3.5-5"


def test_what_follows_from_a_refused_call_is_not_held_against_a_provider(made):
    story = made(*PLAIN, *manager(), *WATCHES, call("start"), *sends(), *calls("end", "prepare", "commit"), LOOK)
    refused = {"raises": "XAException", "text": "no"}
    for each in (-3, -2):
        story.seen[each] = dict(refused)
    story.lose("drain")
    assert story.differences() == [("branch", "refused")]


@pytest.mark.parametrize(("what", "row"), [("commit", "11.3.5-6"), ("rollback", "11.3.5-6")])
def test_the_owner_of_a_prepared_branch_that_a_failure_ends(made, what, row):
    story = made(
        *PLAIN,
        *manager(),
        call("start"),
        *sends(),
        *calls("end", "prepare"),
        do("kill"),
        *manager(name="s5"),
        call(what, on="s5"),
    )
    story.seen[-1] = {"raises": "XAException", "text": "no"}
    assert owner(story) == row
