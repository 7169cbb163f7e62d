"""A program as a story: each operation has a sentence, nothing that a step says is lost, and every rule that forgives is listed."""

import ast
import re
from pathlib import Path

import pytest

from tck.programs import comparing
from tck.programs.comparing.allowances import ALLOWANCES
from tck.programs.corpus import corpus_in
from tck.programs.operations import OPERATIONS
from tck.programs.program import Step
from tck.programs.sentences import WORDS, sentence
from tck.suite.support.corpus import FOLDER

PAGE = Path(__file__).parents[2] / "docs" / "corpus.md"


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (Step("queue", {}, "q1"), "q1 is a queue"),
        (Step("connect", {"api": "simplified", "mode": "auto"}, "c1"), "c1 connects, simplified, auto"),
        (Step("connect", {"api": "classic", "client_id": "A"}, "c1"), "c1 connects, classic, as client A"),
        (Step("send", {"on": "p1", "message": "m1", "to": "q1", "ttl": 2}), "p1 sends m1 to q1 (ttl 2)"),
        (Step("receive", {"on": "k1"}, "m2"), "k1 receives m2"),
        (Step("look", {"on": "m1", "received": True}), "look of m1 (received True)"),
        (Step("enumerate", {"on": "b1"}, "e1"), "e1 is the result of enumerate of b1"),
        (Step("send_body", {"on": "p", "to": "q", "body": "x" * 50}), f"p sends the body {'x' * 37}... to q"),
    ],
)
def test_a_step_is_a_sentence(step, text):
    assert sentence(step) == text


def test_the_steps_of_the_corpus_have_all_that_their_sentences_want():
    assert OPERATIONS.keys() >= WORDS.keys()
    lacking = set()
    for program in corpus_in(FOLDER).programs.values():
        for step in program.steps:
            wanted = set(re.findall(r"{(\w+)}", re.sub(r"\[[^]]*\]", "", WORDS.get(step.do, ""))))
            lacking |= {(step.do, name) for name in wanted - step.args.keys() - ({"as"} if step.name else set())}
    assert lacking == set()


def test_every_rule_by_which_a_comparison_forgives_is_listed_and_documented():
    used = set()
    for path in Path(comparing.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in {"allow", "leave_open"}:
                used |= {each.value for each in ast.walk(node.args[2]) if isinstance(each, ast.Constant)}
            if path.stem == "content" and isinstance(node, ast.Yield) and isinstance(node.value, ast.Constant):
                used.add(node.value.value)
    used = {each for each in used if isinstance(each, str)}
    assert used <= ALLOWANCES.keys()
    assert ALLOWANCES.keys() - used <= {"closed", "signs", "serializable", "temporary", "older"}
    page = PAGE.read_text(encoding="utf-8")
    assert all(f"| {rule} | {text} | {row} |\n" in page for rule, (text, row) in ALLOWANCES.items())
