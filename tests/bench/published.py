# published.py - what was published of the same losses, beside what is measured here
#
# Figures of a system in Java on real clusters, so only ratios are compared: to its own run without
# loss, or to its own runs with orphans thrown away. Sources by number as in docs/sources.md.
#
# SPDX-License-Identifier: Apache-2.0
import simulated

# The strategies that are compared. The published runs of knapsack used the table of results.
SAVING, TABLE, NAIVE = 'ancestors', 'result-table', 'naive'

THESIS = '003, 2007'
GRIDS = '002, 2006'
MIGRATION = '000, 2005'

# Half of the published runs of 32 nodes lost the cluster with the master.
EITHER = ['other', 'master']


class Measure:
    """Measures of the runs of one program: means over scenarios and seeds, and their ratios."""

    def __init__(self, experiment, program):
        self.experiment = experiment
        self.program = program

    def runs(self, scenarios, strategy):
        return [run for key, run in self.experiment.runs.items()
                if key[0] in scenarios and key[1] == self.program and key[2] == strategy]

    def mean(self, figure, scenarios, strategy):
        return simulated.mean([run[figure] for run in self.runs(scenarios, strategy)])

    def makespan(self, scenarios, strategy):
        return self.mean('makespan_s', scenarios, strategy)

    def of_naive(self, strategy, scenarios):
        return self.makespan(scenarios, strategy) / self.makespan(EITHER, NAIVE)

    def of_usual(self, strategy, scenario, usual):
        return self.makespan([scenario], strategy) / self.makespan([usual], strategy)

    def of_ideal(self, strategy, scenario):
        ideals = [self.experiment.ideal_s(each, self.program, strategy)
                  for each in self.experiment.scenarios if each.name == scenario]
        return self.makespan([scenario], strategy) / ideals[0]

    def deviation(self, strategy, scenarios):
        return max(simulated.deviation([run['makespan_s'] for run in self.runs([scenario], strategy)])
                   / self.makespan([scenario], strategy) for scenario in scenarios)

    def reused(self, strategy, scenarios):
        return (self.mean('recovery.adopted', scenarios, strategy)
                / max(self.mean('recovery.orphans', scenarios, strategy), 1))


LOST = '1 of 2 lost, of the time of `naive`'
LEAVES = '1 of 2 leaves, of the time of `naive` when it is lost'
HALF = '1 of 2 leaves, of the time of half of its nodes staying all the time'
REPLACED = '1 of 2 leaves and another comes, of the time undisturbed'
ONE = '1 of 4 lost, of the time undisturbed'
TWO = '2 of 4 lost, of the time undisturbed'
ALONE = '2 of 4 lost, of the time of 2 clusters alone'
SPREAD = '1 of 2 lost, deviation of the time'
REUSED = '1 of 2 lost, orphans that are used again'

# Program, what is compared, strategy, published value, its source, and how the value of this system
# is computed: a method of Measure with its arguments.
ROWS = [
    ('raytracer', LOST, SAVING, '0.75', THESIS, 'of_naive', EITHER),
    ('raytracer', LOST, SAVING, '0.75', MIGRATION, 'of_naive', EITHER),
    ('tsp', LOST, SAVING, '0.85', THESIS, 'of_naive', EITHER),
    ('raytracer', LEAVES, SAVING, '0.58', THESIS, 'of_naive', ['leave']),
    ('tsp', LEAVES, SAVING, '0.64', THESIS, 'of_naive', ['leave']),
    ('raytracer', HALF, SAVING, 'below 1.08', MIGRATION, 'of_ideal', 'leave'),
    ('raytracer', REPLACED, SAVING, 'below 1.05', THESIS, 'of_usual', 'migrate', 'none-2'),
    ('tsp', REPLACED, SAVING, 'below 1.05', THESIS, 'of_usual', 'migrate', 'none-2'),
    ('knapsack', ONE, TABLE, '1.27', GRIDS, 'of_usual', 'one', 'none-4'),
    ('knapsack', ONE, SAVING, '', '', 'of_usual', 'one', 'none-4'),
    ('knapsack', ONE, NAIVE, '1.74', GRIDS, 'of_usual', 'one', 'none-4'),
    ('knapsack', TWO, TABLE, '1.71', GRIDS, 'of_usual', 'two', 'none-4'),
    ('knapsack', TWO, SAVING, '', '', 'of_usual', 'two', 'none-4'),
    ('knapsack', TWO, NAIVE, '2.80', GRIDS, 'of_usual', 'two', 'none-4'),
    ('knapsack', ALONE, TABLE, '0.89', GRIDS, 'of_usual', 'two', 'none-2'),
    ('knapsack', ALONE, SAVING, '', '', 'of_usual', 'two', 'none-2'),
    ('knapsack', ALONE, NAIVE, '1.46', GRIDS, 'of_usual', 'two', 'none-2'),
    ('raytracer', SPREAD, SAVING, '0.04', THESIS, 'deviation', EITHER),
    ('raytracer', SPREAD, NAIVE, '0.23', THESIS, 'deviation', EITHER),
    ('tsp', SPREAD, SAVING, '0.11', THESIS, 'deviation', EITHER),
    ('tsp', SPREAD, NAIVE, '0.24', THESIS, 'deviation', EITHER),
    ('raytracer', REUSED, SAVING, '1.00', THESIS, 'reused', EITHER),
    ('tsp', REUSED, SAVING, '0.95', THESIS, 'reused', EITHER),
]


def print_table(experiment):
    """Prints the rows whose program and strategy were run. Prints nothing if NAIVE was not run."""
    if NAIVE not in experiment.strategies:
        return
    print('| program | compared | strategy | published | source | here |\n|' + '---|' * 6)
    for program, what, strategy, value, source, function, *arguments in ROWS:
        if program in experiment.programs and strategy in experiment.strategies:
            here = getattr(Measure(experiment, program), function)(strategy, *arguments)
            print(f'| {program} | {what} | `{strategy}` | {value} | {source} | {here:.2f} |')
