"""Plans: those of the kit hold on the reference provider; mistakes are answered with file, line, key and what to do."""

import dataclasses
import json
import random
import re

import pytest
from workload_support import catalogue, drive, reference, violations

from reference_provider.selector.parser import parse
from tck.api import InvalidSelectorException, UnsupportedOperationException
from tck.check.columns import Op
from tck.check.properties import PROPERTIES
from tck.profile import load_profile
from tck.record.packed import PackedRun
from tck.suite.support.selectors import generated
from tck.workload.model import LONGEST, MOST, SHORTEST
from tck.workload.plan import SCHEMA, PlanError, load_plan, plan_names
from tck.workload.run import Options, PlanNeeds, check_needs, run_workload
from tck.workload.selector import SelectorError, check_selector

NAMES = set(plan_names())
GOOD = """[plan]
title = "t"
[[destination]]
name = "q"
kind = "queue"
[[producer]]
name = "p"
to = ["q"]
[[consumer]]
name = "c"
from = "q"
"""


def test_a_dozen_plans_are_shipped():
    assert {
        "steady", "fan-out-10k-subscriptions", "hot-queue", "transactions", "crash-loop", "client-acknowledge", "xa",
        "selectors", "expiry-and-delay", "shared-subscriptions", "browsers", "async-sends",
    } <= NAMES  # fmt: skip


@pytest.mark.parametrize("name", sorted(NAMES - {"fan-out-10k-subscriptions"}))
def test_the_reference_provider_keeps_every_property_under_each_plan(name, tmp_path):
    ended = drive(tmp_path, name, 300)
    broken = {each.kind.name: each.violations for each in ended.reports if each.violations and not each.kind.observes}
    assert broken == {}
    assert ended.exit == 0
    assert ended.outcome.hanging == []
    assert ended.outcome.fault is None


def test_the_plans_together_give_nearly_every_property_a_chance_to_fail(tmp_path):
    judged = set()
    for name in ("steady", "transactions", "client-acknowledge", "selectors", "expiry-and-delay", "async-sends"):
        (tmp_path / name).mkdir()
        judged |= {each.kind.name for each in drive(tmp_path / name, name, 200).reports if each.obligations}
    assert len(judged) >= 36, sorted(set(PROPERTIES) - judged)


def test_a_wide_topic_reaches_every_subscription(tmp_path):
    plan = GOOD.replace('kind = "queue"', 'kind = "topic"')
    plan += 'count = 300\nper_session = 50\nhow = "listener"\n'
    ended = drive(tmp_path, plan, 20)
    assert ended.outcome.delivered == 20 * 300
    assert (
        next(each for each in ended.reports if each.kind.name == "nondurable-complete-while-open").obligations == 6000
    )


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        ('kind = "queue"\n[[destination]]\nname = "q"\nkind = "topic"', 7, 'destination.name: "q" is used twice'),
        (
            'kind = "queue"\ncount = 2\n[[destination]]\nname = "q-1"\nkind = "topic"',
            8,
            '"q-1" would be a destination of q-1, count 1, and of q',
        ),
        (
            'kind = "queue"\n[[destination]]\nname = "z-2"\nkind = "queue"\n[[destination]]\nname = "z"\nkind = "queue"\ncount = 3',
            10,
            '"z-2" would be',
        ),
        ('kind = "stack"', 5, 'expected one of "queue", "topic"'),
        ('kind = "queue"\nsize = 3', 6, "destination.size: unknown key"),
    ],
)
def test_a_mistake_about_destinations_is_answered_with_its_place(change, line, words, tmp_path):
    refused(tmp_path, GOOD.replace('kind = "queue"', change), line, words)


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ("rollback = 0.2", 'consumer.rollback: needs session = "transacted", "client" or "xa"'),
        ("rollback = 2", "consumer.rollback: expected at most 1"),
        ('subscription = "durable"', "consumer.subscription: q is a queue; leave it out"),
        ('accepts = ["plain"]', "there is not a selector"),
        ('selector = "a = 1"\naccepts = ["red"]', 'nothing is called "red"'),
        ("batch = [0, 3]", "consumer.batch: expected at least 1; saw 0"),
        ('forward = "q"', "consumer.forward: messages of q would be forwarded in a circle without end"),
        ('forward = "q"\nforward_share = 0.6\nsession = "client"\nrollback = 0.5', "in a circle without end"),
        ("batch = [5, 2]", "consumer.batch: expected [least, greatest] or one number"),
        ('sesion = "auto"', 'unknown key, did you mean "session"?'),
        ("fail = 0.5", "consumer.fail: needs how"),
        ('session = "xa"\nhow = "listener"', "consumer.session: an XA consumer receives"),
        ("rival = true", 'needs subscription = "durable"'),
        ("trespass = true", "only temporary destinations have owners"),
        ("per_session = 5", "consumer.per_session: needs how"),
        ("pause = 0.5", "consumer.pause: needs how"),
        ("unsubscribe = 0.5", "needs a durable subscription"),
        ('forward = "r"', 'consumer.forward: nothing is called "r"'),
        ('think = 1\n[[fault]]\nkind = "kill"', "expected one of at, every, random; saw none"),
        ('think = 1\n[[fault]]\nkind = "kill"\nevery = 3\nof = ["p"]', "fault.of: kill affects the whole provider"),
        ('think = 1\n[[browser]]\nname = "b"\nfrom = "x"', 'browser.from: nothing is called "x"'),
        ('think = 1\n[[browser]]\nname = "c"\nfrom = "q"', '"c" is used twice'),
    ],
)  # fmt: skip
def test_a_mistake_is_answered_with_key_and_remedy(extra, words, tmp_path):
    refused(tmp_path, GOOD + extra + "\n", None, words)


PROPERTY = "message.properties.{}: {}"
NO_NAME = "is not a valid property name"
SORT = '[[message]]\nname = "m"\n'


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("{ a = { b = 1 } }", PROPERTY.format("a", "expected a text, a number, true or false")),
        ("{ a = [1] }", PROPERTY.format("a", "expected a text, a number")),
        ("{ a = 2020-01-01 }", PROPERTY.format("a", "expected a text, a number")),
        ("{ a = nan }", PROPERTY.format("a", "expected a finite number; saw nan")),
        ("{ a = -inf }", PROPERTY.format("a", "expected a finite number")),
        ("{ a = 9223372036854775808 }", PROPERTY.format("a", "expected a whole number of at most 64 bits")),
        ('{ "a b" = 1 }', f'"a b" {NO_NAME}'),
        ('{ "" = 1 }', f'"" {NO_NAME}'),
        ('{ "a\\n" = 1 }', NO_NAME),
        ("{ 1a = 1 }", f'"1a" {NO_NAME}'),
        ("{ Like = 1 }", f'"Like" {NO_NAME}'),
        ("{ JMSFoo = 1 }", "names with JMS are reserved"),
        ("{ JMSXDeliveryCount = 1 }", "names with JMS are reserved"),
        ("{ JMSXGroupID = 5 }", "names with JMS are reserved"),
        ("{ JMSXGroupSeq = 2147483648 }", "expected a whole number of at most 32 bits"),
        ("{ tckMsg = 1 }", "the kit numbers messages by this property"),
    ],
)  # fmt: skip
def test_a_wrong_property_is_answered_with_the_rule(given, words, tmp_path):
    refused(tmp_path, GOOD + SORT + f"properties = {given}\n", 14, words)


def test_properties_of_every_kind_are_sent(tmp_path):
    kinds = '{ a = 1, b = 1.5, "c$" = true, _d = "x", JMSXGroupID = "g", JMSXGroupSeq = 3 }'
    ended = drive(tmp_path, GOOD + SORT + f"properties = {kinds}\n", 20)
    assert (violations(ended), ended.outcome.failures, ended.exit) == ({}, {}, 0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = ", "expected a value; saw the end"),
        ("(((", "expected a condition or a value; saw the end"),
        ("a = 1)", "expected an operator or AND; saw )"),
        ("5", "expected an operator; saw the end"),
        ("a = 1 AND", "expected a condition or a value; saw the end"),
        ("a = 'x", "begins with 'x"),
        ("a > 'x'", "expected a number; saw 'x'"),
        ("a NOT 5", "expected BETWEEN or IN or LIKE; saw 5"),
        ("a IN ()", "expected a text in quotes; saw )"),
        ("(a) IS NULL", "expected an operator or AND; saw IS"),
        ("a BETWEEN 1 OR 2", "expected an operator or AND; saw OR"),
        ("JMSReplyTo IS NULL", "JMSReplyTo cannot be selected by"),
        ("(a = 1) = TRUE", "expected AND or OR; saw ="),
    ],
)  # fmt: skip
def test_a_wrong_selector_is_answered_with_what_was_expected(text, words, tmp_path):
    refused(tmp_path, GOOD + f'selector = "{text}"\n', 12, f'consumer.selector: "{text}" is not a selector')
    with pytest.raises(SelectorError, match=re.escape(words)):
        check_selector(text)


SELECTORS = (
    "a", "NOT NOT a OR b AND TRUE", "-a * +2. < .5e1f - 0x1FL / (b + 1)", "a = 'it''s' AND b <> FALSE", "$a NOT BETWEEN 1 AND 2 * c",
    "a LIKE '%x!_' ESCAPE '!' OR JMSType NOT IN ('a', 'b')", "JMSXGroupID IS NOT NULL and (é is null)",
)  # fmt: skip


@pytest.mark.parametrize("text", [*SELECTORS, *(tree.text() for tree in generated(1, 60))])
def test_selectors_of_every_form_are_taken(text):
    check_selector(text)


def edited(texts, count, seed):
    """Selectors with one token removed, replaced, inserted or moved: most of them are none any more."""
    choice = random.Random(seed)  # noqa: S311 - no secret
    tokens = [re.findall(r"'(?:[^']|'')*'|[\w$.]+|<>|<=|>=|\S", text) for text in texts]
    pool = sorted({token for each in tokens for token in each} | {"TRUE", "ESCAPE", "JMSReplyTo", "5L", "1.2.3", "--"})
    for _ in range(count):
        words = list(choice.choice(tokens))
        at = choice.randrange(len(words))
        words[at : at + choice.randint(0, 1)] = [choice.choice(pool)] if choice.random() < 0.7 else []
        yield " ".join(words)


def test_plans_take_the_selectors_that_the_reference_provider_takes():
    answers = set()
    for text in edited([*SELECTORS, *(tree.text() for tree in generated(2, 60))], 1000, seed=1):
        if "ESCAPE" in text:
            continue  # which characters it may have is left to the provider
        ours = theirs = True
        try:
            check_selector(text)
        except SelectorError:
            ours = False
        try:
            parse(text)
        except InvalidSelectorException as error:
            if "takes two values of one type" in str(error):
                continue  # whether the types of a comparison are checked is left to the provider
            theirs = False
        assert ours == theirs, text
        answers.add(ours)
    assert answers == {True, False}


@pytest.mark.parametrize(
    ("section", "line", "words"),
    [
        ("x = " + "[" * 3000, 14, "lists or tables nest too deep"),
        ("x = [" + "\n[" * 3000, 14, "lists or tables nest too deep"),
        ("count = " + "1" * 5000, 14, "a whole number has too many digits"),
        ("count = 0x" + "f" * 5000, 14, "a whole number has too many digits"),
        ("share = inf", 14, "message.share: expected at most 1000000; saw inf"),
        ("share = 1e-300", 14, "message.share: expected at least 1e-06"),
        ("size = [0, 100000000000]", 14, "message.size: expected at most 100000000"),
        ("ttl = [4000000000]", 14, "message.ttl: expected at most 2147483647"),
        ("delay = [4000000000]", 14, "message.delay: expected at most 2147483647"),
        ("delay = [60000]", 14, "message.delay: drain is 60 s, too short"),
    ],
)  # fmt: skip
def test_what_is_beyond_all_bounds_is_answered_with_them(section, line, words, tmp_path):
    refused(tmp_path, GOOD + SORT + section + "\n", line, words)


@pytest.mark.parametrize("number", ["inf", "nan", "1e300", "0"])
def test_times_have_bounds(number, tmp_path):
    for key in ("duration", "drain"):
        refused(tmp_path, GOOD.replace('title = "t"', f'title = "t"\n{key} = {number}'), 3, f"plan.{key}: expected at")
    for key in ("rate", "think")[: 1 + (number != "0")]:
        refused(
            tmp_path, GOOD.replace('to = ["q"]', f'to = ["q"]\n{key} = {number}'), 9, f"producer.{key}: expected at"
        )
    for key in ("every", "random"):
        refused(tmp_path, GOOD + f'[[fault]]\nkind = "kill"\n{key} = {number}\n', 14, f"fault.{key}: expected at")
    if number != "0":
        refused(tmp_path, GOOD + f'[[fault]]\nkind = "kill"\nat = [{number}]\n', 14, "fault.at: expected at")


def test_plan_and_options_have_the_same_bounds():
    schema = json.loads(SCHEMA.read_text())
    assert schema["definitions"]["seconds"] == {"type": "number", "minimum": SHORTEST, "maximum": LONGEST}
    assert schema["properties"]["plan"]["properties"]["messages"]["maximum"] == MOST


@pytest.mark.parametrize("name", ["q" * 101, "q\\n"])
def test_names_have_bounds(name, tmp_path):
    refused(tmp_path, GOOD.replace('name = "q"', f'name = "{name}"'), 4, "expected a name of at most 100 small letters")


def test_a_shared_subscription_that_would_have_two_topics_is_refused(tmp_path):
    plan = GOOD.replace('kind = "queue"', 'kind = "topic"\ncount = 2') + 'count = 4\nsubscription = "shared-durable"\n'
    refused(
        tmp_path, plan + "subscriptions = 3\n", 15, "consumer.subscriptions: a subscription has one topic, and q has 2"
    )
    assert violations(drive(tmp_path, plan + "subscriptions = 2\n", 40)) == {}


ROUND = """[plan]
title = "t"
[[destination]]
name = "q"
kind = "queue"
[[destination]]
name = "t"
kind = "topic"
[[producer]]
name = "p"
to = ["t"]
[[consumer]]
name = "c"
from = "t"
count = 4
forward = "q"
forward_share = 0.5
[[consumer]]
name = "d"
from = "q"
forward = "t"
"""


def test_a_circle_of_forwards_must_lose_messages(tmp_path):
    refused(tmp_path, ROUND, 16, "messages of t would be forwarded in a circle")
    apart = ROUND.replace('kind = "topic"', 'kind = "topic"\ncount = 2')
    refused(tmp_path, apart, 17, "messages of t would be forwarded in a circle")
    load_plan(str(write(tmp_path, apart.replace("0.5", "0.4"))))
    upstream = '[[consumer]]\nname = "x"\nfrom = "z"\nforward = "q"\n[[destination]]\nname = "z"\nkind = "queue"\n'
    refused(tmp_path, ROUND.replace("[[consumer]]", upstream + "[[consumer]]", 1), 23, "messages of t would be")
    slowly = ROUND.replace(
        'to = ["t"]', 'to = ["t"]\nthink = 5'
    )  # work ends with the last send: what goes round has time till then
    ended = drive(tmp_path, slowly.replace("0.5", "0.2"), 100)
    assert (violations(ended), ended.exit, ended.outcome.hanging) == ({}, 0, [])
    assert ended.outcome.sent > 150


def test_a_whole_number_may_be_written_with_a_point(tmp_path):
    plan = GOOD.replace('kind = "queue"', 'kind = "queue"\ncount = 2.0') + "batch = [3.0]\n"
    assert drive(tmp_path, plan, 20).exit == 0


@pytest.mark.parametrize("subscription", ["nondurable", "durable", "shared", "shared-durable"])
@pytest.mark.parametrize(
    "fault", ["", '[[fault]]\nkind = "kill"\nrandom = 0.3\n[[fault]]\nkind = "sever"\nrandom = 0.3\n']
)
def test_xa_consumers_take_part_on_topics(subscription, fault, tmp_path):
    plan = GOOD.replace('kind = "queue"', 'kind = "topic"').replace(
        "[[consumer]]", 'session = "xa"\nthink = 50\n[[consumer]]'
    )
    plan += f'session = "xa"\ncount = 2\nbatch = [1, 4]\nrollback = 0.2\nsubscription = "{subscription}"\n'
    ended = drive(tmp_path, plan + fault, 200)
    assert (violations(ended), ended.outcome.fault, ended.outcome.hanging, ended.exit) == ({}, None, [], 0)
    # a subscription that ends with its consumers misses what is sent while they are away; any other gets all
    missed = fault and subscription in ("nondurable", "shared")
    copies = 1 if subscription.startswith("shared") else 2
    assert ended.outcome.delivered >= (51 if missed else ended.outcome.sent * copies)


@pytest.mark.parametrize("subscription", ["durable", "shared-durable"])
@pytest.mark.parametrize("fault", ["", '[[fault]]\nkind = "kill"\nrandom = 0.3\n'])
def test_xa_consumers_remove_subscriptions_as_others_do(subscription, fault, tmp_path):
    plan = GOOD.replace('kind = "queue"', 'kind = "topic"').replace("[[consumer]]", "think = 50\n[[consumer]]")
    plan += f'session = "xa"\ncount = 2\nbatch = [1, 4]\nrollback = 0.2\nsubscription = "{subscription}"\n'
    plan += "subscriptions = 2\n" if subscription == "shared-durable" else ""  # one each: no other's is removed
    ended = drive(tmp_path, plan + "lifetime = [2, 6]\nunsubscribe = 0.5\n" + fault, 100)
    assert (violations(ended), ended.outcome.fault, ended.outcome.hanging, ended.exit) == ({}, None, [], 0)
    parts = PackedRun.open(tmp_path / "run").parts()
    assert sum(int((part["op"] == Op.UNSUBSCRIBE).sum()) for part in parts) > 3


def write(folder, text):
    path = folder / "plan.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refused(folder, text, line, words):
    path = write(folder, text)
    with pytest.raises(PlanError) as error:
        load_plan(str(path))
    message = str(error.value)
    assert words in message
    assert f"{path}:{line}: " in message if line else f"{path}:" in message


def test_what_is_no_toml_is_answered_with_its_line(tmp_path):
    refused(tmp_path, GOOD + "batch = [1,\n", None, "not valid TOML")


def test_an_unknown_plan_is_answered_with_those_there_are():
    with pytest.raises(PlanError, match=r'did you mean "steady"\?.*crash-loop'):
        load_plan("stedy")


def test_a_plan_names_what_the_provider_lacks():
    old = load_profile("activemq5", catalogue())
    with pytest.raises(PlanNeeds, match=r"has shared subscriptions; activemq5 claims version 1\.1"):
        check_needs(load_plan("shared-subscriptions"), old, frozenset())
    claims = dataclasses.replace(reference().claims, features=frozenset())
    with pytest.raises(PlanNeeds, match="has XA sessions; reference does not claim the feature xa"):
        check_needs(load_plan("xa"), dataclasses.replace(reference(), claims=claims), frozenset({"kill"}))
    with pytest.raises(PlanNeeds, match="needs a hook of kill, restart, sever; the adapter of reference offers clock"):
        check_needs(load_plan("crash-loop"), reference(), frozenset({"clock"}))


@pytest.mark.parametrize(("dummy", "code"), [("raises", 6), ("inert", 1), ("accepts", 1)])
def test_a_provider_that_does_nothing_is_caught(dummy, code, tmp_path):
    file = tmp_path / "plan.toml"
    file.write_text(GOOD.replace('title = "t"', 'title = "t"\ndrain = 2'), encoding="utf-8")
    options = Options("run", tmp_path / "run", 1, 5, 20, "3.1")
    ended = run_workload(load_profile(f"dummy-{dummy}", catalogue()), load_plan(str(file)), catalogue(), options)
    assert ended.exit == code
    assert ended.outcome.fault is None
    assert bool(ended.outcome.lost) == (dummy == "raises")


def test_what_a_provider_claims_and_does_not_support_ends_the_run_as_a_plan_that_does_not_fit(tmp_path, monkeypatch):
    def refuse(*_):
        raise UnsupportedOperationException("setDeliveryDelay() is not supported")

    monkeypatch.setattr("reference_provider.client.producers.ReferenceProducer.delivery_delay", property(None, refuse))
    ended = drive(tmp_path, "expiry-and-delay", 100)
    assert ended.exit == 4
    assert "setDeliveryDelay" in str(ended.outcome.fault)


@pytest.mark.parametrize("asks", ["", "delay = [5]", "asynchronous = true"])
def test_the_simplified_interface_is_asked_only_for_what_the_plan_wants(asks, tmp_path, monkeypatch):
    def refuse(*_):
        raise UnsupportedOperationException("not supported")

    for name in ("set_delivery_delay", "set_async"):
        monkeypatch.setattr(f"reference_provider.client.simplified.ReferenceJMSProducer.{name}", refuse)
    plan = GOOD.replace("[[consumer]]", f'api = "simplified"\n{asks if "async" in asks else ""}\n[[consumer]]')
    plan += f'[[message]]\nname = "m"\n{asks}\n' if "delay" in asks else ""
    assert drive(tmp_path, plan, 20).exit == (4 if asks else 0)
