"""Programs: numbered calls over named objects, as data. Exploration makes them at random, the suite stores them as cases.

program, values      a program, in memory and in a file, and the values in it
foreign/             messages that no provider made
state/               what a program has made so far, and the calls that this permits
observing/           what a program under way knows, and how messages are described so that two providers can be compared
operations/          one module for each group of operations, one `Operation` for each
legality             which calls a program may make
members              the members of the API that the steps of a program call
runner               runs a program on a provider and records the outcomes
expectation          a program with the outcomes of the reference provider
comparing/           the differences of two runs, and the rows that they break
"""
