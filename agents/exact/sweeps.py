"""The passes over a tree in sequence form, compiled: see :mod:`agents.exact.tree` for the arrays."""

from __future__ import annotations

from bezique_env.engine.cache import kernel


@kernel
def gradient(start, column, weight, plan, sums):
    """Write the payoff of each sequence of a seat against the other seat's ``plan``, without what comes later."""
    for row in range(start.shape[0] - 1):
        total = 0.0
        for k in range(start[row], start[row + 1]):
            total += weight[k] * plan[column[k]]
        sums[row] = total


@kernel
def plan_of(parent, first, strategy, plan):
    """Write how likely a seat's own decisions make each of its sequences."""
    plan[0] = 1.0
    for k in range(parent.shape[0]):
        reach = plan[parent[k]]
        for q in range(first[k], first[k + 1]):
            plan[q] = reach * strategy[q]


@kernel
def respond(parent, first, sums, chosen):
    """Return the value of a best response to the payoffs ``sums`` (used up), and write one as a strategy."""
    chosen[0] = 1.0
    for k in range(parent.shape[0] - 1, -1, -1):
        best = first[k]
        for q in range(first[k], first[k + 1]):
            chosen[q] = 0.0
            if sums[q] > sums[best]:
                best = q
        chosen[best] = 1.0
        sums[parent[k]] += sums[best]
    return sums[0]


@kernel
def improve(parent, first, sums, plan, regrets, averages, strategy, weight, up, down, floor):
    """Update a seat: its average by what it has played, its regrets by the payoffs ``sums`` (used up), its strategy.

    Args:
        parent: the seat's sequence before each set.
        first: where the sequences of each set begin.
        sums: payoff of each sequence.
        plan: how likely its own decisions made each; written anew for the new strategy.
        regrets: of each sequence so far.
        averages: weighted sums of the plans so far.
        strategy: played so far; then the new one, in proportion to the positive regrets.
        weight: of this iteration in the averages.
        up: positive regrets are multiplied by it afterwards.
        down: negative ones.
        floor: whether regrets below zero become zero.
    """
    for q in range(plan.shape[0]):
        averages[q] += weight * plan[q]
    for k in range(parent.shape[0] - 1, -1, -1):
        value = 0.0
        for q in range(first[k], first[k + 1]):
            value += strategy[q] * sums[q]
        sums[parent[k]] += value
        positive = 0.0
        for q in range(first[k], first[k + 1]):
            regret = regrets[q] + sums[q] - value
            if regret >= 0.0:
                regret *= up
            elif floor:
                regret = 0.0
            else:
                regret *= down
            regrets[q] = regret
            positive += max(regret, 0.0)
        even = 1.0 / (first[k + 1] - first[k])
        for q in range(first[k], first[k + 1]):
            strategy[q] = max(regrets[q], 0.0) / positive if positive > 0.0 else even
    plan_of(parent, first, strategy, plan)


@kernel
def average_strategy(first, averages, strategy):
    """Write the strategy whose plan the averages are; uniform where they are all zero."""
    for k in range(first.shape[0] - 1):
        total = 0.0
        for q in range(first[k], first[k + 1]):
            total += averages[q]
        even = 1.0 / (first[k + 1] - first[k])
        for q in range(first[k], first[k + 1]):
            strategy[q] = averages[q] / total if total > 0.0 else even
