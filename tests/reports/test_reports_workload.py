"""The pages of a workload: curves, properties, a page for each violation with its operations as lanes; whole and offline."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pages_read
import pytest

from tck.check.columns import NEVER, NONE, Op, Out
from tck.check.evidence import Names
from tck.cli.main import main
from tck.record import Bundle, TamperedBundle, Verdict
from tck.record.packed import DTYPE
from tck.reports.html import charts, paths, write_site
from tck.reports.html.charts import Line, Mark
from tck.reports.html.operation_lanes import OperationLanes
from tck.reports.html.pages import workload as workload_pages
from tck.reports.html.pages.suite import Site
from tck.reports.read import load
from tck.reports.verdict_tree import build
from tck.reports.violation_operations import MOST_PLACES, Operation, RunOperations, ViolationScene
from tck.reports.workload_report import Sample, Workload, WorkloadFinding, is_workload


@pytest.fixture(scope="module")
def driven(tmp_path_factory):
    """Drive a provider that forgets JMSRedelivered through a plan, with enough recovers to show it."""
    out = tmp_path_factory.mktemp("driven")
    words = ["workload", "run", "-p", "reference", "--plan", "client-acknowledge", "--messages", "60", "--seed", "7"]
    assert main([*words, "--setting", 'saboteur="3.4.7-1"', "--out", str(out), "--format", "json"]) == 1
    [folder] = (out / "runs").iterdir()
    return Bundle.open(folder)


@pytest.fixture(scope="module")
def folder(driven, catalogue, tmp_path_factory):
    return write_site(driven, tmp_path_factory.mktemp("site"), catalogue).parent


@pytest.fixture(scope="module")
def pages(folder):
    return pages_read.read_all(folder)


@pytest.fixture(scope="module")
def workload(driven):
    return Workload(load(driven))


def squeezed(text):
    return " ".join(text.split())


def flagged(workload):
    return next(seen for seen in workload.properties if seen.name == "repeat-is-flagged")


def test_the_bundle_of_a_suite_is_no_workload(bundle, driven):
    assert (is_workload(bundle), is_workload(driven)) == (False, True)


def test_the_model_says_what_the_files_say(workload, driven):
    lines = [json.loads(line) for line in (driven.path / "properties.ndjson").read_text().splitlines()]
    assert [(seen.name, seen.obligations, seen.violations) for seen in workload.properties] == [
        (line["property"], line["obligations"], line["violations"]) for line in lines
    ]
    seen = flagged(workload)
    assert (seen.verdict, len(seen.findings)) == (Verdict.VIOLATION, min(seen.violations, 1000))
    assert seen.violations > 0
    about = json.loads((driven.path / "workload.json").read_text())
    assert workload.total("sent") == about["sent"]
    assert workload.plan == "client-acknowledge"


def test_each_property_assertion_and_violation_has_its_page(pages, driven, workload):
    expected = {paths.INDEX} | {paths.case(case.case) for case in driven.cases()}
    expected |= {paths.assertion(id_) for case in driven.cases() for id_ in case.assertions}
    expected |= {
        paths.finding(finding.key) for seen in workload.properties if seen.case for finding in seen.findings[:200]
    }
    chapters = {name for name in pages if name.startswith("chapter/")}
    assert set(pages) == expected | chapters
    assert chapters


def test_pages_are_well_formed_linked_and_fetch_nothing(pages, folder):
    for name, page in pages.items():
        assert page.unbalanced == [], name
        assert len(page.ids) == len(set(page.ids)), name
        assert len(page.all("h1")) == 1, name
        assert page.all("img") == [], name
        for target in page.links():
            path, _, anchor = target.partition("#")
            if target == "data:,":
                continue
            found = (folder / name).parent / path if path else folder / name
            assert found.resolve().is_file(), f"{name}: {target}"
            if anchor:
                there = pages[found.resolve().relative_to(folder.resolve()).as_posix()]
                assert anchor in there.ids, f"{name}: {target}"
        assert all(each.get("aria-label") for _, each in page.tags if each.get("role") in {"img", "region"}), name


def test_the_overview_tells_what_broke_the_load_and_the_plan(pages, workload):
    page = pages[paths.INDEX]
    text = squeezed(page.text)
    assert re.search(r"\d+ propert(y|ies) broken", text)
    assert f"{workload.total('sent'):,} messages sent" in text
    for heading in ("Throughput", "From send to delivery", "Time of a send", "The plan", "Properties"):
        assert heading in text
    drawn = len([each for each in page.all("svg") if each.get("role") == "img"])
    assert drawn == (3 if len(workload.samples) >= charts.FEW else 0)
    assert "repeat-is-flagged" in text.split("Load")[0]
    assert all(seen.name in text for seen in workload.properties)
    assert "python -m tck workload run -p reference --plan client-acknowledge" in text
    assert "python -m tck run" not in text
    assert "--violation" in page.scripts


def test_a_property_tells_its_figures_and_leads_to_its_violations(pages, workload):
    seen = flagged(workload)
    page = pages[paths.case(workload.case_name(seen.name))]
    text = squeezed(page.text)
    assert squeezed(seen.claim) in text
    assert f"{seen.violations:,}violations" in text
    assert f"{seen.obligations:,}obligations" in text
    assert all(id_ in text for id_ in seen.case.case.assertions)
    assert f"../{paths.finding(seen.findings[0].key)}" in page.links()


def test_a_violation_shows_every_operation_it_rests_on(pages, workload):
    for seen in workload.properties:
        for finding in seen.findings[:200] if seen.case else ():
            page = pages[paths.finding(finding.key)]
            assert {f"e{number}" for number in finding.cites} <= set(page.ids), finding.key
            assert {f"ef{number}" for number in finding.cites} <= set(page.ids), finding.key
            assert all(f"#e{number}" in page.links() for number in finding.cites), finding.key
            assert "send" in page.text
            assert squeezed(finding.text) in squeezed(page.text)


def test_the_lanes_of_a_repeat_hold_both_deliveries_and_the_recover_between(pages, workload):
    found = flagged(workload).findings[0]
    text = squeezed(pages[paths.finding(found.key)].text)
    assert re.search(r"receive.*recover.*receive", text) or re.search(r"on_message.*recover.*on_message", text)


def test_other_exports_take_a_workload_too(driven, tmp_path, capsys):
    words = [word for kind in ("junit", "json", "markdown") for word in (f"--{kind}", str(tmp_path / kind))]
    assert main(["report", str(driven.path), *words]) == 0
    assert "tck workload run" in (tmp_path / "markdown").read_text()


def test_a_workload_is_held_against_one_of_the_same_plan_only(driven, bundle, tmp_path, capsys):
    assert main(["gate", str(driven.path), "--write", str(tmp_path / "gate.json")]) == 0
    content = json.loads((tmp_path / "gate.json").read_text())
    assert content["of"]["kind"] == "workload client-acknowledge"
    content["of"] |= {"run": "earlier", "kind": "workload steady"}
    (tmp_path / "other.json").write_text(json.dumps(content))
    assert main(["gate", str(driven.path), "--against", str(tmp_path / "other.json")]) == 4
    assert "a workload with one of the same plan" in capsys.readouterr().err
    content["of"]["kind"] = "workload client-acknowledge"
    (tmp_path / "same.json").write_text(json.dumps(content))
    assert main(["gate", str(driven.path), "--against", str(tmp_path / "same.json")]) == 0


@pytest.mark.parametrize("name", ["properties.ndjson", "findings.ndjson", "samples.ndjson", "operations/00000.npy"])
def test_a_changed_file_is_refused_by_name(driven, tmp_path, capsys, name):
    copied = tmp_path / "copied"
    shutil.copytree(driven.path, copied)
    content = (copied / name).read_bytes()
    (copied / name).write_bytes(content[:-2] + b"9" + content[-1:])
    assert main(["report", str(copied)]) == 4
    said = capsys.readouterr().err
    assert "TamperedBundle" in said
    assert name in said


@pytest.mark.parametrize(
    ("name", "line"),
    [("properties.ndjson", "{}"), ("findings.ndjson", '{"key": 1, "hit": []}'), ("samples.ndjson", '{"s": null}')],
)
def test_a_line_that_no_workload_writes_is_refused_with_its_number(driven, tmp_path, name, line):
    copied = tmp_path / "copied"
    shutil.copytree(driven.path, copied)
    opened = Workload(load(Bundle.open(copied)))
    with (copied / name).open("a") as file:
        file.write(f"{line}\n")
    number = len((copied / name).read_text().splitlines())
    with pytest.raises(TamperedBundle, match=f"{name}:{number}: expected a line as a workload writes it"):
        _ = opened.samples if name == "samples.ndjson" else opened.properties


# -- what a violation is about -------------------------------------------------------------------------------------------


def row(**changes):
    """Make a packed row."""
    values = np.zeros(1, DTYPE)
    for name, value in {
        "state": 2,
        "consumer": NONE,
        "end": NONE,
        "dest": NONE,
        "unit": NONE,
        "msg": NONE,
        "count": NONE,
    }.items():
        values[name] = value
    for name, value in changes.items():
        values[name] = value
    return values


class Packed:
    """The operations of a run, in memory."""

    origin = 0
    objects = (
        {"kind": "session", "n": 0, "conn": 0, "mode": 0, "label": "clerk-1"},
        {"kind": "session", "n": 1, "conn": 1, "mode": 1, "label": "<b>reader</b>\u202e-1"},
        {"kind": "destination", "n": 0, "label": "topic:news"},
        {"kind": "endpoint", "n": 0, "label": "subscription a", "dest": 0, "type": 1},
    )

    def __init__(self, *rows):
        self._rows = np.concatenate(rows)

    def parts(self):
        return iter([self._rows])


def finding(**hit):
    names = {"msg": 7, "end": 0, "unit": NONE, "session": 1, "seq": 1, "other_session": NONE, "other_seq": NONE}
    return WorkloadFinding(1, "x/7@0/1.1", "x", "a story", (0, 1), names | hit)


def fan_out(places):
    sent = row(op=Op.SEND, msg=7, dest=0, session=0, conn=0, unit=5, t0=0, t1=10)
    got = [
        row(op=Op.DELIVER, msg=7, end=end, session=1, conn=1, t0=20 + end, t1=20 + end, count=1)
        for end in range(places)
    ]
    other = row(op=Op.SEND, msg=8, dest=0, session=0, conn=0, t0=30, t1=40)
    commit = row(op=Op.COMMIT, session=0, conn=0, unit=5, t0=12, t1=14)
    restart = row(op=Op.RESTART, session=0, t0=15, t1=16)
    elsewhere = row(op=Op.CLOSE, session=9, conn=9, t0=16, t1=17)
    return Packed(sent, *got, other, commit, restart, elsewhere)


def test_a_scene_holds_message_settling_and_restarts_and_nothing_of_others():
    [scene] = RunOperations(fan_out(2)).scenes([finding()])
    ops = [(each["op"], each["msg"]) for each in scene.operations]
    assert ops == [(Op.SEND, 7), (Op.COMMIT, NONE), (Op.RESTART, NONE), (Op.DELIVER, 7), (Op.DELIVER, 7)]
    assert scene.elsewhere == 0


def test_of_many_subscriptions_only_the_one_in_question_is_shown():
    [scene] = RunOperations(fan_out(MOST_PLACES + 30)).scenes([finding()])
    assert sum(each["op"] == Op.DELIVER for each in scene.operations) == 1
    assert scene.elsewhere == MOST_PLACES + 29


def test_a_number_that_no_part_holds_is_passed_over():
    [scene] = RunOperations(fan_out(1)).scenes([finding(seq=10**9, other_seq=5 * 65536)])
    assert scene.operations


def staged(*operations):
    scene = ViolationScene(finding(), tuple(operations), 0)
    return OperationLanes(scene, Names(sessions={0: "clerk-1", 1: "reader-1"}), Packed.objects)


def operation(number, **values):
    base = {name: 0 for name, _ in DTYPE} | {
        "consumer": NONE,
        "end": NONE,
        "dest": NONE,
        "unit": NONE,
        "msg": NONE,
        "count": NONE,
    }
    return Operation(number, base | values)


def test_calls_that_overlap_are_drawn_as_bars_and_others_as_one_row():
    long = operation(3, op=Op.DELIVER, msg=7, end=0, session=1, t0=0, t1=100)
    inside = operation(4, op=Op.ACK, session=1, t0=10, t1=20)
    after = operation(5, op=Op.COMMIT, session=0, t0=200, t1=300)
    steps = staged(long, inside, after).diagram().steps
    assert [(step.kind, step.numbers, step.until) for step in steps] == [
        ("delivered", (3,), 3), ("call", (4,), 0), ("return", (), 0), ("call", (5,), 0),
    ]  # fmt: skip
    assert [step.row for step in steps] == [1, 2, 3, 4]


def test_a_long_scene_keeps_its_links(driven, workload, catalogue, tmp_path):
    """Of a message that was browsed a thousand times some rows are left out, and nothing leads to them."""
    seen = flagged(workload)
    found = seen.findings[0]
    operations = RunOperations(workload.packed)
    [scene] = operations.scenes([found])
    first = scene.operations[0]
    many = [
        Operation(10**6 + n, {**first.values, "op": Op.BROWSE, "t0": first["t0"] + n, "t1": first["t0"] + n})
        for n in range(1000)
    ]
    long = ViolationScene(found, (*scene.operations, *many), 0)
    site = Site(build(workload.run, catalogue), catalogue, None, workload)
    page = workload_pages.finding_page(site, workload, seen, long, operations)
    (tmp_path / "finding").mkdir()
    site.frame.write(tmp_path, page)
    read = pages_read.read(tmp_path / page.path)
    inner = {link[1:] for link in read.links() if link.startswith("#")}
    assert inner - set(read.ids) == set()
    assert {f"e{number}" for number in found.cites} <= set(read.ids)
    assert re.search(r"\d+ more operations are in the bundle", read.text)


def test_a_call_without_an_end_stays_open():
    stuck = operation(3, op=Op.COMMIT, session=0, t0=0, t1=NEVER, out=Out.UNKNOWN)
    later = operation(4, op=Op.SEND, msg=9, dest=0, session=1, t0=5, t1=6)
    drawing = staged(stuck, later)
    first = drawing.diagram().steps[0]
    assert (first.kind, first.until, first.row_text.tags) == ("invoke", 2, ("never returned",))
    facts = drawing.facts()
    assert [fact.outcome for fact in facts] == ["never returned", "ok"]
    assert "priority" in dict(facts[1].facts)
    assert "redelivered" not in dict(facts[1].facts), "a sender sees no redelivery"


def test_names_of_a_workload_are_never_markup(catalogue):
    [scene] = RunOperations(fan_out(1)).scenes([finding()])
    from tck.reports.html import event_markup

    operations = RunOperations(fan_out(1))
    drawn = event_markup.draw(OperationLanes(scene, operations.names, operations.objects).diagram(), "e", linked=True)
    assert "<b>reader" not in drawn
    assert "&lt;b&gt;reader&lt;/b&gt;" in drawn
    assert "\u202e" not in drawn


# -- curves --------------------------------------------------------------------------------------------------------------


def points_of(drawing):
    return [
        [tuple(map(float, point.split(","))) for point in line.split()]
        for line in re.findall(r'points="([^"]*)"', drawing)
    ]


def test_a_curve_without_values_is_no_curve():
    assert charts.chart("x", "y", [Line("a", [], 1)]) == ""
    assert charts.sparkline([None, None], "x") == ""


def test_the_greatest_value_stands_at_or_below_the_top_and_zero_at_the_foot():
    [line] = points_of(charts.chart("x", "y", [Line("a", [0.0, 5.0, 7.3, 7.0, 6.0], 1)]))
    ys = [y for _, y in line]
    assert ys[0] == 220
    assert 0 <= ys[2] < ys[1] < ys[0]
    assert [x for x, _ in line] == sorted(x for x, _ in line)


def test_a_second_without_a_value_is_a_gap():
    assert [len(line) for line in points_of(charts.chart("x", "y", [Line("a", [1.0, 2.0, None, 3.0, 4.0], 1)]))] == [
        2,
        2,
    ]


def test_a_value_between_gaps_is_a_dot_that_can_be_seen():
    drawn = charts.chart("x", "y", [Line("a", [1.0, None, 3.0, 2.0, 2.0], 1)])
    assert re.findall(r'<polyline class="(.*?)"', drawn) == ["c1 dot", "c1"]
    css = (Path(charts.__file__).parent / "assets" / "report.css").read_text(encoding="utf-8")
    assert re.search(r"polyline\.dot[^}]*stroke-width: 7px", css)


def test_the_median_is_not_that_of_the_few_deliveries_at_the_end():
    samples = [
        Sample(at, {"delivered": delivered}, None, times, ())
        for at, (delivered, times) in enumerate([(400, (1.0,) * 4), (6, (803.0,) * 4), (2, (900.0,) * 4), (0, None)])
    ]
    assert workload_pages._median(samples) == 1.0
    assert workload_pages._median(samples[3:]) is None


def test_a_long_run_keeps_its_peaks():
    values = [1.0] * 10_000
    values[4321] = 100.0
    drawn = charts.chart("x", "y", [Line("a", values, 1)])
    [line] = points_of(drawn)
    assert len(line) <= charts.POINTS
    assert min(y for _, y in line) == 0
    assert "Each point is the maximum of 42 seconds" in drawn


def test_each_power_of_ten_is_one_line_of_a_logarithmic_axis():
    drawn = charts.chart("x", "ms", [Line("a", [0.05, 0.0, 500.0, 1.0, 1.0], 1)], log=True)
    assert re.findall(r">([\d.,]+)</span>", drawn) == ["0.01", "0.1", "1", "10", "100", "1,000"]
    [line] = points_of(drawn)
    assert line[1][1] == 220
    assert all(0 <= y <= 220 for _, y in line)


def test_a_chart_is_reported_in_words_and_escapes_them():
    drawn = charts.chart('<i>"x', "y", [Line("a&b", [1.0, 3.0, 2.0, 2.0, 2.0], 1)], [Mark(1.5, "kill")])
    assert 'aria-label="&lt;i&gt;&quot;x, y: a&amp;b 1 to 3, median 2; 1 fault"' in drawn
    assert "<i>" not in drawn
