"""docs/api-map.md is what the rule and the abstract types say."""

import re
import subprocess
import sys
from pathlib import Path

from tck.api.java.api_map import api_map
from tck.api.java.rule import java_api

ROOT = Path(__file__).parents[2]


def test_page_is_up_to_date():
    assert (ROOT / "docs" / "api-map.md").read_text(encoding="utf-8") == api_map(), (
        "renew it: python -m tck.api.java.api_map > docs/api-map.md"
    )


def test_command_writes_the_page():
    result = subprocess.run(
        [sys.executable, "-m", "tck.api.java.api_map"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert result.stdout == api_map()
    assert result.stderr == ""


def test_every_java_member_is_on_the_page():
    page = api_map()
    for java in java_api().values():
        assert java.name in page
        for member in java.members:
            assert (f"`{member.name}`" if java.kind == "annotation" else f"{member.name}") in page
    assert page.count("\n### ") == 74


def test_tables_are_well_formed():
    for block in re.findall(r"(?:^\|.*\n)+", api_map(), re.MULTILINE):
        widths = {re.sub(r"\\\|", "", line).count("|") for line in block.splitlines()}
        assert len(widths) == 1, block
