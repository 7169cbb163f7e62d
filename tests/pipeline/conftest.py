"""One session of Spark and one run of the suite for all tests of the pipeline."""

import json

import pytest
from pipeline_support import broken, tck


@pytest.fixture(scope="session")
def faulty():
    """A trace with every fault; its tests must not change it."""
    return broken()


@pytest.fixture(scope="session")
def suite_bundle(tmp_path_factory):
    """A run of some sections of the suite, restarts among them, on the reference provider."""
    folder = tmp_path_factory.mktemp("suite")
    words = ("run", "6.2.7", "6.2.10", "3.4.13", "-n", "0", "--points", "one", "--seed", "1", "--no-report")
    done = tck(*words, "--format", "json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / json.loads(done.stdout)["bundle"]


@pytest.fixture(scope="session")
def workload_bundle(tmp_path_factory):
    """A run of a workload on the reference provider; its tests must not change it."""
    folder = tmp_path_factory.mktemp("workload")
    words = ("workload", "run", "--plan", "transactions", "--messages", "200", "--seed", "3", "--format", "json")
    done = tck(*words, cwd=folder)
    assert done.returncode == 0, done.stderr
    return next((folder / "tck-out" / "runs").iterdir())


@pytest.fixture(scope="session")
def cluster():
    """Spark on this machine, started once."""
    pytest.importorskip("pyspark", reason="the extra `spark` is not installed")
    from tck.reports.pipeline.errors import NoSparkError
    from tck.reports.pipeline.spark.cluster import Cluster
    from tck.reports.pipeline.spark.java import find_java

    try:
        find_java()
    except NoSparkError as error:
        pytest.skip(str(error))
    with Cluster("local[2]") as found:
        found.start()
        yield found
