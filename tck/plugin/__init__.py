"""The pytest plugin: glue between pytest and the rooms, and nothing else.

It parses the options, multiplies the tests over their points, keeps and orders the selected ones, gives each test
its `case`, turns outcomes into results, and sets the exit code from the verdict table. Loaded by `conftest.py` in a
checkout and by `tck run` everywhere. Without `--profile`, `--detect` or a path under `tck/suite` it does nothing.
"""

from tck.plugin.hooks import (
    case,
    pytest_addoption,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_configure_node,
    pytest_generate_tests,
    pytest_handlecrashitem,
    pytest_keyboard_interrupt,
    pytest_report_header,
    pytest_report_teststatus,
    pytest_runtest_call,
    pytest_runtest_makereport,
    pytest_runtest_protocol,
    pytest_runtestloop,
    pytest_sessionfinish,
    pytest_unconfigure,
)

__all__ = [
    "case",
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_configure_node",
    "pytest_generate_tests",
    "pytest_handlecrashitem",
    "pytest_keyboard_interrupt",
    "pytest_report_header",
    "pytest_report_teststatus",
    "pytest_runtest_call",
    "pytest_runtest_makereport",
    "pytest_runtest_protocol",
    "pytest_runtestloop",
    "pytest_sessionfinish",
    "pytest_unconfigure",
]
