"""`python -m tck`: the same as the console script `tck`."""

import sys

from tck.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
