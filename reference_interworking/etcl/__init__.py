"""The extended trader constraint language (ETCL) of the Notification Service: constraints and filters of structured events.

| name | meaning |
|---|---|
| `Constraint(text)` | a compiled constraint; `matches(event, now)` says whether an event satisfies it |
| `Filter`, `MappingFilter` | several constraints, each for some types of events; a mapping filter gives a value with each |
| `InvalidConstraint`, `InvalidValue` | what they raise |

The language is that of chapter 2 of the Notification Service specification. `reference_interworking.etcl.evaluation` says what a constraint
means where a field is missing or types are unlike. A bit wider than the grammar of the specification: a name in parentheses may be a
string, so `$.filterable_data('a-b')` reaches a field that is no identifier, and the sign of an exponent may be left out.
"""

from reference_interworking.etcl.constraint import Constraint
from reference_interworking.etcl.errors import InvalidConstraint, InvalidValue
from reference_interworking.etcl.filters import Filter, MappingFilter
from tck.interworking.filters import ConstraintExp, ConstraintInfo, MappingConstraintInfo, MappingConstraintPair

__all__ = [
    "Constraint",
    "ConstraintExp",
    "ConstraintInfo",
    "Filter",
    "InvalidConstraint",
    "InvalidValue",
    "MappingConstraintInfo",
    "MappingConstraintPair",
    "MappingFilter",
]
