# scheduling.py - items about speedups, clusters and stealing: 001 sections 5.3, 5.4 and 5.7, 003
# section 2.3.4
#
# SPDX-License-Identifier: Apache-2.0

from papers import kept, real, svg
from papers.compared import Result, Row

speculation = kept.load_script('speculation')

# One iteration of 1,200 s of work: what 003 table 5.3 has for this program (theta 5.0, four iterations,
# 1.6 h), on processors that are a fifth quicker.
FEW_BODIES = ['barnes-hut', '--bodies', '50000', '--iterations', '1', '--grain', '32', '--body-time', '24ms']
MANY_BODIES = ['barnes-hut', '--bodies', '100000', '--iterations', '1', '--grain', '32', '--body-time', '12ms']
GENES = ['align', '--generate', '240', '--length', '30', '--grain', '900']
GENE_NS = ['--spawn-ns', '20000000']
# The published search looked at 2.9 billion positions. Ours has 27 million, each of which takes as long as
# a hundred.
POSITION_NS = '6000'
# Four cores of a machine are workers of one node.
CORES = 4


def of_work(run):
    """Returns the work that one node would do, divided by what all workers could have done."""
    return run['efficiency']


def cluster_run(context, program, n_cores):
    options = ['--clusters', f'1x{n_cores // CORES}', '--workers', str(CORES), '--stack', '1M']
    return context.simulate([*options, *(GENE_NS if program is GENES else [])], program)


def single_cluster(context):
    """001 figure 4 and table IV, on 256 cores of one cluster."""
    bodies = context.choose(FEW_BODIES, MANY_BODIES)
    programs = {'shared': bodies, 'alone': [*bodies, '--send-trees'], 'genes': GENES}
    runs = context.all_of({name: lambda p=program: cluster_run(context, p, 256) for name, program in programs.items()})
    othello = context.with_options(wan='2ms', stack='1M', position=speculation.POSITION, position_ns=POSITION_NS)
    searches = context.all_of({
        way: lambda words=words, clusters=clusters: speculation.simulate(othello, clusters, words)
        for way, clusters, words in (('plain', '1x1', ['--sequential']), ('with', '1x256', ['--aborts', 'on']),
                                     ('without', '1x256', ['--aborts', 'off']))})
    search = {way: searches['plain']['work_s'] / searches[way]['available_s'] for way in ('with', 'without')}
    efficiency = {name: of_work(run) for name, run in runs.items()}
    rows = [
        Row('Barnes-Hut with shared objects: efficiency', 0.735, efficiency['shared'], good='more'),
        Row('Barnes-Hut without: efficiency', 0.600, efficiency['alone'], good='more'),
        Row('Barnes-Hut: data sent with shared objects, of that without', 428 / 84100,
            runs['shared']['bytes_lan'] / runs['alone']['bytes_lan'], form='{:.3f}'),
        Row('gene sequences: efficiency', 0.913, efficiency['genes'], good='more'),
        Row('Othello with aborts: efficiency', 0.218, search['with'], good='more', form='{:.3f}'),
        Row('Othello without aborts: efficiency', 0.059, search['without'], good='more', form='{:.3f}'),
        Row('Othello: efficiency with aborts, of that without', 21.8 / 5.9, search['with'] / search['without'],
            good='more'),
        Row('Othello: messages with aborts, of those without', 70.39 / 394.05,
            searches['with']['net.messages'] / searches['without']['net.messages'])]
    plot = svg.bars('Efficiency on 256 cores of one cluster', 'efficiency', [
        (row.what.split(':')[0], [row.theirs, row.ours()]) for row in rows if row.what.endswith(': efficiency')],
                    ['theirs', 'ours'])
    return Result(rows, [plot], [
        'Inputs are ours: the text does not say how many bodies or sequences there were. An iteration of Barnes-Hut '
        'has the work that 003 table 5.3 tells, 1,200 s. An efficiency depends on the input.',
        JOBS_REMARK,
        'Without shared objects our Barnes-Hut sends only what a job needs of the tree, so sharing saves less.',
        'Grammar induction is not among these runs yet; nor are master-worker forms, as no '
        'program here has one flat level of jobs. All simulated Othello nodes share one transposition table at no '
        'cost. Their search looks at 2.9 billion positions; ours at 27 million, each as long as a hundred.'])


def speedup_curves(context):
    """001 figure 4, as far as a figure without values can be compared."""
    sizes = context.choose([64, 256], [16, 32, 64, 128, 256])
    bodies = context.choose(FEW_BODIES, MANY_BODIES)
    programs = {'Barnes-Hut shared': bodies, 'Barnes-Hut': [*bodies, '--send-trees'], 'gene sequences': GENES}
    runs = context.all_of({(name, n): lambda p=program, n=n: cluster_run(context, p, n)
                           for name, program in programs.items() for n in sizes})
    rows = [Row(f'{name}: speedup on {n} cores', None, n * of_work(runs[name, n]), good=None, form='{:.0f}')
            for name in programs for n in sizes]
    return Result(rows, [svg.lines('Speedup on one cluster', 'cores', 'speedup', [
        (name, [(n, n * of_work(runs[name, n])) for n in sizes]) for name in programs])],
        ['The values at 256 cores are those of table IV.'])


# The clusters of DAS-3 (001 table II) as nodes with two workers, and their clocks.
DAS3 = (128, 24, 64, 48, 24)
DAS3_SPEEDS = '1,1.08,0.92,1,1'


def grid_run(context, program, n_clusters=5):
    sizes = ','.join(str(size) for size in DAS3[:n_clusters])
    options = ['--clusters', sizes, '--workers', '2', '--speeds', DAS3_SPEEDS, '--wan', '2ms', '--stack', '1M']
    return context.simulate([*options, *(GENE_NS if program is GENES else [])], program)


JOBS_REMARK = ('A job of our Barnes-Hut has at most 32 bodies. So an iteration has six thousand jobs here, of a fifth '
               'of a second, where theirs has thirty thousand, and many workers wait for the last ones. With more '
               'bodies there are more jobs, but each simulated node keeps all bodies in memory.')
GRID_REMARK = ('The text has no latency between the sites of DAS-3; ours is 2 ms, that of DAS-2. Nodes of two '
               'workers stand for machines of two or four cores.')


def five_clusters(context):
    """001 figure 5 and table V."""
    counts = context.choose([1, 5], [1, 2, 3, 4, 5])
    programs = {'Barnes-Hut': context.choose(FEW_BODIES, MANY_BODIES), 'gene sequences': GENES}
    runs = context.all_of({(name, n): lambda p=program, n=n: grid_run(context, p, n)
                           for name, program in programs.items() for n in counts})
    rows = [Row('Barnes-Hut: efficiency on 576 cores', (0.72, 0.82), of_work(runs['Barnes-Hut', 5]), good='more'),
            Row('gene sequences: efficiency on 576 cores', 0.82, of_work(runs['gene sequences', 5]), good='more')]
    rows += [Row(f'{name}: time on {n} clusters, of that on 1', None,
                 runs[name, n]['makespan_s'] / runs[name, 1]['makespan_s'], good=None,
                 prose='each cluster improves it much') for name in programs for n in counts[1:]]
    cores = {n: 2 * sum(DAS3[:n]) for n in counts}
    return Result(rows, [svg.lines('Speedup on 1 to 5 clusters', 'cores', 'speedup', [
        (name, [(cores[n], cores[n] * of_work(runs[name, n])) for n in counts]) for name in programs])],
        [GRID_REMARK, JOBS_REMARK, 'The row of Barnes-Hut in table V lacks its value; the text says 72 to 82 % '
                                   'for all three programs.'])


def communication(context):
    """001 table VI."""
    programs = {'Barnes-Hut': context.choose(FEW_BODIES, MANY_BODIES), 'gene sequences': GENES}
    runs = context.all_of({name: lambda p=program: grid_run(context, p) for name, program in programs.items()})
    rows = []
    for name, stolen, data in (('Barnes-Hut', 11858 / (25270 + 11858), 140 / 728),
                               ('gene sequences', 5515 / 14004, 624 / 1824)):
        run = runs[name]
        rows += [Row(f'{name}: jobs stolen from other clusters, of all stolen', stolen,
                     run['steals_wan'] / (run['steals_lan'] + run['steals_wan'])),
                 Row(f'{name}: data between clusters, of all', data,
                     run['bytes_wan'] / (run['bytes_lan'] + run['bytes_wan']))]
    return Result(rows, remarks=[GRID_REMARK])


# The sites of 001 table VIII: the first and second are in one place. The processors by their clocks.
EUROPE = ['--clusters', '8,2,4,2,8,16', '--speeds', '1,0.75,0.67,1,2.4,0.5', '--wan', '1ms', '--stack', '1M']
EUROPE_LINKS = ['0s latency cluster c3 100ms', '0s latency cluster c4 15ms', '0s latency cluster c5 19ms',
                '0s latency cluster c6 16ms', '0s bandwidth cluster c3 9K', '0s bandwidth cluster c4 1M',
                '0s bandwidth cluster c5 5M', '0s bandwidth cluster c6 5M']
EUROPE_SPEED = 8 * 1 + 2 * 0.75 + 4 * 0.67 + 2 * 1 + 8 * 2.4 + 16 * 0.5
SIZE, PIXEL_US = 1024, 6200
PICTURE = ['raytracer', '--scene', 'balls:0', '--size', f'{SIZE}x{SIZE}', '--tile', '16', '--pixel-time',
           f'{PIXEL_US}us']


def europe(context):
    """001 table VIII and 003 table 2.1, with the efficiencies of the text."""
    runs = context.all_of({policy: lambda p=policy: context.simulate(
        [*EUROPE, '--policy', p], PICTURE, None, EUROPE_LINKS)
                           for policy in ('crs', 'rs')})
    # Jobs that were done twice do not count.
    ours = {policy: SIZE ** 2 * PIXEL_US / 1e6 / (EUROPE_SPEED * run['makespan_s']) for policy, run in runs.items()}
    return Result([
        Row('cluster-aware random stealing: efficiency', 0.80, ours['crs'], good='more'),
        Row('random stealing: efficiency', (0.26, 0.62), ours['rs'], good='more'),
        *(Row(f'{policy}: work that is done, of that of one node', None,
              run['work_s'] / (SIZE ** 2 * PIXEL_US / 1e6), good=None, prose='not in the text')
          for policy, run in runs.items())],
        remarks=['The text has ranges: latencies that differ by a factor of 200, bandwidths from 9 KB/s on. The '
                 'slowest link here is that of Lecce: 100 ms and 9 KB/s. Other users load no link and no processor. '
                 'The picture has 3 MB.',
                 'Where work is done again, nodes behind that link were silent for so long that they were declared '
                 'dead.'])


def queens(context):
    """001 section 5.7: 22 queens on 960 nodes. The quick form is smaller."""
    clusters, shape, work = context.choose(('5x48', 'queens:14', '77000s'), ('5x192', 'queens:22', '1850000s'))
    run = context.simulate(['--clusters', clusters, '--wan', '5ms', '--policy', 'crs'],
                           ['tree', '--shape', shape, work])
    return Result([
        Row('share of the time that is spent in the program', 0.85, of_work(run), good='more', form='{:.3f}'),
        Row('messages for each spawned job', 0.8e6 / 4.7e6, run['net.messages'] / run['jobs'], good=None),
        Row('one worker: time, of that of plain C', 1.005, None, real.one_machine(context), form='{:.3f}')],
        remarks=['Theirs includes the start of all processes, ours begins with the root job. The text does not say '
                 'at which depth their jobs ended.',
                 *context.choose(
                     ['The quick form has 240 nodes and the jobs of 14 queens, as long as those of 22.'], [])])
