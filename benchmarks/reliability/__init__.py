"""Long checks that no message is lost, duplicated, half committed or reordered: after kills, after power losses, under load.

A `worker` does random work and reports it; `history` compares the messages found afterwards with these reports.
"""
