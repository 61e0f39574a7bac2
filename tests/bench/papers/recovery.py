# recovery.py - items about losses and leaves: 000 figures 6 to 9, 002 figures 3, 4 and 6
#
# SPDX-License-Identifier: Apache-2.0
import simulated
from papers import kept, real
from papers.compared import Result, Row

losses = kept.load_script('losses')

SAVING, TABLE, NAIVE = 'ancestors', 'result-table', 'naive'
EITHER = ('other', 'master')
DAS2_WAN = '2ms'
# A worker whose stack is half full steals nothing; this is the stack of real runs.
STACK = ['--stack', '1M']


class OneAndAHalf(losses.Scenario):
    """Half of the second cluster, from the beginning to the end."""

    def clusters(self):
        return '16,8'


def by_name(name):
    return next(scenario for scenario in losses.SCENARIOS if scenario.name == name)


def run_losses(context, program, shape, scenarios, strategies, n_seeds):
    """Returns an experiment of the script losses, after its runs."""
    arguments = context.with_options(programs=program, strategies=','.join(strategies), seeds=n_seeds, wan=DAS2_WAN)
    scenarios = [by_name(each) if isinstance(each, str) else each for each in scenarios]
    experiment = losses.Experiment(arguments, scenarios, {program: shape})
    experiment.run()
    if any(run.status != 0 for run in experiment.runs.values()):
        raise RuntimeError('a run has failed')
    return experiment


class Means:
    """Means of the runs of an experiment of the script losses."""

    def __init__(self, experiment):
        self.experiment = experiment

    def runs(self, scenarios, strategy):
        return [run for key, run in self.experiment.runs.items() if key[0] in scenarios and key[2] == strategy]

    def makespan(self, scenarios, strategy=SAVING):
        return simulated.mean([run['makespan_s'] for run in self.runs(scenarios, strategy)])

    def deviation(self, scenarios, strategy):
        return simulated.deviation([run['makespan_s'] for run in self.runs(scenarios, strategy)])


def salvage(context):
    """000 figure 7."""
    half = OneAndAHalf('half', '1.5 clusters', 1.5)
    means = Means(run_losses(context, 'raytracer', ('raytracer:6', '1640s'),
                             ['none-2', 'other', 'master', 'leave', half], [SAVING, NAIVE],
                             context.choose(2, 10)))
    lost, naive, leaves = means.makespan(EITHER), means.makespan(EITHER, NAIVE), means.makespan(['leave'])
    return Result([
        Row('a cluster is lost: time with orphans saved, of that without', 0.75, lost / naive),
        Row('it leaves in good order: time, of that when it is lost', 0.85, leaves / lost),
        Row('it leaves: time, of that of 1.5 clusters all the time', 1.08, leaves / means.makespan(['half']),
            is_bound=True),
        Row('it leaves: time, of the ideal, in which nothing is lost and no node waits', None,
            leaves / means.experiment.ideal_s(by_name('leave'), 'raytracer', SAVING),
            prose='practically all work is saved'),
        Row('deviation of the time with orphans saved, of that without', 0.02 / 0.51,
            means.deviation(EITHER, SAVING) / means.deviation(EITHER, NAIVE)),
    ], remarks=['In half of our runs the lost cluster has the master. The text does not say that of theirs. Here '
                'orphans that nobody wants are aborted; theirs were computed to their end, which makes their run '
                'without saving slower.',
                'By arithmetic, a run that loses nothing when one of two clusters leaves at half time takes 1.125 '
                'times as long as 1.5 clusters, if both use all their nodes well. A value below 1.08 means that '
                'their two clusters used their nodes less well.'])


def run_events(context, options, program, cases, n_seeds):
    """Runs @program undisturbed, then each case: the strategy of recovery, and events with {at}
    for half of the undisturbed time. Returns mean makespans by case; the undisturbed one is
    '' ."""
    def one(case, seed, at):
        strategy, events, more = cases.get(case, (None, [], []))
        return context.simulate([*options, *more, *STACK, '--seed', str(seed)], program, strategy,
                                [event.format(at=at) for event in events])['makespan_s']

    seeds = range(1, n_seeds + 1)
    usual = context.all_of({seed: lambda seed=seed: one('', seed, '') for seed in seeds})
    others = context.all_of({
        (case, seed): lambda case=case, seed=seed: one(case, seed, simulated.microseconds(usual[seed] / 2))
        for case in cases if case for seed in seeds})
    means = {case: simulated.mean([others[case, seed] for seed in seeds]) for case in cases if case}
    means[''] = simulated.mean(list(usual.values()))
    return means


# The sites of 000 table 2, Berlin and Brno with their latencies to the others, and of table 1 the
# bandwidth: Leiden, Delft, Berlin, Brno.
GRIDLAB = ['--clusters', '8,8,4,4', '--speeds', '1,1,1.7,0.7', '--wan', '2ms']
FAR = ['0s latency cluster c3 17ms', '0s latency cluster c4 20ms', '0s bandwidth cluster c3 11M',
       '0s bandwidth cluster c4 45M']
PICTURE = ['tree', '--shape', 'raytracer:6', '1640s']


def gridlab(context):
    """000 figure 8."""
    crash, leave = [*FAR, '{at} crash cluster c1'], [*FAR, '{at} leave cluster c1']
    means = run_events(context, GRIDLAB, PICTURE, {
        '': (None, FAR, []), 'lost': (SAVING, crash, []), 'naive': (NAIVE, crash, []), 'leave': (SAVING, leave, []),
        'half': (None, FAR, ['--clusters', '4,8,4,4']), 'other': (SAVING, [*FAR, '{at} crash cluster c2'], []),
        'other-naive': (NAIVE, [*FAR, '{at} crash cluster c2'], [])}, context.choose(2, 10))
    lost = (means['lost'] + means['other']) / 2
    return Result([
        Row('a cluster is lost: time with orphans saved, of that without', None,
            lost / ((means['naive'] + means['other-naive']) / 2), 
            prose='similar to figure 7, with smaller differences'),
        Row('it leaves: time, of that when it is lost', None, means['leave'] / lost, prose='likewise'),
        Row('it leaves: time, of that of half of its nodes all the time', None, means['leave'] / means['half'],
            prose='likewise')],
        remarks=['The speeds of the sites are those of their clocks, the latencies and bandwidths those of the '
                 'tables 1 and 2 of the paper.'])


def gridlab_migration(context):
    """000 figure 9: from Leiden to Delft; Berlin and Brno stay."""
    options = ['--clusters', '8,4,4', '--speeds', '1,1.7,0.7,1', '--wan', '2ms']
    far = ['0s latency cluster c2 17ms', '0s latency cluster c3 20ms', '0s bandwidth cluster c2 11M',
           '0s bandwidth cluster c3 45M']
    means = run_events(context, options, PICTURE, {
        '': (None, far, []), 'migrate': (SAVING, [*far, '{at} join 8 cluster c4', '{at} leave cluster c1'], [])},
        context.choose(2, 10))
    return Result([Row('a cluster leaves and an equal one comes: time, of that undisturbed', 1.02,
                       means['migrate'] / means[''], is_bound=True, form='{:.3f}')])


def result_table(context):
    """002 figure 4. The knapsack takes as long as theirs on 64 nodes."""
    means = Means(run_losses(context, 'knapsack', ('knapsack:28', '8000s'),
                             ['none-2', losses.Scenario('none-3', '3 clusters', 3), 'none-4', 'one', 'two'],
                             [SAVING, TABLE, NAIVE], context.choose(1, 5)))
    rows = []
    for title, scenario, usual, table_value, naive_value in (
            ('1 of 4 clusters lost: time, of that undisturbed', 'one', 'none-4', 159.4 / 125.2, 217.9 / 125.2),
            ('2 of 4 lost: time, of that undisturbed', 'two', 'none-4', 214.6 / 125.2, 350.7 / 125.2),
            ('1 of 4 lost: time, of that of 3 clusters alone', 'one', 'none-3', 159.4 / 162.3, 217.9 / 162.3),
            ('2 of 4 lost: time, of that of 2 clusters alone', 'two', 'none-2', 214.6 / 240.6, 350.7 / 240.6)):
        for name, strategy, value in (('with the table of results', TABLE, table_value),
                                      ('our default, beside their table', SAVING, table_value),
                                      ('orphans thrown away', NAIVE, naive_value)):
            rows.append(Row(f'{title}, {name}', value,
                            means.makespan([scenario], strategy) / means.makespan([usual], strategy)))
    return Result(rows, remarks=[
        'Many jobs of our knapsack have the same arguments as others. By their keys they are the same job, so a '
        'table of results spares more than what was lost. With our default, a lost node of this program has '
        'contributed little.',
        'Figure 4(b) is made with a runtime that discards what the lost nodes had finished. Ours cannot do that; its '
        'values for 3 and for 2 clusters alone are used above.'])


# The sites of 002 table 1: Amsterdam, Berlin, Brno, Paderborn, Delft.
FIVE = ['--speeds', '1,2.4,2.4,0.85,1', '--wan', '2ms']
SOLVER = ['tree', '102045s', '--grain', '5s', '--skew', '90']
SITES = [f'0s latency cluster c{i} {latency}' for i, latency in ((2, '16ms'), (3, '19ms'), (4, '17ms'))]


def solver_on_grid(context):
    """002 figure 6. The work is that of the published solver, in jobs of uneven size."""
    means = run_events(context, [*FIVE, '--clusters', '18,2,4,24,16'], SOLVER, {
        '': (None, SITES, []), 'four': (None, SITES, ['--clusters', '18,2,4,24']),
        'lost': (SAVING, [*SITES, '{at} crash cluster c5'], []),
        'added': (SAVING, [*SITES, '{at} join 16 cluster c5'], ['--clusters', '18,2,4,24'])}, context.choose(1, 5))
    return Result([
        Row('4 sites: time, of that of 5', 3229 / 2494, means['four'] / means[''], good=None),
        Row('a site is lost at half time: time, of that of 5', 3082 / 2494, means['lost'] / means['']),
        Row('a site comes at half time: time, of that of 5', 2940 / 2494, means['added'] / means['']),
        Row('a site is lost: time, of that when it comes', 3082 / 2940, means['lost'] / means['added'])],
        remarks=['A tree with the work of their solver (102,045 s at the speed of Amsterdam) in jobs of up to 5 s. The '
                 'speeds of the sites are those of their clocks.'])


# Programs of the overhead figures: options of satin sim and the program. Jobs of programs that charge
# no time take --spawn-ns.
SPEED_PROGRAMS = {
    'raytracer': ([], ['tree', '--shape', 'raytracer:6', '1640s']),
    'tsp': ([], ['tree', '--shape', 'tsp:14', '2000s']),
    'knapsack': ([], ['tree', '--shape', 'knapsack:28', '3000s']),
    'nqueens': ([], ['tree', '--shape', 'queens:12', '1600s']),
    'sat': ([], ['sat', '--generate', 'uniform:250,1065,3,1', '--budget', '100', '--conflict-time', '2ms',
                 '--clauses', '0']),
    'setcover': (['--spawn-ns', '100000000'],
                 ['setcover', '--generate', '70x210', '--max-cost', '1', '--grain', '20', '--alone']),
    'primefactors': (['--spawn-ns', '100000000'], ['primefactors', '1..30000', '--grain', '2000']),
}
# Ways to run: options of satin sim.
WAYS = {'without': ['--no-recovery'], 'with': [], 'table': ['--with', 'ft:strategy=result-table']}


def speedups(context, n_nodes, programs, ways):
    """Returns, by program and way, the work of one node divided by the makespan."""
    def one(program, clusters, way):
        options, words = SPEED_PROGRAMS[program]
        return context.simulate(['--clusters', clusters, *STACK, *options, *WAYS[way]], words)

    alone = context.all_of({program: lambda p=program: one(p, '1x1', 'without') for program in programs})
    runs = context.all_of({(program, way): lambda p=program, w=way: one(p, f'1x{n_nodes}', w)
                           for program in programs for way in ways})
    return {key: alone[key[0]]['work_s'] / run['makespan_s'] for key, run in runs.items()}


REAL_PROGRAMS = {
    'raytracer': ['raytracer', '--scene', 'balls:4', '--size', '320x240', '--samples', '2'],
    'tsp': ['tree', '--shape', 'tsp:12', '--spin', '1s'],
    'knapsack': ['knapsack', '--generate', '26'],
    'nqueens': ['nqueens', '14'],
    'sat': ['tree', '--spin', '1s'],
    'setcover': ['setcover', '--generate', '100x300', '--max-cost', '1', '--alone'],
    'primefactors': ['primefactors', '1..1500000'],
}


def overhead_rows(context, n_nodes, published):
    """Returns rows. @published: by program, the speedups of WAYS, or None."""
    ways = ['without', 'with', 'table'] if any(published.values()) else ['without', 'with']
    ours = speedups(context, n_nodes, list(published), ways)
    rows = []
    for program, theirs in published.items():
        rows.append(Row(f'{program}: speedup on {n_nodes} nodes, recovery off', theirs and theirs[0],
                        ours[program, 'without'], good='more', form='{:.1f}'))
        for i, way, name in ((1, 'with', 'recovery on'), (2, 'table', 'a table of results'))[:len(ways) - 1]:
            rows.append(Row(f'{program}: speedup with {name}, of that without recovery',
                            theirs and theirs[i] / theirs[0],
                            ours[program, way] / ours[program, 'without'], good='more', form='{:.3f}',
                            prose='the difference is negligible'))
        rows.append(Row(f'{program}: processor time with recovery, of that without',
                        theirs and theirs[0] / theirs[1], None,
                        real.recovery_cost(context, REAL_PROGRAMS[program]), form='{:.3f}',
                        prose='the difference is negligible'))
    return rows


OVERHEAD_REMARK = ('In the simulation only jobs and messages take time. What recovery costs a processor is the real '
                   'row: two nodes on this machine, in turns with and without. Beside it stands their speedup '
                   'without recovery divided by that with it. The real rows of tsp and of sat are of trees that '
                   'compute for a second.')


def overhead_32(context):
    """000 figure 6."""
    return Result(overhead_rows(context, 32, dict.fromkeys(('raytracer', 'tsp', 'sat', 'knapsack'))),
                  remarks=[OVERHEAD_REMARK])


def overhead_48(context):
    """002 figure 3, whose values are in 004."""
    return Result(overhead_rows(context, 48, {
        'setcover': (43.8, 43.8, 43.0), 'knapsack': (44.7, 43.8, 42.4), 'nqueens': (47.6, 47.5, 47.1),
        'primefactors': (43.5, 42.6, 41.7), 'tsp': (48.0, 47.6, 47.5)}), remarks=[OVERHEAD_REMARK])
