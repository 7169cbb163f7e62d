"""Operations of the facilities for application servers: connection consumers, and branches of distributed transactions."""
