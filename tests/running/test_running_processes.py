"""The fork pool: who takes what, what comes back, and how each child ends.

Each pool is made in a process of its own, since the one that runs these tests may have threads.
"""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

fcntl = pytest.importorskip("fcntl", reason="without it there is no fork either")
ROOT = Path(__file__).parents[2]
HEAD = """
import os, signal, sys, threading, time, types
from tck.processes import End, Pool, can_fork, silence_stderr

def news(pool):
    while pool:
        yield from pool.wait()

def ended(pool):
    return [(child, child.end) for child, message in news(pool) if message is None]
"""


def run(body, code=0):
    """Run a script; returns the lines that it printed."""
    done = subprocess.run(
        [sys.executable, "-c", HEAD + textwrap.dedent(body)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done.stdout.splitlines()


def test_each_ticket_is_taken_once_and_each_message_arrives():
    assert run("""
        def work(channel):
            for ticket in channel.tickets():
                channel.send({"pid": os.getpid(), "ticket": ticket, "text": "\\ud800 é \\n"})

        with Pool(range(500)) as pool:
            children = [pool.fork(work) for _ in range(3)]
            told = [(child, message) for child, message in news(pool)]
        messages = [(child, message) for child, message in told if message]
        print(sorted(message["ticket"] for _, message in messages) == list(range(500)))
        print(all(child.pid == message["pid"] != os.getpid() for child, message in messages))
        print({message["text"] for _, message in messages} == {"\\ud800 é \\n"})
        print([child.end is End.DONE for child in children])
    """) == ["True", "True", "True", "[True, True, True]"]


def test_the_line_aside_is_for_those_who_ask_and_stays_open_until_it_is_complete():
    assert run("""
        def aside_first(channel):
            for ticket in iter(lambda: channel.ticket_at_hand(aside=True), None):
                channel.send({"aside": ticket})
            channel.send({"rest": list(channel.tickets())})

        with Pool(range(3), range(10, 13), more=True) as pool:
            print(pool.left, pool.left_aside)
            pool.fork(aside_first)
            found = []
            while pool:
                for _, message in pool.wait():
                    found += [message] if message else []
                    if message == {"aside": 12}:
                        pool.add(13)
                        pool.complete()
            print(pool.left, pool.left_aside)
        taken = [ticket for message in found for ticket in message.get("rest", [message.get("aside")])]
        print(found[:3] == [{"aside": 10}, {"aside": 11}, {"aside": 12}], sorted(taken) == [0, 1, 2, 10, 11, 12, 13])
        print(taken.index(12) < taken.index(0))
    """) == ["3 3", "0 0", "True True", "True"]


@pytest.mark.skipif(not hasattr(fcntl, "F_SETPIPE_SZ"), reason="the size of a pipe is fixed here")
def test_more_tickets_than_a_pipe_holds():
    assert run("""
        import fcntl
        made = os.pipe
        def narrow():
            taking, giving = made()
            fcntl.fcntl(giving, fcntl.F_SETPIPE_SZ, 4096)  # 1024 tickets
            return taking, giving
        os.pipe = narrow

        def work(channel):
            for ticket in channel.tickets():
                channel.send({"ticket": ticket})

        with Pool(range(5000)) as pool:
            for _ in range(2):
                pool.fork(work)
            print(sorted(message["ticket"] for _, message in news(pool) if message) == list(range(5000)))
    """) == ["True"]


def test_the_parent_takes_tickets_too():
    assert run("""
        def work(channel):
            channel.send({"tickets": list(channel.tickets())})

        with Pool(range(64)) as pool:
            pool.fork(work)
            mine = list(pool.tickets())
            (theirs,) = [message["tickets"] for _, message in news(pool) if message]
        print(sorted(mine + theirs) == list(range(64)))
    """) == ["True"]


def test_a_message_larger_than_a_pipe():
    assert run("""
        with Pool() as pool:
            pool.fork(lambda channel: channel.send({"text": "x" * 1_000_000}))
            print([len(message["text"]) for _, message in news(pool) if message])
    """) == ["[1000000]"]


def test_what_the_work_raises_comes_back_as_a_traceback():
    told = run("""
        def work(channel):
            channel.send({"before": 1})
            raise ValueError("broken on purpose")

        with Pool() as pool:
            child = pool.fork(work)
            print([message for _, message in news(pool)])
            print(child.end.value)
            print(child.failure)
    """)
    assert told[:2] == ["[{'before': 1}, None]", "failed"]
    assert "ValueError: broken on purpose" in told


def test_a_message_that_json_does_not_have_fails_the_child():
    assert (
        "TypeError"
        in run("""
        with Pool() as pool:
            child = pool.fork(lambda channel: channel.send({"value": object()}))
            print(ended(pool) == [(child, End.FAILED)], child.failure.splitlines()[-1])
    """)[0]
    )


def test_a_child_that_exits_or_is_killed_has_crashed_and_another_takes_its_place():
    assert run("""
        def work(channel):
            for ticket in channel.tickets():
                channel.send({"ticket": ticket})
                if ticket == 3:
                    os._exit(0)
                if ticket == 6:
                    os.kill(os.getpid(), signal.SIGKILL)

        seen, ends = [], []
        with Pool(range(10)) as pool:
            pool.fork(work)
            for child, message in news(pool):
                if message:
                    seen.append(message["ticket"])
                else:
                    ends.append(child.end.value)
                    if child.end is End.CRASHED:
                        pool.fork(work)
        print(seen == list(range(10)), ends)
    """) == ["True ['crashed', 'crashed', 'done']"]


def test_a_child_past_its_deadline_is_killed_and_the_others_go_on():
    assert run("""
        def hang(channel):
            channel.send({"hangs": True})
            threading.Event().wait()

        def work(channel):
            threading.Event().wait(1.5)
            channel.send({"works": True})

        with Pool() as pool:
            slow, good = pool.fork(hang, 0.3), pool.fork(work, 30)
            told = [message for _, message in news(pool) if message]
            print(slow.end.value, good.end.value, told)
    """) == ["timed out done [{'hangs': True}, {'works': True}]"]


def test_a_child_that_is_interrupted_ends_without_a_traceback():
    assert run("""
        def work(channel):
            os.kill(os.getpid(), signal.SIGINT)
            threading.Event().wait(10)

        with Pool() as pool:
            child = pool.fork(work)
            print(ended(pool) == [(child, End.INTERRUPTED)], repr(child.failure))
    """) == ["True ''"]


def test_an_interrupt_of_the_parent_ends_it_and_all_children():
    assert run(
        """
        def work(channel):
            channel.send({"pid": os.getpid()})
            threading.Event().wait()

        pids = []
        try:
            with Pool() as pool:
                children = [pool.fork(work), pool.fork(work)]
                for child, message in news(pool):
                    pids.append(message["pid"])
                    if len(pids) == 2:
                        os.killpg(os.getpgid(0), signal.SIGINT)
                        threading.Event().wait(10)
        except KeyboardInterrupt:
            print("interrupted", [child.end.value for child in children])
        for pid in pids:
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                print("gone")
    """.replace("pids = []", "pids = []\n        os.setpgid(0, 0)")
    ) == [
        "interrupted ['interrupted', 'interrupted']",
        "gone",
        "gone",
    ]


def test_closing_takes_the_tickets_back_and_kills_who_does_not_end():
    assert run("""
        def work(channel):
            for ticket in channel.tickets():
                channel.send({"ticket": ticket})
                signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
                threading.Event().wait()

        open_before = os.listdir("/dev/fd")
        pool = Pool(range(100))
        child = pool.fork(work)
        next(iter(pool.wait(10)))
        pool.close(0.2)
        pool.close()
        print(len(pool), os.listdir("/dev/fd") == open_before)
        try:
            os.kill(child.pid, 0)
        except ProcessLookupError:
            print("gone")
    """) == ["0 True", "gone"]


def test_withdrawn_tickets_are_taken_by_nobody():
    assert run("""
        def work(channel):
            for ticket in channel.tickets():
                channel.send({"ticket": ticket})

        with Pool(range(100)) as pool:
            pool.withdraw()
            pool.fork(work)
            print([message for _, message in news(pool) if message])
    """) == ["[]"]


def test_the_end_of_a_child_is_heard_of_while_its_siblings_run():
    assert run("""
        def hold(channel):
            for _ in channel.tickets():
                pass

        with Pool(range(1)) as pool:
            quick = pool.fork(lambda channel: None)
            slow = pool.fork(lambda channel: threading.Event().wait(30), 30)
            first = next(child for child, message in news(pool) if message is None)
            print(first is quick, slow.end)
            os.kill(slow.pid, signal.SIGKILL)
    """) == ["True None"]


def test_a_child_writes_nothing_to_stderr_once_it_is_silent():
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            HEAD
            + textwrap.dedent("""
                def work(channel):
                    print("before", file=sys.stderr, flush=True)
                    silence_stderr()
                    print("after", file=sys.stderr, flush=True)
                    os.write(2, b"from C")

                with Pool() as pool:
                    pool.fork(work)
                    ended(pool)
                print("the parent", file=sys.stderr)
            """),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr.splitlines() == ["before", "the parent"]


def test_a_process_with_threads_or_a_java_machine_is_not_forked():
    assert run("""
        print(can_fork())
        sys.modules["jpype"] = types.SimpleNamespace(isJVMStarted=lambda: True)
        print(can_fork())
        del sys.modules["jpype"]
        thread = threading.Thread(target=threading.Event().wait, daemon=True)
        thread.start()
        print(can_fork())
    """) == ["True", "False", "False"]
