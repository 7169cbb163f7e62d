"""`tck play`: a person takes part in a scenario; here the lines come from a pipe."""

import subprocess

import pytest
from cli_support import command, environment


def played(tmp_path, scenario, *lines):
    done = subprocess.run(
        command("play", scenario),
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment(),
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()[1:]


def test_a_member_of_the_chat_hears_itself_and_the_answers(tmp_path):
    heard = played(tmp_path, "pj-chat", "hello", "topics", "/leave", "never said")
    assert heard == ["You: hello", "Ann: hello? Tell me more, You.", "You: topics", "Ann: topics? Tell me more, You."]


def test_bob_answers_the_phone_until_the_end_of_the_lines(tmp_path):
    assert played(tmp_path, "pj-phone", "hello", "bye") == [
        "Bob: You say 'hello'? I see.",
        "Bob: You say 'bye'? I see.",
    ]


@pytest.mark.parametrize(
    ("line", "forms"),
    [
        ("sunw ibm", ["stream: SUNW", "text: IBM"]),
        ("hwp nobody orcl msft", ["map: MSFT", "object: ORCL", "bytes: HWP"]),
        ("", ["stream: SUNW", "map: MSFT", "text: IBM", "object: ORCL", "bytes: HWP"]),
    ],
)
def test_the_quotes_of_the_companies_that_are_followed(tmp_path, line, forms):
    quotes = played(tmp_path, "pj-stock-quotes", line, "", "/quit")
    assert [quote.rpartition(" ")[0] for quote in quotes] == forms * 2
    assert all(45 < float(quote.rpartition(" ")[2]) < 55 for quote in quotes)
