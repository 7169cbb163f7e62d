"""Proofs that nothing is lost, doubled, torn or turned round: by kills, by power losses, under load.

`workload` does random work and tells what it did; `facts` holds what is found afterwards against what was told.
"""
