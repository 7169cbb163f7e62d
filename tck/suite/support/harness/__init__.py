"""The harness: the running case, its outcome, its threads and the `@asserts` of a test. The lowest room of the vocabulary."""
