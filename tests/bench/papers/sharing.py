# sharing.py - items about shared objects: 003 section 5.7
#
# SPDX-License-Identifier: Apache-2.0
from papers import kept, svg
from papers.compared import Result, Row

objects = kept.load_script('objects')

# The searches and the routes are ours. What takes time in them is so long that the work is that of table
# 5.3: 5.4 h, and a quarter of 9.6 h for one of four iterations. LocusRoute and the solver have a quarter
# and a third of theirs.
LINES = {
    'tsp': [*objects.PROGRAMS['tsp'][1][:2], '--node-time', '750ms', '--grain', '2'],
    'sat': ['sat', '--generate', 'uniform:250,1065,3,1', '--budget', '100', '--conflict-time', '20ms'],
    'locusroute': ['locusroute', '--circuit', '1200x40x1200', '--iterations', '2', '--grain', '1', '--costs', 'shared',
                   '--place-ns', '1000000'],
    'barnes-hut': ['barnes-hut', '--bodies', '20000', '--iterations', '1', '--grain', '32', '--body-time', '430ms'],
}
# An iteration of figure 5.8: a quarter of 1.6 h, on processors of a third of the speed.
SMALL = ['barnes-hut', '--bodies', '20000', '--iterations', '1', '--grain', '32', '--body-time', '200ms']


def line(context, program, mode):
    """Returns the command line of a program of the script objects, or of LocusRoute, which always
    shares."""
    words = LINES[program]
    if program == 'locusroute':
        return words
    _, _, *modes = objects.PROGRAMS[program]
    return [*words, *modes[objects.MODES.index(mode)]]


def run(context, program, mode, clusters, more=()):
    return context.simulate(['--clusters', clusters, '--wan', '7ms', '--stack', '1M', *more],
                            line(context, program, mode))


def run_small(context, mode, clusters):
    modes = objects.PROGRAMS['barnes-hut'][2:]
    words = [*SMALL, *modes[objects.MODES.index(mode)]]
    return context.simulate(['--clusters', clusters, '--wan', '2ms', '--stack', '1M'], words)


def one_cluster(context):
    """003 figure 5.7."""
    programs = ['tsp', 'sat', 'barnes-hut']
    runs = context.all_of({(program, mode): lambda p=program, m=mode: run(context, p, m, '32')
                           for program in programs for mode in objects.MODES})
    gains = {program: runs[program, 'alone']['makespan_s'] / runs[program, 'shared']['makespan_s']
             for program in programs}
    return Result([Row(f'{program}: time without shared objects, of that with them', None, gains[program], good='more',
                       prose='much better with shared objects') for program in programs],
                  remarks=['LocusRoute cannot do without shared objects in the paper. Our Barnes-Hut sends each job '
                           'only what it needs of the tree, so there is little that sharing could save.'])


def bodies(context):
    """003 figure 5.8."""
    sizes = context.choose([32, 128], [2, 4, 8, 16, 32, 64, 96, 128])
    worlds = {'one cluster': str, 'several clusters': lambda n: f'4x{n // 4}'}
    keys = [(mode, world, n) for mode in objects.MODES for world in worlds for n in sizes
            if world == 'one cluster' or n >= 8]
    runs = context.all_of({key: lambda k=key: run_small(context, k[0], worlds[k[1]](k[2])) for key in keys})
    rows = [Row(f'{mode}, {world}: speedup on {n}', None, n * runs[mode, world, n]['efficiency'], good=None,
                form='{:.1f}')
            for mode, world, n in keys]
    return Result(rows, [svg.lines('Barnes-Hut: speedup', 'nodes', 'speedup', [
        (f'{mode}, {world}', [(n, n * runs[mode, world, n]['efficiency']) for n in sizes if (mode, world, n) in runs])
        for mode in objects.MODES for world in worlds])],
        ['With shared objects theirs scales much better than without.'])


# The runs of tables 5.2 and 5.3: clusters, the speed of each relative to the first so that all together are
# the normalized number of processors, and the published speedups on the grid and in one cluster.
GRID = {
    'tsp': ('50,40,30', '1,0.93,0.93', 115, 97, 99),
    'locusroute': ('50,40,30', '1,0.63,0.63', 94, 81, 89),
    'sat': ('40,32,40', '1,0.81,0.81', 98, 54, 59),
    'barnes-hut': ('50,50,20', '1,1.09,1.09', 126, 89, 89),
}


def grid_runs(context):
    calls = {}
    for program, (sizes, speeds, n, _, _) in GRID.items():
        calls[program, 'far'] = lambda p=program, s=sizes, v=speeds: run(context, p, 'shared', s, ['--speeds', v])
        calls[program, 'near'] = lambda p=program, n=n: run(context, p, 'shared', str(n))
    return context.all_of(calls)


def grid(context):
    """003 table 5.3."""
    runs = grid_runs(context)
    rows = [Row(f'{program}: speed on three clusters, of that on one', far / near,
                runs[program, 'near']['makespan_s'] / runs[program, 'far']['makespan_s'], good='more')
            for program, (_, _, _, far, near) in GRID.items()]
    return Result(rows, [svg.bars('Speed on three clusters, of that on one', 'share', [
        (row.what.split(':')[0], [row.theirs, row.ours()]) for row in rows], ['theirs', 'ours'])],
        ['LocusRoute and the solver have a quarter and a third of their work, so their ends count for more.',
         'Of their two runs of Barnes-Hut this is the one with more accuracy (theta 7.0); the other has 25 of 31.'])


def traffic(context):
    """003 tables 5.4 and 5.5."""
    runs = grid_runs(context)
    published = {'tsp': (8e3 / 2e6, 4 / 37), 'locusroute': (3e3 / 160e3, 22 / 1422), 'sat': (4e3 / 160e3, 1 / 2.8),
                 'barnes-hut': (20e3 / 335e3, 400 / 1200)}
    rows = []
    for program, (stolen, far) in published.items():
        figures = runs[program, 'far']
        rows += [Row(f'{program}: jobs stolen, of all', stolen,
                     (figures['steals_lan'] + figures['steals_wan']) / figures['jobs'],
                     good=None, form='{:.4f}'),
                 Row(f'{program}: data between clusters, of all', far,
                     figures['bytes_wan'] / (figures['bytes_lan'] + figures['bytes_wan']))]
    return Result(rows, remarks=['Ours is all data that was sent, with the updates of objects; theirs is that of '
                                 'stealing only.'])
