"""P15 and P16: the cost of selectors: one beside a handwritten function, many beside evaluating each."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from benchmarks.bars.bar import Bar, Measured, paired
from reference_provider.messages import Snapshot, selection
from reference_provider.selector import Selector, compile_selector
from reference_provider.selector.parser import build_parser
from reference_provider.selector.table import SelectorTable
from reference_provider.selector.walker import walking
from tck.api import Int

View = Mapping[str, Any]

ROUNDS = 25
"""How often a side of a pair evaluates all messages: 0.1 ms of work, so that a busy machine interrupts few sides."""

PAIRS = 300

EXAMPLE = "JMSType = 'car' AND color = 'blue' AND weight > 2500"
ARITHMETIC = (
    "NOT (JMSType <> 'car') AND price * quantity - discount > 2 * weight AND (weight / 10 + 5) * 2 <> 7"
    " AND NOT (color IN ('red', 'green') OR color IS NULL)"
)


def by_hand(m: View) -> bool:
    """Evaluate the example, in Python."""
    return m.get("JMSType") == "car" and m.get("color") == "blue" and m.get("weight", 0) > 2500


def arithmetic_by_hand(m: View) -> bool:
    """Evaluate the selector with arithmetic, in Python."""
    return (
        not m.get("JMSType") != "car"  # noqa: SIM202 - as the selector has it
        and m.get("price", 0) * m.get("quantity", 0) - m.get("discount", 0) > 2 * m.get("weight", 0)
        and (m.get("weight", 0) // 10 + 5) * 2 != 7
        and not (m.get("color") in {"red", "green"} or m.get("color") is None)
    )


def messages(number: int) -> list[dict[str, Any]]:
    """Return the values of some messages, as the provider passes them to selectors."""
    return [
        selection(
            Snapshot(
                "text",
                None,
                {
                    "color": "blue" if each % 3 else "red",
                    "weight": Int(2000 + 100 * each),
                    "price": Int(200 + each),
                    "quantity": Int(25),
                    "discount": Int(15),
                    "customer": f"c{each}",
                },
                type="car" if each % 4 else "van",
            ),
            message_id=f"ID:{each}",
            timestamp=1_763_740_000_000 + each,
            delivery_mode=2,
            priority=4,
        )
        for each in range(number)
    ]


def compiled(text: str) -> Selector:
    """Compile a selector."""
    selector = compile_selector(text)
    if selector is None:
        raise ValueError("expected a selector, saw the empty string")
    return selector


def rate_to(text: str, hand: Callable[[View], bool]) -> Measured:
    """Compare the rate of a compiled selector to that of a handwritten function."""
    selector, views = compiled(text), messages(12)
    if [selector.matches(view) for view in views] != [hand(view) for view in views]:
        raise ValueError(f"expected the two sides to agree on {text!r}")

    def run(matches: Callable[[View], bool]) -> None:
        for _ in range(ROUNDS):
            for view in views:
                matches(view)

    seconds, ratio = paired(partial(run, hand), partial(run, selector.matches), rounds=PAIRS)
    _, walked = paired(partial(run, hand), partial(run, walking(selector.tree)), rounds=4)
    nanoseconds = seconds / (ROUNDS * len(views)) * 1e9
    return Measured(1 / ratio, f"by hand {nanoseconds:.0f} ns; the tree walker reaches {1 / walked:.2f}")


def many_selectors(number: int) -> Measured:
    """Compare two ways to find the matching ones of many selectors: evaluating each, and the table."""
    selectors = [compiled(f"customer = 'c{each}' AND weight > 2500") for each in range(number)]
    table: SelectorTable[int] = SelectorTable()
    for key, selector in enumerate(selectors):
        table.add(key, selector)
    views = messages(20)

    def ask_each() -> None:
        for view in views:
            found = [key for key, selector in enumerate(selectors) if selector.matches(view)]
            del found

    def look_up() -> None:
        for view in views:
            table.matching(view)

    seconds, ratio = paired(look_up, ask_each, rounds=20)
    return Measured(ratio, f"{seconds / len(views) * 1e6:.2f} us per message with {number} selectors")


def start() -> Measured:
    """Measure the milliseconds to build the parser; the import of lark counts only if it happens here."""
    gc.collect()
    began = time.perf_counter()
    build_parser()
    built = time.perf_counter() - began
    began = time.perf_counter()
    for number in range(50):
        compiled(f"{EXAMPLE} AND n = {number}")
    each = (time.perf_counter() - began) / 50
    return Measured(built * 1e3, f"presenting a selector like the example: {each * 1e6:.0f} us")


BARS = (
    Bar(
        id="P15",
        what="A compiled selector, the example of the specification, keeps up with a function written by hand",
        unit="of its rate",
        prototype="0.92",
        require=0.6,
        stretch=0.9,
        measure=partial(rate_to, EXAMPLE, by_hand),
        higher=True,
    ),
    Bar(
        id="P15a",
        what="So does a long selector with NOT and arithmetic",
        unit="of its rate",
        prototype="0.38",
        require=0.25,
        stretch=0.5,
        measure=partial(rate_to, ARITHMETIC, arithmetic_by_hand),
        higher=True,
    ),
    Bar(
        id="P16",
        what="1 000 selective subscriptions: the table of selectors beats asking each",
        unit="times as fast",
        prototype="32",
        require=10,
        stretch=30,
        measure=partial(many_selectors, 1000),
        higher=True,
        gated=True,
    ),
    Bar(
        id="P15b",
        what="Building the parser, at the first selector",
        unit="ms",
        prototype="12-29",
        require=250,
        stretch=60,
        measure=start,
    ),
)
