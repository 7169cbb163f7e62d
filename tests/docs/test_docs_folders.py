"""The lists of folders in README, architecture.md and the suite's vocabulary name what there is, and all of it."""

import re
import tomllib

from docs_support import ROOT, blocks, page, section
from docs_vocabulary import ROOMS

from tck.suite import support

LINKS = {"reports", "profiles"}
PARTS = sorted(
    path.name for path in (ROOT / "tck").iterdir() if (path / "__init__.py").exists() and path.name not in LINKS
)
NOT_IN_THE_INDEX = {"applications", "company", "lifetimes"}


def tree(text):
    """Return the paths in a drawing of folders: two spaces a level, names before the first wide gap."""
    above, found = [], []
    for line in text.splitlines():
        indent, listed = re.match(r"( *)(.+?)(?: {2,}|$)", line).groups()
        above = above[: len(indent) // 2]
        paths = ["/".join([*above, each.rstrip("/")]) for each in re.split(r",? ", listed)]
        found += paths
        above.append(listed.rstrip("/"))
    return found


def test_the_drawing_of_the_folders_is_the_checkout():
    drawn = tree(blocks(section(page("docs/architecture.md"), "The rooms"))[0].text)
    assert len(drawn) > 30
    assert [path for path in drawn if not (ROOT / path).exists()] == []
    assert [name for name in PARTS if f"tck/{name}" not in drawn] == []
    modules = [path.name for path in (ROOT / "tck").glob("[!_]*.py")]
    assert [name for name in modules if f"tck/{name}" not in drawn] == []


def test_a_drawing_is_read_as_folders():
    drawn = tree("tck/\n  api/   types\n    spi.py\n  b.py, c   two\ntests/ docs/\n")
    assert drawn == ["tck", "tck/api", "tck/api/spi.py", "tck/b.py", "tck/c", "tests", "docs"]


def test_the_table_of_folders_in_readme_has_each_package():
    table = section(page("README.md"), "Where things are")
    assert [name for name in PARTS if f"`tck/{name}`" not in table] == []


def test_the_lists_of_rooms_of_the_vocabulary_agree():
    contracts = tomllib.loads(page("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each["id"] == "vocabulary")
    rooms = {room for layer in layers for room in layer.split(" | ")}
    listed = re.findall(r"^    ([\w, ]+?)  +\w", support.__doc__, re.MULTILINE)
    assert {room for line in listed for room in line.split(", ")} == rooms
    assert set(ROOMS) == rooms - NOT_IN_THE_INDEX
    sentence = re.search(r"knows those below it only: ([\w, ]+)\.", page("docs/write-a-test.md"))[1]
    assert set(sentence.split(", ")) == rooms - NOT_IN_THE_INDEX
