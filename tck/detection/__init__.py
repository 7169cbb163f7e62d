"""Detection: saboteurs and dummies run in forked children of one collected process, and what that proves of each check."""
