# checkpoints.py - items about checkpoints, losses and migration of 003 section 3.6 and 001 section 5.5
#
# SPDX-License-Identifier: Apache-2.0
import simulated
from papers import kept, svg
from papers.compared import Result, Row

runs = kept.load_script('checkpoint-runs')

EITHER = runs.EITHER
MIGRATE = ['{at} join 16 cluster c3', '{at} leave cluster c2']
MIGRATE_MASTER = ['{at} join 16 cluster c3', '{at} leave cluster c1']
# Cases beyond those of the script: name, events, strategy.
MORE = {
    'migrate': (MIGRATE, None),
    'migrate-master': (MIGRATE_MASTER, None),
    'leave-master': (['{at} leave cluster c1'], None),
    'naive-other': (runs.EVENTS['other'], 'naive'),
    'naive-master': (runs.EVENTS['master'], 'naive'),
}
NAIVE = ['naive-other', 'naive-master']
LEAVE = ['leave', 'leave-master']

# Programs of the article: options of satin sim, and the program. A tree that is walked again and again
# stands for its Barnes-Hut, which iterates.
ARTICLE = {
    'gene sequences': (['--spawn-ns', '1000000000'],
                       ['align', '--generate', '100', '--length', '50', '--grain', '2500']),
    'iterations': ([], ['tree', '1200s', '--grain', '300ms', '--iterations', '10']),
}
THESIS = {name: ([], runs.PROGRAMS[name]) for name in ('raytracer', 'tsp')}


class Experiment(runs.Experiment):
    """The runs of the script checkpoint-runs, with more cases and programs."""

    def __init__(self, context, programs, intervals, cases, with_cases):
        self.arguments = context
        self.table = programs
        self.programs = list(programs)
        self.intervals = intervals
        self.cases = cases
        self.with_cases = with_cases
        self.seeds = range(1, context.choose(1, 5) + 1)

    def keys(self):
        pairs = [(case, 0) for case in self.cases] + [(case, i) for case in self.with_cases for i in self.intervals]
        return [(case, program, interval, seed) for program in self.programs for case, interval in pairs
                for seed in self.seeds]

    def simulate(self, what, program, interval, seed):
        part = ['--with', runs.CHECKPOINT.format(interval)] if interval > 0 else []
        options, words = self.table[program]
        events, strategy = MORE.get(what) or (runs.EVENTS[what], None)
        at = simulated.microseconds(self.runs['usual', program, 0, seed]['makespan_s'] / 2) if events else ''
        return self.arguments.simulate([*runs.OPTIONS, *options, '--seed', str(seed), *part], words, strategy,
                                       [event.format(at=at) for event in events])

    def makespan(self, whats, program, interval=0):
        return self.mean('makespan_s', whats, program, interval)

    def deviation(self, whats, program, interval=0):
        """Returns the deviation of the makespan, as a share of its mean."""
        makespans = runs.lost_makespans(self, whats, program, interval)
        return simulated.deviation(makespans) / simulated.mean(makespans)


def run_thesis(context, cases, with_cases, intervals=(60, 120, 300)):
    experiment = Experiment(context, THESIS, list(intervals), cases, with_cases)
    experiment.run()
    return experiment


def minutes(interval):
    return f'{interval // 60} min'


def sizes(context):
    """003 table 3.1."""
    self = run_thesis(context, ['usual'], ['usual'])
    return Result([Row(f'{program}: checkpoint with an interval of {minutes(i)} (MB)',
                       runs.PUBLISHED_BYTES[program][i] / 1e6,
                       self.mean('checkpoint.bytes', 'usual', program, i) / 1e6, form='{:.3f}')
                   for program in THESIS for i in self.intervals],
                  remarks=['Theirs is the largest size that was seen, ours all logs at the end of the run, before '
                           'they are compacted.'])


def undisturbed(program):
    """003 figures 3.15 and 3.16."""
    def make(context):
        self = run_thesis(context, ['usual'], ['usual'])
        return Result([Row(f'time with an interval of {minutes(i)}, of that without a checkpoint', None,
                           self.mean(self.of_usual, 'usual', program, i), form='{:.4f}',
                           prose='small, and the same for each interval') for i in self.intervals])
    return make


def crash(program):
    """003 figures 3.17 and 3.18 with the values of table 3.3, as multiples of the time without
    saving."""
    lost_s = {'raytracer': {'naive': 886, 600: 687}, 'tsp': {'naive': 2654, 600: 1971}}
    published = {**runs.PUBLISHED_LOST_S[program], **lost_s[program]}

    def make(context):
        intervals = context.choose([60, 120, 300], [60, 120, 300, 600])
        self = run_thesis(context, ['usual', *EITHER, *NAIVE, *LEAVE], EITHER, intervals)
        naive = self.makespan(NAIVE, program)
        cases = [('orphans saved', published[0], self.makespan(EITHER, program)),
                 *((f'checkpoint each {minutes(i)}', published[i], self.makespan(EITHER, program, i))
                   for i in reversed(intervals)),
                 ('the cluster leaves', published['leave'], self.makespan(LEAVE, program))]
        rows = [Row(f'{name}: time, of that with orphans thrown away', theirs / published['naive'], ours / naive)
                for name, theirs, ours in cases]
        leave, our_leave = published['leave'], self.makespan(LEAVE, program)
        rows += [Row(f'{name}: time, of that when the cluster leaves', theirs / leave, ours / our_leave)
                 for name, theirs, ours in [('orphans thrown away', published['naive'], naive), *cases[:-1]]]
        plot = svg.bars(f'{program}: time, of that with orphans thrown away', 'share of the time',
                        [(name, [theirs / published['naive'], ours / naive]) for name, theirs, ours in cases],
                        ['theirs', 'ours'])
        return Result(rows, [plot], [
            'Orphans that nobody wants are aborted here, and were computed to their end there. So our run that '
            'throws orphans away is quicker, and shares of it are larger. A cluster that leaves loses nothing in '
            'both systems; the second half of the rows takes that as the measure.'])
    return make


def statistics(context):
    """003 table 3.2."""
    self = run_thesis(context, ['usual', *EITHER, *LEAVE], EITHER)
    rows = []
    for program, basic, leave in (('raytracer', 1.00, 0.98), ('tsp', 0.95, 1.00)):
        for name, whats, theirs in (('orphans saved', EITHER, basic), ('the cluster leaves', LEAVE, leave)):
            rows.append(Row(f'{program}, {name}: jobs reused, of those in tables', theirs,
                            self.mean('recovery.adopted', whats, program, 0)
                            / max(self.mean('recovery.orphans', whats, program, 0), 1), good='more'))
        for i in self.intervals:
            n, n_used = runs.count_used(self, EITHER, program, i)
            there, used = runs.PUBLISHED_USED[program][i]
            rows.append(Row(f'{program}, checkpoint each {minutes(i)}: jobs reused, of those in tables', used / there,
                            n_used / max(n, 1), good='more'))
    return Result(rows, remarks=['Other nodes hear of no result here that lies below a stored one, so there are '
                                 'fewer to leave unused. Our recovery sends no broadcasts, so their numbers of '
                                 'broadcasts have no counterpart.'])


def deviations(context):
    """003 table 3.3, its deviations; the means are those of figures 3.17 and 3.18."""
    self = run_thesis(context, ['usual', *EITHER, *NAIVE, *LEAVE], EITHER)
    rows = []
    for program, published in (('raytracer', (205 / 886, 27 / 514)), ('tsp', (649 / 2654, 1 / 1695))):
        lost, deviation = runs.PUBLISHED_LOST_S[program], runs.PUBLISHED_DEVIATION_S[program]
        rows.append(Row(f'{program}, orphans thrown away: deviation, of the mean', published[0],
                        self.deviation(NAIVE, program)))
        rows += [Row(f'{program}, {minutes(i) if i else "orphans saved"}: deviation, of the mean',
                     deviation[i] / lost[i],
                     self.deviation(EITHER, program, i)) for i in [0, *self.intervals]]
        rows.append(Row(f'{program}, the cluster leaves: deviation, of the mean', published[1],
                        self.deviation(LEAVE, program),
                        form='{:.4f}'))
    return Result(rows, remarks=['Theirs are over 4 to 6 runs. The quick form has two, one for each cluster, which '
                                 'says little about a deviation.'])


def migration(program):
    """003 figures 3.19 and 3.20."""
    def make(context):
        self = run_thesis(context, ['usual', 'migrate'], [])
        return Result([Row('a cluster leaves and an equal one comes: time, of that undisturbed', 1.05,
                           self.mean(self.of_usual, 'migrate', program, 0), is_bound=True, form='{:.3f}')])
    return make


def stopped(program):
    """003 figures 3.21 and 3.22."""
    def make(context):
        self = run_thesis(context, ['usual'], ['stop'], [60])
        return Result([Row('stopped at half time and resumed: time, of that undisturbed', runs.PUBLISHED_STOP[program],
                           self.mean(self.of_usual, 'stop', program, 60), form='{:.3f}')])
    return make


def stopped_sizes(context):
    """003 table 3.4."""
    self = run_thesis(context, ['usual'], ['stop'], [60])
    return Result([Row(f'{program}: checkpoint when stopped (MB)', runs.PUBLISHED_STOP_BYTES[program] / 1e6,
                       self.mean('checkpoint.found-bytes', 'stop', program, 60) / 1e6, form='{:.3f}')
                   for program in THESIS],
                  remarks=['Ours also holds what was stored each minute before the stop.'])


def run_article(context, cases, with_cases):
    experiment = Experiment(context, ARTICLE, context.choose([60], [60, 120, 300]), cases, with_cases)
    experiment.run()
    return experiment


def article_crash(context):
    """001 figure 6: means over the programs. "Up to" is the best of them."""
    self = run_article(context, ['usual', *EITHER, *NAIVE, *LEAVE], EITHER)

    def of_naive(whats, program, interval=0):
        return self.makespan(whats, program, interval) / self.makespan(NAIVE, program)

    saved = simulated.mean([of_naive(EITHER, program) for program in ARTICLE])
    stored = simulated.mean([of_naive(EITHER, program, i) for program in ARTICLE for i in self.intervals])
    return Result([
        Row('orphans saved: time, of that with orphans thrown away', 0.91, saved),
        Row('checkpoints: time, of that with orphans saved only', 1 - 0.26, stored / saved),
        Row('a cluster leaves: the shortest time, of that with orphans thrown away', 1 - 0.69,
            min(of_naive([case], program) for program in ARTICLE for case in LEAVE))],
        remarks=['The article has means over three programs. Here are two: gene sequences (align), and a tree that '
                 'is walked ten times as a stand-in for Barnes-Hut, which iterates. "26 %" and "69 %" are read as '
                 'shares of the time.'])


def article_statistics(context):
    """001 table VII: gene sequences, while the master lives. The text lacks the titles of other
    rows."""
    self = run_article(context, ['usual', 'other', 'leave'], ['other'])
    program = 'gene sequences'

    def reused(what, interval):
        n, n_used = runs.count_used(self, [what], program, interval)
        return n_used / max(n, 1)

    published = {60: 0.236, 120: 0.350, 300: 0.707}
    return Result([Row('the cluster leaves: jobs reused, of those in tables', 0.996, reused('leave', 0), good='more'),
                   *(Row(f'checkpoint each {minutes(i)}: jobs reused, of those in tables', published[i],
                         reused('other', i),
                         good='more') for i in self.intervals),
                   Row('orphans saved: jobs reused, of those in tables', 0.978, reused('other', 0), good='more')])


def article_migration(context):
    """001 figure 7."""
    self = run_article(context, ['usual', 'migrate', 'migrate-master'], [])
    rows = []
    for program in ARTICLE:
        for case, name in (('migrate', 'the master stays'), ('migrate-master', 'the master leaves')):
            is_special = program == 'iterations' and case == 'migrate-master'
            rows.append(Row(f'{program}, {name}: time, of that undisturbed', None if is_special else 1.09,
                            self.mean(self.of_usual, case, program, 0), is_bound=True, form='{:.3f}',
                            prose='more than 1.09, without a value'))
    return Result(rows)
