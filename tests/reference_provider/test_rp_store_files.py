"""Files that are unfit: damaged in their middle, somebody else's, open under another name."""

import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner
from rp_support import send, session_of

from reference_provider.__main__ import main
from reference_provider.adapter import open_provider
from tck.api import JMSException

FILE = "provider.sqlite"
PAGE = 4096


@pytest.fixture
def filled(tmp_path):
    with open_provider({}, tmp_path) as provider:
        send(session_of(provider), provider.create_queue("q"), *("x" * 500 for _ in range(300)))
    return tmp_path


def _change(folder, sql, *parameters):
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute(sql, parameters)
        connection.commit()


def test_pages_damaged_in_the_middle_refuse_the_opening_and_leave_the_file_free(filled):
    content = bytearray((filled / FILE).read_bytes())
    intact = bytes(content)
    for place in range(2 * PAGE, len(content), 3 * PAGE):
        content[place : place + 200] = bytes(range(200))
    (filled / FILE).write_bytes(content)
    with pytest.raises(JMSException, match="no intact database"):
        open_provider({}, filled)
    (filled / FILE).write_bytes(intact)
    with open_provider({}, filled) as provider:
        assert provider.pending(provider.create_queue("q")) == 300


@pytest.mark.parametrize("headers", ["{", "{}", '{"kind": "telegram"}', "[]", '"text"'])
def test_headers_that_make_no_sense_are_told_and_the_message_stays(filled, headers):
    _change(filled, "update message set headers = ? where id = 2", headers)
    with open_provider({}, filled) as provider:
        consumer = session_of(provider).create_consumer(provider.create_queue("q"))
        for _ in range(3):
            with pytest.raises(JMSException, match="no intact database"):
                consumer.receive_no_wait()
    _change(filled, "delete from message where id = 2")
    with open_provider({}, filled) as provider:
        assert provider.pending(provider.create_queue("q")) == 299


def test_tables_that_make_no_sense_refuse_the_opening(filled):
    _change(filled, "update destination set kind = 'mailbox'")
    with pytest.raises(JMSException, match="no intact database"):
        open_provider({}, filled)
    _change(filled, "update destination set kind = 'queue'")
    open_provider({}, filled).close()


@pytest.mark.parametrize("table", ["accounts", "message"])
def test_a_database_of_something_else_is_left_as_it_is(tmp_path, table):
    _change(tmp_path, f"create table {table} (id)")
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(JMSException, match=f"something else: it has the tables {table}"):
        open_provider({}, tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


def test_a_file_that_is_in_use_is_so_by_any_name(tmp_path):
    with open_provider({}, tmp_path):
        link = tmp_path / "link.sqlite"
        link.symlink_to(tmp_path / FILE)
        with pytest.raises(JMSException, match="another provider has this file open"):
            open_provider({"file": str(link)}, tmp_path)


def _look(*arguments):
    done = CliRunner().invoke(main, [str(one) for one in arguments])
    return done.exit_code, done.output


def test_commands_say_what_is_wrong_with_a_damaged_file(filled):
    content = bytearray((filled / FILE).read_bytes())
    for place in range(PAGE, len(content), PAGE):
        content[place : place + 100] = bytes(range(100))
    damaged, empty = filled / "damaged.sqlite", filled / "empty.sqlite"
    damaged.write_bytes(content)
    empty.write_bytes(b"")
    _change(filled, "update message set headers = '{' where id = 2")
    for arguments in (("inspect", damaged), ("peek", damaged, "q"), ("inspect", empty), ("peek", filled / FILE, "q")):
        code, output = _look(*arguments)
        assert code == 1
        assert output.startswith("Error: ")
        assert "no intact database" in output
    assert _look("inspect", filled / FILE)[0] == 0


def test_peek_says_of_a_delayed_message_when_it_is_due(tmp_path):
    with open_provider({"clock": "virtual"}, tmp_path) as provider:
        send(session_of(provider), provider.create_queue("q"), "later", delivery_delay=60_000)
        due = provider.clock.now() + 60_000
        send(session_of(provider), provider.create_queue("q"), "now")
        output = _look("peek", tmp_path / FILE, "q")[1]
    assert f"(priority 4, due {due})\n    later" in output
    assert "(priority 4)\n    now" in output
