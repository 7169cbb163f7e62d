"""Random plans: all of them may be run, a right provider holds, and what a broken one does is kept and named."""

import tomlkit

from benchmarks import __main__ as command
from benchmarks.reliability.plans import random_plan
from tck.workload.plan import load_plan


def test_random_plans_keep_the_rules_and_differ(tmp_path):
    texts = {tomlkit.dumps(random_plan(seed, 3)) for seed in range(200)}
    assert len(texts) == 200
    assert tomlkit.dumps(random_plan(7, 3)) in texts
    for number, text in enumerate(sorted(texts)):
        path = tmp_path / f"{number}.toml"
        path.write_text(text, encoding="utf-8")
        load_plan(str(path))


def test_a_provider_that_is_right_leaves_nothing(tmp_path, capsys):
    assert command.main(["plans", "--count", "1", "--duration", "0.5", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "1 plans on reference-realtime, 0 not held\n"
    assert list(tmp_path.iterdir()) == []


def test_what_a_broken_provider_does_is_named_and_kept(tmp_path, capsys):
    broken = ["--setting", 'saboteur="message-id-unique"', "--seed", "2"]
    assert command.main(["plans", "--count", "1", "--duration", "0.5", "--out", str(tmp_path), *broken]) == 1
    message, summary = capsys.readouterr().out.splitlines()
    folder = tmp_path / "reference-realtime-2"
    assert message.startswith("plan 2: exit 1: message-id-unique (")
    assert message.endswith(f"; kept in {folder}")
    assert summary == "1 plans on reference-realtime, 1 not held"
    assert load_plan(str(folder / "random-2.toml")).duration == 0.5
    assert (next((folder / "runs").iterdir()) / "findings.ndjson").stat().st_size


def test_plans_that_do_not_fit_the_provider_are_left_out_but_not_all_of_them(tmp_path, capsys):
    words = ["plans", "-p", "dummy-inert", "--duration", "0.5", "--out", str(tmp_path)]
    assert command.main([*words, "--seed", "1", "--count", "1"]) == 1
    message, summary = capsys.readouterr().out.splitlines()
    assert message.startswith("plan 1 does not fit: tck: the clock of dummy-inert is virtual")
    assert summary == "1 plans on dummy-inert, 0 not held, 1 did not fit"
    assert list(tmp_path.iterdir()) == []
