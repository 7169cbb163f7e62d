"""Run the programs that a provider's profile names, one after another in one process.  run.py PROVIDER [WORD] [--rare]

Prints each call and what it showed. With WORD it runs those only whose call contains it. Programs that keep nothing share a broker;
those that leave the machine busy come last. Ends with 1 if a program did not see the deviation, with 0 if all did.
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
RARE = ("automatic.py", "dups_ok_closed.py", "held.py", "in_part.py", "lost_commit.py", "lost_drain.py", "resumed.py", "stopped_at_work.py")


class Left(Exception):  # noqa: N818 - the end of a program
    """A program has come to its end."""


def calls(provider, word="", *, rare=False):
    profile = tomllib.loads((HERE.parent / "providers" / f"{provider}.toml").read_text(encoding="utf-8"))
    named = {each["evidence"] for each in profile["deviation"] if each.get("evidence", "").startswith("profiles/evidence/")}
    mine = [call for call in named if word in call and (rare or Path(call.split()[0]).name not in RARE)]
    return sorted(mine, key=lambda call: (BUSY in call, call))


def run(call):
    sys.argv = shlex.split(call)
    brokers.judged.clear()
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
    closing = threading.Thread(target=close, daemon=True)
    closing.start()
    closing.join(2)
    brokers.spoilt = codes != [1] or closing.is_alive()
    return codes == [1]


def close():
    while brokers.made:
        with contextlib.suppress(Exception):  # its broker may be gone
            brokers.made.pop().close()


if __name__ == "__main__":
    exit_now, options = brokers.leave, sys.argv[2:]
    words = [each for each in options if each != "--rare"]
    chosen = calls(sys.argv[1], *words, rare="--rare" in options)
    began, missed = time.monotonic(), [call for call in chosen if not run(call)]
    for call in missed:
        print(f"not seen: {call}")
    print(f"{len(chosen) - len(missed)} of {len(chosen)} programs saw the deviation, in {time.monotonic() - began:.0f} s", flush=True)
    exit_now(1 if missed or not chosen else 0)
