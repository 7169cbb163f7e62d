"""One good run that all tests of the command line look into; none changes its folder."""

import pytest
from cli_support import tck


@pytest.fixture(scope="session")
def good(tmp_path_factory):
    folder = tmp_path_factory.mktemp("good")
    ended = tck("run", "3.4.1", "-n", "2", "--format", "json", "--seed", "7", cwd=folder)
    assert ended.code == 0, ended.err
    return folder, ended
