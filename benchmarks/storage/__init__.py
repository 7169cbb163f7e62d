"""Files of measurements: storage media, files of the provider, and a disk that logs the writes of SQLite."""
