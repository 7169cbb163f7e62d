"""Every member of every API type has a recorded form with the same signature."""

import inspect

import pytest

from tck import api
from tck.adapters.recording.kinds import INFOS
from tck.adapters.recording.shapes import CALLBACKS, Flow, Form, Parameter, api_types, members, types_of
from tck.adapters.recording.source import Inward, Outward, _Names, _signature

TYPES = sorted(api_types(), key=lambda each: each.__name__)


@pytest.mark.parametrize("kind", TYPES, ids=lambda each: each.__name__)
def test_a_wrapper_has_every_member_with_its_signature(kind):
    info = INFOS[kind]
    wrapper = info.inward if kind in CALLBACKS else info.outward
    assert issubclass(wrapper, kind)
    assert issubclass(wrapper, Inward if kind in CALLBACKS else Outward)
    assert not inspect.isabstract(wrapper)
    for name in (name for name in dir(kind) if not name.startswith("_") or name == "__str__"):
        declared, made = inspect.getattr_static(kind, name), inspect.getattr_static(wrapper, name)
        if name == "__str__" and not getattr(declared, "__isabstractmethod__", False):
            continue
        if isinstance(declared, property):
            assert isinstance(made, property)
            assert (made.fset is None) == (declared.fset is None), name
        elif inspect.isfunction(declared):
            assert made is not declared, name
            assert shape(made) == shape(declared), name


def shape(function):
    return [(each.name, each.kind, each.default) for each in inspect.signature(function).parameters.values()]


@pytest.mark.parametrize("kind", TYPES, ids=lambda each: each.__name__)
def test_no_parameter_hides_a_name_of_the_generated_source(kind):
    internal = {"r", "s", "t", "v", "w", "e", "f", "here", "facts", "again", "freeze", "body_of", "Outward", "OMITTED"}
    for member in members((kind,)):
        assert not internal & set(member.names), member.op


def test_no_member_hides_a_slot():
    slots = set(Outward.__slots__) | set(Inward.__slots__) | {"kind"}
    assert not {member.name for kind in TYPES for member in members((kind,))} & slots


def test_a_class_is_wrapped_by_its_most_derived_types():
    class Everything(api.XAQueueConnection, api.XATopicConnection):
        pass

    assert types_of(Everything) == (api.XAQueueConnection, api.XATopicConnection)
    assert issubclass(INFOS[Everything].outward, Everything.__bases__)
    assert types_of(int) == ()


def test_each_use_of_a_member_has_one_name():
    for kind in TYPES:
        uses = [(member.name, member.form) for member in members((kind,))]
        assert len(uses) == len(set(uses))
        assert all(form is not Form.SET or (name, Form.GET) in uses for name, form in uses)


def test_a_list_of_plain_values_stays_that_list(toy):
    """A provider that gives the same list twice must be seen to do so (3.12-16)."""
    values = [1, "two", [3]]
    assert toy.recorder.wrap(values) is values
    assert toy.recorder.wrap([toy.raw])[0] is not toy.raw


def test_the_source_of_a_wrapper_takes_positional_arguments_before_keywords():
    def adapters(self, *bodies, key="none", other, **more): ...

    parameters = list(inspect.signature(adapters).parameters.values())[1:]
    shapes = [Parameter(each.name, Flow.PLAIN, each.kind, each.default) for each in parameters]
    names = _Names()
    namespace = dict(names.table)
    source = f"def made({_signature(shapes, names)}): return bodies, key, other, more"
    exec(source, {**names.table}, namespace)  # noqa: S102 - what the recorder does
    assert shape(namespace["made"]) == shape(adapters)
