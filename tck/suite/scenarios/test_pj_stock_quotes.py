"""Stock quotes: one quote in each of the five forms of a body, read in four ways, and selected by the company's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.deliveries import WAYS
from tck.suite.support.clients.link import Link
from tck.suite.support.values.seen import body

Quote = tuple[str, float, int, float, str]
"""The name of a company, the value of its share, the time, the difference to the day before, a remark."""
QUOTE: Quote = ("SUNW", 48.375, 931_219_200_000, -1.25, "heavy trading")
COMPANIES = ("SUNW", "MSFT", "IBM", "ORCL", "HWP")
TWO = "(name = 'SUNW') OR (name = 'IBM')"


@scenario("pj-stock-quotes")
def test_stock_quotes(case: Case) -> None:
    """The five fields come back from each form in each way of reading; a selector passes two of five companies."""
    ticker = case.link()
    read = {way: {form: quoted(case, ticker, form, get) for form in FORMS} for way, get in WAYS.items()}
    waits = empty_handed(case)
    selected = subscriber_of_two(case)

    with expect.for_row("pj-stock-quotes-1"):
        for way, quotes in read.items():
            expect.equal(f"the quotes by {way}", quotes, dict.fromkeys(FORMS, QUOTE))
    with expect.for_row("pj-stock-quotes-2"):
        case.witness("quotes came")
        expect.equal("the messages of an empty destination", waits.messages, [None, None])
        expect.between(
            "the time of a receive with a timeout", waits.timed, int(case.timing.delay), int(case.timing.deadline)
        )
        expect.between("the time of a receive without waiting", waits.at_once, 0, int(case.timing.deadline / 2))
    with expect.for_row("pj-stock-quotes-3"):
        for way, quotes in read.items():
            expect.equal(f"the stream in writing order, by {way}", quotes["stream"], QUOTE)
            expect.equal(f"the map from the last field to the first, by {way}", quotes["map"], QUOTE)
    with expect.for_row("pj-stock-quotes-4"):
        expect.equal("the companies of the selector", selected, ["SUNW", "IBM"])


def stream_of(client: Client, quote: Quote) -> api.StreamMessage:
    """Write a quote into a stream."""
    name, value, time, diff, info = quote
    stream: api.StreamMessage = client.session.create_stream_message()
    stream.write_string(name)
    stream.write_double(value)
    stream.write_long(time)
    stream.write_double(diff)
    stream.write_string(info)
    return stream


def map_of(client: Client, quote: Quote) -> api.MapMessage:
    """Write a quote into a map."""
    name, value, time, diff, info = quote
    fields: api.MapMessage = client.session.create_map_message()
    fields.set_string("name", name)
    fields.set_double("value", value)
    fields.set_long("time", time)
    fields.set_double("diff", diff)
    fields.set_string("info", info)
    return fields


def from_map(fields: Any) -> Quote:
    """Read a quote from a map, the last field first."""
    info, diff, time = fields.get_string("info"), fields.get_double("diff"), fields.get_long("time")
    return fields.get_string("name"), fields.get_double("value"), time, diff, info


def bytes_of(client: Client, quote: Quote) -> api.BytesMessage:
    """Write a quote as bytes."""
    name, value, time, diff, info = quote
    content: api.BytesMessage = client.session.create_bytes_message()
    content.write_utf(name)
    content.write_double(value)
    content.write_long(time)
    content.write_double(diff)
    content.write_utf(info)
    return content


def from_text(message: Any) -> Quote:
    """Read a quote from a text of fields."""
    name, value, time, diff, info = str(message.text).split("|")
    return name, float(value), int(time), float(diff), info


def in_order(message: Any, text: str) -> Quote:
    """Read a quote from a stream or from bytes, whose texts read by a method of their own."""
    read_text = getattr(message, f"read_{text}")
    return read_text(), message.read_double(), message.read_long(), message.read_double(), read_text()


FORMS: Mapping[str, tuple[Callable[[Client, Quote], api.Message], Callable[[Any], Quote]]] = {
    "stream": (stream_of, lambda message: in_order(message, "string")),
    "map": (map_of, from_map),
    "text": (lambda client, quote: client.text("|".join(map(str, quote))), from_text),
    "object": (
        lambda client, quote: client.session.create_object_message(list(quote)),
        lambda message: tuple(message.object),
    ),
    "bytes": (bytes_of, lambda message: in_order(message, "utf")),
}
"""The five forms: how a quote is written, and how it is read."""


def quoted(case: Case, ticker: Link, form: str, get: Callable[[Case, Link], api.Message]) -> Quote:
    """Send the quote in a form, get it, and read it."""
    write, read = FORMS[form]
    link = case.link(client=ticker.client) if get is WAYS["a listener"] else ticker
    link.send(write(ticker.client, QUOTE))
    return read(get(case, link))


class EmptyHanded:
    """The receives of a client to whom nothing was sent, and their times in ms."""

    def __init__(self, link: Link) -> None:
        begin = link.case.now()
        first = link.consumer.receive(int(link.case.timing.delay))
        between = link.case.now()
        self.messages = [first, link.consumer.receive_no_wait()]
        self.timed, self.at_once = between - begin, link.case.now() - between


def empty_handed(case: Case) -> EmptyHanded:
    """Receive where nothing is, with a timeout and without waiting."""
    return EmptyHanded(case.link())


def subscriber_of_two(case: Case) -> list[str]:
    """Publish quotes of five companies; return those that a client gets who asks for two of them."""
    interested = case.link(selector=TWO)
    publisher = case.link(destination=interested.destination, consumes=False)
    for company in COMPANIES:
        publisher.send(named(publisher.text(company), company))
    publisher.send(named(publisher.text("the end"), "IBM"))
    names: list[str] = []
    while (message := interested.poll()) is not None and body(message) != "the end":
        names.append(str(body(message)))
    return names


def named(message: api.Message, name: str) -> api.Message:
    """Write the name of a company on a quote."""
    message.set_string_property("name", name)
    return message
