"""An application server in miniature: server sessions in a pool, run by threads of the case (chapter 11)."""
