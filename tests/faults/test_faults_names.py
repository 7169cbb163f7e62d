"""Modules of faults import the kit by star, so ruff cannot tell an undefined name: each global name is looked up here."""

import builtins
import dis
import sys
from pathlib import Path
from types import CodeType

import pytest

import faults

faults.all_saboteurs()
faults.all_bridge_saboteurs()
MODULES = sorted(name for name, module in sys.modules.items() if name.startswith("faults.") and module.__file__)


def codes(code):
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from codes(each)


@pytest.mark.parametrize("name", MODULES)
def test_each_global_name_is_defined(name):
    module = sys.modules[name]
    top = compile(Path(module.__file__).read_text(encoding="utf-8"), module.__file__, "exec")
    asked = {
        each.argval
        for code in codes(top)
        for each in dis.get_instructions(code)
        if each.opname == "LOAD_GLOBAL" or (each.opname == "LOAD_NAME" and code is top)
    }
    assert {each for each in asked if not hasattr(module, each) and not hasattr(builtins, each)} == set()
