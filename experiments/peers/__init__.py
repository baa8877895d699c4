"""Other people's card games beside ours, measured in one run: ``bezique bench --peers``.

One adapter per family of peers behind one small protocol (``contender``); each family runs in a process of its own
(``worker``), so that a peer that is missing, raises or crashes stops nobody else. ``measure`` lets them take turns,
``tables`` sets ours beside theirs.
"""
