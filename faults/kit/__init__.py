"""The kit of faults: how they are declared, and what several of them share."""
