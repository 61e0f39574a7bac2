# published.py - what was published of the same losses, beside what is measured here
#
# Figures of a system in Java on real clusters, so only ratios are compared: to its own run without
# loss, or to its own runs with orphans thrown away. Sources by number as in docs/sources.md.
#
# SPDX-License-Identifier: Apache-2.0
import simulated

# The strategies that are compared.
SAVING, NAIVE = 'ancestors', 'naive'

THESIS = '003, 2007'
GRIDS = '002, 2006'
MIGRATION = '000, 2005'

# Half of the published runs of 32 nodes lost the cluster with the master.
EITHER = ['other', 'master']


class Measure:
    """The mean of a figure over the runs of some scenarios."""

    def __init__(self, experiment, program):
        self.experiment = experiment
        self.program = program

    def runs(self, scenarios, strategy):
        return [run for key, run in self.experiment.runs.items()
                if key[0] in scenarios and key[1] == self.program and key[2] == strategy]

    def mean(self, figure, scenarios, strategy):
        return simulated.mean([run[figure] for run in self.runs(scenarios, strategy)])

    def makespan(self, scenarios, strategy=SAVING):
        return self.mean('makespan_s', scenarios, strategy)

    def of_naive(self, scenarios):
        return self.makespan(scenarios) / self.makespan(EITHER, NAIVE)

    def of_usual(self, scenario, usual, strategy=SAVING):
        return self.makespan([scenario], strategy) / self.makespan([usual])

    def of_ideal(self, scenario):
        ideals = [self.experiment.ideal_s(each, self.program, SAVING)
                  for each in self.experiment.scenarios if each.name == scenario]
        return self.makespan([scenario]) / ideals[0]

    def spread(self, scenarios, strategy):
        return max(simulated.deviation([run['makespan_s'] for run in self.runs([scenario], strategy)])
                   / self.makespan([scenario], strategy) for scenario in scenarios)

    def reused(self, scenarios):
        return (self.mean('recovery.adopted', scenarios, SAVING)
                / max(self.mean('recovery.orphans', scenarios, SAVING), 1))


# Program, what is compared, published value, its source, our value.
ROWS = [
    ('raytracer', '1 of 2 lost, of the time of `naive`', '0.75', THESIS, lambda m: m.of_naive(EITHER)),
    ('raytracer', 'the same', '0.75', MIGRATION, lambda m: m.of_naive(EITHER)),
    ('tsp', 'the same', '0.85', THESIS, lambda m: m.of_naive(EITHER)),
    ('raytracer', '1 of 2 leaves, of the time of `naive` when it is lost', '0.58', THESIS,
     lambda m: m.of_naive(['leave'])),
    ('tsp', 'the same', '0.64', THESIS, lambda m: m.of_naive(['leave'])),
    ('raytracer', '1 of 2 leaves, of the time of half of its nodes staying all the time', 'below 1.08', MIGRATION,
     lambda m: m.of_ideal('leave')),
    ('raytracer', '1 of 2 leaves and another comes, of the time undisturbed', 'below 1.05', THESIS,
     lambda m: m.of_usual('migrate', 'none-2')),
    ('tsp', 'the same', 'below 1.05', THESIS, lambda m: m.of_usual('migrate', 'none-2')),
    ('knapsack', '1 of 4 lost, of the time undisturbed', '1.27', GRIDS, lambda m: m.of_usual('one', 'none-4')),
    ('knapsack', 'the same, `naive`', '1.74', GRIDS, lambda m: m.of_usual('one', 'none-4', NAIVE)),
    ('knapsack', '2 of 4 lost, of the time undisturbed', '1.71', GRIDS, lambda m: m.of_usual('two', 'none-4')),
    ('knapsack', 'the same, `naive`', '2.80', GRIDS, lambda m: m.of_usual('two', 'none-4', NAIVE)),
    ('knapsack', '2 of 4 lost, of the time of 2 clusters alone', '0.89', GRIDS, lambda m: m.of_usual('two', 'none-2')),
    ('knapsack', 'the same, `naive`', '1.46', GRIDS, lambda m: m.of_usual('two', 'none-2', NAIVE)),
    ('raytracer', '1 of 2 lost, deviation of the time', '0.04', THESIS, lambda m: m.spread(EITHER, SAVING)),
    ('raytracer', 'the same, `naive`', '0.23', THESIS, lambda m: m.spread(EITHER, NAIVE)),
    ('tsp', 'the same', '0.11', THESIS, lambda m: m.spread(EITHER, SAVING)),
    ('tsp', 'the same, `naive`', '0.24', THESIS, lambda m: m.spread(EITHER, NAIVE)),
    ('raytracer', '1 of 2 lost, orphans that are used again', '1.00', THESIS, lambda m: m.reused(EITHER)),
    ('tsp', 'the same', '0.95', THESIS, lambda m: m.reused(EITHER)),
]


def print_table(experiment):
    """What was run of both strategies; nothing when one of them was not."""
    if not {SAVING, NAIVE} <= set(experiment.strategies):
        return
    print('| program | compared | published | source | here |\n|' + '---|' * 5)
    for program, what, value, source, compute in ROWS:
        if program in experiment.programs:
            print(f'| {program} | {what} | {value} | {source} | {compute(Measure(experiment, program)):.2f} |')
