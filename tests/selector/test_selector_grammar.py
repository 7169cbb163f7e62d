"""The grammar itself, and the life of the parser."""

import logging
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from lark import Lark, logger

from reference_provider.java.identifiers import RESERVED_WORDS
from reference_provider.selector.parser import KEYWORDS, build_parser
from reference_provider.selector.selector import CACHED, LONGEST_CACHED, _cached, compile_selector, forget


def conflicts(caplog, build):
    caplog.handler.setLevel(logging.DEBUG)
    level = logger.level
    logger.setLevel(logging.DEBUG)
    logger.addHandler(caplog.handler)
    try:
        build()
    finally:
        logger.removeHandler(caplog.handler)
        logger.setLevel(level)
    return [record.getMessage() for record in caplog.records if "onflict" in record.getMessage()]


def test_the_grammar_has_no_conflicts(caplog):
    assert conflicts(caplog, lambda: build_parser(debug=True)) == []


def test_a_conflict_would_be_seen(caplog):
    dangling = 'start: s\n s: "if" s | "if" s "else" s | "x"'
    assert conflicts(caplog, lambda: Lark(dangling, parser="lalr", debug=True))


def test_keywords_are_the_reserved_words():
    assert set(KEYWORDS) == RESERVED_WORDS


def test_equal_texts_share_one_selector_and_the_cache_is_bounded():
    assert compile_selector("shared = 1") is compile_selector("shared = 1")
    assert compile_selector("shared = 1", "1.0") is not compile_selector("shared = 1")
    assert _cached.cache_info().maxsize == CACHED
    long = "long = '" + "x" * LONGEST_CACHED + "'"
    assert compile_selector(long) is not compile_selector(long)


def test_lark_is_not_imported_before_the_first_selector():
    program = (
        "import sys, reference_provider.messages, reference_provider.selector as s\n"
        "assert 'lark' not in sys.modules\n"
        "assert 'reference_provider.selector.compiler' not in sys.modules\n"
        "assert s.compile_selector('a = 1').matches({'a': 1})\n"
        "assert 'lark' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_many_threads_may_present_selectors_at_once():
    forget()
    texts = [f"a = {number} AND (b LIKE 'x%' OR c BETWEEN 1 AND {number})" for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        compiled = list(pool.map(compile_selector, texts * 3))
    assert [each.text for each in compiled] == texts * 3
    assert all(each.matches({"a": number, "b": "xy"}) for number, each in enumerate(compiled[:200]))
