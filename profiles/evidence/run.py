"""Run the programs that a provider's profile names, one after another in one process.  run.py PROVIDER [WORD] [--rare]

Prints each program and what it showed. With WORD it runs those only whose call contains it. A program that is named for several
cases runs once for all of them. Programs that keep nothing share a broker; those that leave the machine busy come last. A program
that did not see its deviation runs up to four times more at the end, each time in a fresh broker: a broker's race may hide what it
shows. Ends with 1 if a program did not see the deviation then either, with 0 if all did.
"""

import contextlib
import runpy
import shlex
import sys
import threading
import time
import tomllib
from pathlib import Path

import brokers

HERE = Path(__file__).parent
BUSY = "shared_hang.py"
# These show a race: a run may see nothing, and takes up to minutes. They run with --rare only.
RARE = ("acknowledged_then_killed.py", "automatic.py", "dups_ok_closed.py", "ended_receive.py", "held.py", "in_part.py", "lost_commit.py", "lost_drain.py", "resumed.py", "stopped_at_work.py")


class Left(Exception):  # noqa: N818 - the end of a program
    """A program has come to its end."""


def calls(provider, word="", *, rare=False):
    """Give the calls for a provider, those of its variants and of profiles that extend its own too."""
    profiles = [tomllib.loads(file.read_text(encoding="utf-8")) for file in (HERE.parent / "providers").glob("*.toml")]
    tables = [table for profile in profiles for table in (profile, *profile.get("variant", {}).values())]
    declared = [each.get("evidence", "") for table in tables for each in table.get("deviation", ())]
    named = {call for call in declared if call.startswith("profiles/evidence/") and call.split()[1] == provider}
    mine = [call for call in named if word in call and (rare or Path(call.split()[0]).name not in RARE)]
    return sorted(mine, key=lambda call: (BUSY in call, call))


def programs(chosen):
    """Give each program with its other arguments, and the cases that the calls name; None where a call names none."""
    found = {}
    for call in chosen:
        program, _, case = call.partition(" case=")
        found.setdefault(program, []).append(case or None)
    return found


def run(call, cases):
    """Run a program, and print for each case whether it deviates; give the cases that do not."""
    sys.argv = shlex.split(call)
    brokers.judged.clear()
    sys.modules.pop("branch", None)  # it has a session of its own, which ends with the program
    codes, ended = [], threading.Event()

    def leave(code):
        codes.append(code)
        ended.set()
        raise Left

    def main():
        try:
            runpy.run_path(str(HERE / Path(sys.argv[0]).name))
        except Left:
            pass
        except BaseException as error:  # noqa: BLE001 - of whatever kind, and Java's too
            print(f"failed: {type(error).__name__}: {error}", flush=True)
        ended.set()

    began, brokers.leave = time.monotonic(), leave
    print(f"== {call}", flush=True)
    threading.Thread(target=main, daemon=True).start()
    ended.wait(300)
    print(f"-- exit {codes[0] if codes else None} after {time.monotonic() - began:.1f} s", flush=True)
    left, brokers.made[:] = list(brokers.made), []  # a close may take until the next program is at work: it ends what this one made
    closing = threading.Thread(target=close, args=(left,), daemon=True)
    closing.start()
    closing.join(2)
    brokers.spoilt = codes not in ([0], [1]) or closing.is_alive()
    return [case for case in cases if not deviates(call, case)] if codes else cases


def deviates(call, case):
    """Print and give whether one of the case's observations was wrong."""
    mine = [(right, seen) for name, right, seen in brokers.judged if case in {None, name}]
    wrong = [seen for right, seen in mine if not right]
    print(f"{'shown' if wrong else 'NOT SHOWN'}: {named(call, case)}  {(wrong or [seen for _, seen in mine] or ['nothing'])[0]}", flush=True)
    return bool(wrong)


def named(call, case):
    return f"{call} case={case}" if case else call


def close(left):
    while left:
        with contextlib.suppress(Exception):  # its broker may be gone
            left.pop().close()


def missing(chosen, *, apart=False):
    """Run the calls, each program in a fresh broker if they are to run apart; give the calls that did not show their deviation."""
    missed = []
    for call, cases in programs(chosen).items():
        brokers.spoilt = brokers.spoilt or apart
        missed += [named(call, case) for case in run(call, cases)]
    return missed


if __name__ == "__main__":
    exit_now, options = brokers.leave, sys.argv[2:]
    words = [each for each in options if each != "--rare"]
    chosen = calls(sys.argv[1], *words, rare="--rare" in options)
    began = time.monotonic()
    first = missing(chosen)
    missed = first
    for _ in range(4):
        missed = missing(missed, apart=True)
    for call in first:
        print(f"{'not seen' if call in missed else 'shown at another try'}: {call}")
    print(f"{len(chosen) - len(missed)} of {len(chosen)} deviations were shown, in {time.monotonic() - began:.0f} s", flush=True)
    exit_now(1 if missed or not chosen else 0)
