"""`python -m tck`: the same as the console script `tck`."""

import sys
from pathlib import Path

try:
    from tck.cli.main import main
except ModuleNotFoundError as error:
    if error.name is None or error.name.partition(".")[0] in {"tck", "reference_provider"}:
        raise
    home = Path(__file__).resolve().parents[1]
    place = f"-e '{home}'" if (home / "pyproject.toml").exists() else "--force-reinstall jms-tck"
    sys.stderr.write(
        f"tck: expected the packages that the kit needs in {sys.executable}, saw no {error.name}.\n"
        f"Install them: {sys.executable} -m pip install {place}\n"
    )
    sys.exit(4)

if __name__ == "__main__":
    sys.exit(main())
