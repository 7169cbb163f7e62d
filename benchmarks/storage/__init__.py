"""Where the files of measurements go: storage media, provider files, a disk that logs what SQLite does with it."""
