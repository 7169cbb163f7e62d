"""Private words: each is used no more often than `words.toml` says, and the numbers there only fall."""

import re
import tomllib
from functools import cache

import pytest
from project_support import ROOT, read, tracked

LIST = "tests/project/words.toml"
WORDS = tomllib.loads((ROOT / LIST).read_text(encoding="utf-8"))
PRODUCT = (
    "tck/", "reference_provider/", "reference_bridge/", "faults/", "benchmarks/", "tests/", "reports/", "profiles/", "docs/",
    "README.md", "CONTRIBUTING.md",
)  # fmt: skip


def words_of(text):
    """Return a text in lower case with one space between words, as which the parts of a name count."""
    return " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\sA-Za-z_#]+", text)).lower()


@cache
def texts():
    paths = [path.as_posix() for path in tracked() if path.suffix in {".py", ".md"}]
    return {path: words_of(read(path)) for path in paths if path.startswith(PRODUCT)}


def test_the_parts_of_a_name_are_words():
    assert (
        words_of("a_name = ANameOf(JMSType)\n    # of an\n    # other") == "a name = a name of ( jms type ) of an other"
    )


@pytest.mark.parametrize("word", WORDS)
def test_a_private_word_is_used_no_more_often_than_before(word):
    entry = WORDS[word]
    pattern = re.compile(rf"(?<!\w){word}(?!\w)")
    counted = {path: text for path, text in texts().items() if not path.startswith(tuple(entry.get("right", ())))}
    count = sum(len(pattern.findall(text)) for text in counted.values())
    assert count <= entry["count"], f'"{word}" is used {count} times: use {entry["instead"]} instead'
    assert count == entry["count"], f'well done: lower the count of "{word}" in {LIST} to {count}'
