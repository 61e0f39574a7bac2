# adapting.py - items about adaptation: 003 figures 4.3 to 4.8, 001 figure 8
#
# All times of the simulated runs are a tenth of the published ones, as the script adaptation
# explains.
#
# SPDX-License-Identifier: Apache-2.0
import simulated
from papers import kept, svg
from papers.compared import Result, Row

adaptation = kept.load_script('adaptation')

# Published gains: the share of the time that adaptation saves (003 sec. 4.4, 001 sec. 5.6).
GAINS = {'1a': 0.50, '1b': 0.35, '1c': 0.12, '2': 0.14, '3': 0.60, '4': 0.30, '5': 0.13}


def run_scenarios(context, scenarios, seed=1):
    """Returns outcomes by scenario and mode."""
    arguments = context.with_options(seed=seed, iterations=15)
    outcomes = context.all_of({
        (scenario, mode): lambda s=scenario, m=mode: adaptation.simulate(arguments, s, m)
        for scenario in scenarios for mode in adaptation.modes_of(scenario)})
    failed = [key for key, outcome in outcomes.items() if outcome.run.status != 0]
    if failed:
        raise RuntimeError(f'scenario {failed[0][0]}, {failed[0][1]}, has failed')
    return outcomes


def of_plain(of_seeds, scenario, mode):
    """Returns the mean time of a mode, of that without adaptation. @of_seeds: outcomes of each
    seed."""
    times = {each: simulated.mean([outcomes[scenario, each].run['makespan_s'] for outcomes in of_seeds])
             for each in (mode, 'without')}
    return times[mode] / times['without']


def gain_rows(context, scenarios):
    of_seeds = [run_scenarios(context, ['0', *scenarios], seed) for seed in context.choose([1], [1, 2, 3])]
    rows = [Row('scenario 0: time when nodes only report, of that without', 1.15, of_plain(of_seeds, '0', 'told'))]
    rows += [Row(f'scenario {scenario}: time with adaptation, of that without', 1 - GAINS[scenario],
                 of_plain(of_seeds, scenario, 'adaptive')) for scenario in scenarios]
    return rows


REMARK = ('Their loads in the scenarios 2 and 4 are called heavy and light; ours leave 0.1 and 0.2 of the '
          'processors, so a larger gain there says little about the adaptation. Our time with reports only has no '
          'benchmark in it: our nodes measure their speed by their jobs.')


def draw_gains(rows):
    return svg.bars('Time with adaptation, of that without', 'share of the time',
                    [(row.what.split(':')[0].replace('scenario ', ''), [row.theirs, row.ours()]) for row in rows],
                    ['theirs', 'ours'])


def runtimes(context):
    """003 figure 4.3."""
    rows = gain_rows(context, list(GAINS))
    return Result(rows, [draw_gains(rows)], [REMARK])


def article_runtimes(context):
    """001 figure 8, which has only the first of the scenarios 1."""
    rows = gain_rows(context, [scenario for scenario in GAINS if scenario not in ('1b', '1c')])
    return Result(rows, [draw_gains(rows)], [REMARK])


def took(outcome, from_end, n=3):
    """Returns the mean duration of the first or the last @n iterations."""
    durations = [duration for _, duration in outcome.durations()]
    return simulated.mean(durations[-n:] if from_end else durations[:n])


def draw_iterations(outcomes, scenario):
    return svg.lines(f'Scenario {scenario}: how long iterations took', 'end of the iteration (s, simulated)',
                     'seconds', [
        (mode, outcomes[scenario, mode].durations()) for mode in ('without', 'adaptive')])


def expand(context):
    """003 figure 4.4."""
    outcomes = run_scenarios(context, ['1a', '1b', '1c'])
    return Result([Row(f'scenario {scenario}: last iterations without adaptation, of those with it', theirs,
                       took(outcomes[scenario, 'without'], True) / took(outcomes[scenario, 'adaptive'], True),
                       good='more')
                   for scenario, theirs in (('1a', 3), ('1b', 1.7), ('1c', 1.2))],
                  [draw_iterations(outcomes, scenario) for scenario in ('1a', '1b', '1c')])


def loaded(context):
    """003 figure 4.5."""
    outcomes = run_scenarios(context, ['0', '2'])
    usual = took(outcomes['0', 'without'], True)
    return Result([
        Row('last iterations under the load, of those without load', (2, 3),
            took(outcomes['2', 'without'], True) / usual, good=None),
        Row('the same with adaptation', 1, took(outcomes['2', 'adaptive'], True) / usual)],
        [draw_iterations(outcomes, '2')], [REMARK])


def narrow(context):
    """003 figure 4.6: 170 to 890 s without adaptation; about 100 s at the end with it."""
    outcomes = run_scenarios(context, ['0', '3'])
    usual = took(outcomes['0', 'without'], True)
    durations = [duration for _, duration in outcomes['3', 'without'].durations()]
    return Result([
        Row('longest iteration, of the shortest, without adaptation', 890 / 170, max(durations) / min(durations),
            good=None),
        Row('last iterations with adaptation, of those on a good network', 1.0,
            took(outcomes['3', 'adaptive'], True) / usual)],
        [draw_iterations(outcomes, '3')])


def narrow_and_loaded(context):
    """003 figure 4.7: 200 to 1150 s without adaptation; 210 s on average with it."""
    outcomes = run_scenarios(context, ['0', '4'])
    usual = took(outcomes['0', 'without'], True)
    durations = [duration for _, duration in outcomes['4', 'without'].durations()]
    return Result([
        Row('longest iteration, of the shortest, without adaptation', 1150 / 200, max(durations) / min(durations),
            good=None),
        Row('last iterations with adaptation, of those without trouble', 2.1,
            took(outcomes['4', 'adaptive'], True) / usual)],
        [draw_iterations(outcomes, '4')], [REMARK])


def crashed(context):
    """003 figure 4.8: from 100 s to 200 s at the crash, and back to about 100 s."""
    outcomes = run_scenarios(context, ['0', '5'])
    usual = took(outcomes['0', 'without'], True)
    return Result([
        Row('last iterations without adaptation, of those before the crash', 2.0,
            took(outcomes['5', 'without'], True) / usual, good=None),
        Row('last iterations with adaptation, of those before the crash', 1.0,
            took(outcomes['5', 'adaptive'], True) / usual)],
        [draw_iterations(outcomes, '5')])
