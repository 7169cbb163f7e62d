"""How two runs of one program are compared, what the specification leaves open, and which rows a difference breaks."""
