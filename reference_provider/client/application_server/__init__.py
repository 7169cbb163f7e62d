"""Connection consumers and server sessions, the facilities for application servers (chapter 11)."""
