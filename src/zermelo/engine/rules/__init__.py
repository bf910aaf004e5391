"""The compiler: from a game's Python rules to native functions over flat states.

    reach       what the rules use, and its fingerprint
    layout      states as bytes
    cache       object code on disk
    compiler    the way from a game to addresses, over all of the above

and, with Numba, which only `compiler` imports, lazily:

    numba_api   all of Numba that is used here
    gametype    `self`
    functions   helpers, and what they use from their modules
    plain, flat, source    rules rewritten before Numba sees them
    constants, tables    attributes and globals: numbers, arrays, nested tuples
    tuples    tuples whose length is known only when a rule runs
    bits, words, exact, unary, builtin, operators    Python's arithmetic, checked, without Numba's detours over floats
    memory, keys, slots    states in memory, their hashes, and the functions that fill a game's table
    failure     Numba's report in one line
"""
