"""Private words: each is used no more often than `words.toml` says, and the numbers there only fall."""

import re
import tomllib
from functools import cache

import pytest
from project_support import read, tracked

LIST = "tests/project/words.toml"
WORDS = tomllib.loads(read(LIST))
PRODUCT = re.compile(r"(tck|reference_\w+|faults|benchmarks|tests|reports|profiles|docs)/|README|CONTRIBUTING")


def words_of(text):
    """Return a text in lower case with one space between words, as which the parts of a name count."""
    return " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\sA-Za-z_#]+", text)).lower()


@cache
def texts():
    paths = [path.as_posix() for path in tracked() if path.suffix in {".py", ".md"}]
    return {path: words_of(read(path)) for path in paths if PRODUCT.match(path)}


def test_the_parts_of_a_name_are_words():
    assert words_of("a_name = ANameOf(JMSType)\n    # of an\n    # x") == "a name = a name of ( jms type ) of an x"


@pytest.mark.parametrize("word", WORDS)
def test_a_private_word_is_used_no_more_often_than_before(word):
    allowed, right = WORDS[word]["count"], tuple(WORDS[word].get("right", ()))
    pattern = re.compile(rf"(?<!\w){word}(?!\w)")
    count = sum(len(pattern.findall(text)) for path, text in texts().items() if not path.startswith(right or "\0"))
    assert count <= allowed, f'"{word}" is used {count} times: use {WORDS[word]["instead"]} instead'
    assert count == allowed, f'well done: lower the count of "{word}" in {LIST} to {count}'
