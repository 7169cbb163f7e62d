"""The vocabulary of the interworking wing: bridges and channels under test, what they are asked, and the record of their calls.

bridging       messages and events against one another, by a converter
crossing       a bridge between a channel and a destination, with all calls on the channel recorded
recorded       the recorder of the channel's calls
coordinator    a transaction service
acknowledging, modes, pending            event acknowledgment
transacting, probing                     routing transactions
lanes, programs                          several bridges at once; generated programs
"""
