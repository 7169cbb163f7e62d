"""Detection: can each check fail? Saboteurs and dummies run in forked children of one collected process."""
