"""docs/examples: the page of scenarios is renewed, and names every one."""

from docs_examples import PAGE, page

from tck.catalogue import load_scenarios


def test_the_page_of_scenarios_is_of_today():
    assert PAGE.read_text(encoding="utf-8") == page(), "python tests/docs/docs_examples.py renews it"


def test_each_scenario_has_its_roles():
    sections = page().split("\n## ")[1:]
    assert len(sections) == len(load_scenarios()) == 39
    assert all(section.count("\n| [`") for section in sections)
