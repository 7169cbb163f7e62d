"""Which calls a program may make: those whose outcome the specification lays down."""
