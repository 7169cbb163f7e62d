"""The extended trader constraint language (ETCL) of the Notification Service: constraints and filters of structured events.

| name | meaning |
|---|---|
| `Constraint(text)` | a compiled constraint; `matches(event, now)` says whether an event satisfies it |
| `render(tree)` | the text of a constraint's tree |
| `Filter`, `MappingFilter` | several constraints, each for some types of events; a mapping filter gives a value with each |
| `to_selector(constraint)` | a message selector for the messages that the bridge makes of the events that match |
| `InvalidConstraint`, `ConstraintNotFound`, `InvalidValue`, `NotTranslatable` | what they raise |

The language is that of chapter 2 of the Notification Service specification. `reference_interworking.etcl.evaluation` says what a constraint
means where a field is missing or types are unlike. A bit wider than the grammar of the specification: a name in parentheses may be a
string, so `$.filterable_data('a-b')` reaches a field that is no identifier, and the sign of an exponent may be left out.
"""

from reference_interworking.etcl.constraint import Constraint
from reference_interworking.etcl.errors import ConstraintNotFound, InvalidConstraint, InvalidValue, NotTranslatable
from reference_interworking.etcl.filters import Filter, MappingFilter
from reference_interworking.etcl.rendering import render
from reference_interworking.etcl.selectors import to_selector
from tck.interworking.filters import ConstraintExp, ConstraintInfo, MappingConstraintInfo, MappingConstraintPair

__all__ = [
    "Constraint",
    "ConstraintExp",
    "ConstraintInfo",
    "ConstraintNotFound",
    "Filter",
    "InvalidConstraint",
    "InvalidValue",
    "MappingConstraintInfo",
    "MappingConstraintPair",
    "MappingFilter",
    "NotTranslatable",
    "render",
    "to_selector",
]
