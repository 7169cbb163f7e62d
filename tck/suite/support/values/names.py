"""The tables of names: of properties, which are identifiers of selectors, and of map entries, which may be any text."""

from __future__ import annotations

from typing import Final

PROPERTY_NAMES: Final = (
    *("a", "Z", "_", "$", "_1", "a1", "_a", "$a", "a$b_c9"),  # one letter, and each beginning
    *("gr\u00f6\u00dfe", "\u6771\u4eac", "\u043f1", "\u20acuro"),  # letters of other scripts, and a sign of a currency
    *("caf\u00e9", "cafe\u0301"),  # composed and decomposed: two names
    *("NULLS", "NOTE", "ISnt", "INN", "ORDER", "ANDY", "LIKENESS", "BETWEENS", "ESCAPED", "TRUEST", "FALSEHOOD"),
    *("notnull", "is_null", "_NULL", "nil", "undefined"),  # all of them look like reserved words
    *("jms_type", "Jms", "aJMSX", "jmsxstate"),  # look like reserved prefixes, which are in capitals
    *(
        "body",
        "text",
        "name",
        "id",
        "priority",
        "type",
        "messageid",
        "timestamp",
        "destination",
    ),  # as inner fields have
    *("constructor", "__proto__", "__class__", "class"),
    "m" * 300,
    "n" * 1000,
)
"""Names of properties, each for its sake; no two are one name."""

CASES: Final = ("color", "Color", "COLOR", "cOLOR")
"""Names that differ by case only."""

ENTRY_NAMES: Final = (
    *PROPERTY_NAMES,
    *CASES,
    *(" ", " a", "a ", "a b", "a.b", "a-b", "1", "1a", "-1", "a/b", "a:b", "$.a[0]", "'", '"', "%", "\\", "\0", "a\nb"),
    *("NULL", "TRUE", "NOT", "null", "true"),  # reserved in selectors only
    *("JMSType", "JMSXGroupID", "JMS_vendor", "JMSfoo"),  # reserved for properties only
    *("\ufeffa", "\N{GRINNING FACE}", "\u212b", "\u00c5"),
)
"""Names of map entries, each for its sake: any text but the empty one."""

FEW: Final = (0, 1, 2, 40)
"""Numbers of entries, items or properties: none, one, two, and some."""
VERY_MANY: Final = 500
"""More entries, items or properties than small tables hold."""
