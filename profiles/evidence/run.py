"""Run the programs that a provider's profile names, one after another in one process.  run.py PROVIDER [WORD]

Prints each call and what it showed. With WORD it runs those only whose call contains it. Each gets a broker of its own; the programs
that leave the machine busy come last. Ends with 1 if a program did not see the deviation, with 0 if all did.
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


class Left(Exception):  # noqa: N818 - the end of a program
    """A program has come to its end."""


def leave(code):
    raise Left(code)


def calls(provider):
    profile = tomllib.loads((HERE.parent / "providers" / f"{provider}.toml").read_text(encoding="utf-8"))
    return sorted({each["evidence"] for each in profile["deviation"]}, key=lambda call: (BUSY in call, call))


def run(call):
    sys.argv = shlex.split(call)
    brokers.judged.clear()
    codes = []

    def main():
        try:
            runpy.run_path(str(HERE / Path(sys.argv[0]).name))
        except Left as end:
            codes.append(end.args[0])
        except BaseException as error:  # noqa: BLE001 - of whatever kind, and Java's too
            print(f"failed: {type(error).__name__}: {error}", flush=True)

    began = time.monotonic()
    print(f"== {call}", flush=True)
    program = threading.Thread(target=main, daemon=True)
    program.start()
    program.join(120)
    print(f"-- exit {codes[0] if codes else None} after {time.monotonic() - began:.1f} s", flush=True)
    closing = threading.Thread(target=close, daemon=True)
    closing.start()
    closing.join(2)
    return codes == [1]


def close():
    while brokers.made:
        with contextlib.suppress(Exception):  # its broker may be gone
            brokers.made.pop().close()


if __name__ == "__main__":
    exit_now, brokers.leave = brokers.leave, leave
    chosen = [call for call in calls(sys.argv[1]) if not sys.argv[2:] or sys.argv[2] in call]
    seen = [run(call) for call in chosen]
    print(f"{sum(seen)} of {len(seen)} programs saw the deviation", flush=True)
    exit_now(0 if all(seen) else 1)
