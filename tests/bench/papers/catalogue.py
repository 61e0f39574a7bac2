# catalogue.py - every table and figure of the published texts: what it shows, and what makes it here
#
# The texts by number, as in docs/sources.md. 004 is the author's version of 002: the same figures, and
# one more. An entry that is not made has the reason.
#
# SPDX-License-Identifier: Apache-2.0
from papers import adapting, checkpoints, real, recovery, scheduling, sharing

TEXTS = {
    '000': 'Fault-tolerance, malleability and migration (2005)',
    '001': 'Satin: a high-level and efficient grid programming model (2010)',
    '002': 'Fault-tolerant scheduling of fine-grained tasks (2006; 004 is the author\'s version)',
    '003': 'Handling complexity and change in grid computing (thesis, 2007)',
}


class Entry:
    """A table or figure, or numbers of a section. @make: a function of a Context that returns a
    Result, or None with a @reason. @cost_s: processor seconds of the quick and of the full form on
    a quiet machine, roughly."""

    def __init__(self, text, number, shows, make=None, cost_s=(0, 0), reason=''):
        self.text = text
        self.number = number
        self.shows = shows
        self.make = make
        self.cost_s = cost_s
        self.reason = reason
        self.id = f'{text}-{number.replace(" ", "-")}'


PICTURE = 'a drawing of the algorithm: no values'
CODE = 'source text of a program: no values'
MAP = 'a map'
FEATURES = 'a table of features in words: no measurement'
PLATFORM = 'describes their machines: an input of other items'


def drawings(text, numbers, shows, reason):
    return [Entry(text, number, shows, reason=reason) for number in numbers]


ENTRIES = [
    *drawings('000', [f'figure {i}' for i in range(1, 5)], 'a tree of jobs before, during and after a loss', PICTURE),
    Entry('000', 'figure 5', 'where the sites of the testbed are', reason=MAP),
    Entry('000', 'table 1', 'bandwidth between the sites', reason='an input of figures 8 and 9'),
    Entry('000', 'table 2', 'latency between the sites', reason='an input of figures 8 and 9'),
    Entry('000', 'figure 6', 'speedup of four programs on 32 nodes, with recovery and without', recovery.overhead_32,
          (30, 150)),
    Entry('000', 'figure 7', 'a ray tracer on two clusters of 16 nodes, of which one is lost or leaves',
          recovery.salvage, (5, 30)),
    Entry('000', 'figure 8', 'the same on 24 processors of four sites', recovery.gridlab, (5, 20)),
    Entry('000', 'figure 9', 'a ray tracer moves from one site to another', recovery.gridlab_migration, (2, 8)),
    Entry('001', 'table I', 'overview of the design', reason=FEATURES),
    Entry('001', 'figure 1', 'Barnes-Hut with shared objects', reason=CODE),
    Entry('001', 'figure 2', 'inlets and aborts', reason=CODE),
    Entry('001', 'figure 3', 'how programs are compiled', reason='a drawing of the Java compiler: no values'),
    Entry('001', 'table II', 'the clusters of DAS-3', reason=PLATFORM),
    Entry('001', 'table III', 'what a spawn costs, against a call', real.spawn, (1, 1)),
    Entry('001', 'figure 4', 'speedups on up to 256 cores of one cluster', scheduling.speedup_curves, (40, 300)),
    Entry('001', 'table IV', 'efficiency and traffic on 256 cores of one cluster', scheduling.single_cluster,
          (75, 150)),
    Entry('001', 'figure 5', 'speedups on up to five clusters', scheduling.five_clusters, (40, 400)),
    Entry('001', 'table V', 'efficiency on 576 cores of five clusters', reason='its values are rows of figure 5'),
    Entry('001', 'table VI', 'what goes between clusters', scheduling.communication, (1, 1)),
    Entry('001', 'figure 6', 'three programs on two clusters of 16 nodes, of which one is lost',
          checkpoints.article_crash, (10, 90)),
    Entry('001', 'table VII', 'how many jobs are reused after a loss', checkpoints.article_statistics, (1, 5)),
    Entry('001', 'figure 7', 'programs move from one cluster to another', checkpoints.article_migration, (2, 10)),
    Entry('001', 'figure 8', 'run times with adaptation in six scenarios', adapting.article_runtimes, (150, 450)),
    Entry('001', 'table VIII', 'machines all over Europe, with an efficiency', scheduling.europe, (5, 5)),
    Entry('001', 'section 5.7', '22 queens on 960 nodes of five clusters', scheduling.queens, (5, 150)),
    Entry('001', 'table IX', 'Satin and related systems', reason=FEATURES),
    *drawings('002', ['figure 1', 'figure 2'], 'recovery, and a tree of jobs', PICTURE),
    Entry('002', 'figure 3', 'speedup of five programs on 48 nodes, with recovery and without', recovery.overhead_48,
          (60, 300)),
    Entry('002', 'figure 4', 'a knapsack on four clusters of 16 nodes, of which one or two are lost',
          recovery.result_table, (15, 75)),
    Entry('002', 'figure 5', 'where the sites of the testbed are', reason=MAP),
    Entry('002', 'table 1', 'the machines of the testbed', reason='an input of figure 6'),
    Entry('002', 'figure 6', 'a solver on 64 processors of five sites, of which one is lost or comes later',
          recovery.solver_on_grid, (10, 50)),
    Entry('002', 'figure 7', 'states of a stolen job (004 only)', reason=PICTURE),
    Entry('003', 'figure 2.1', 'kinds of programming environments', reason=FEATURES),
    *drawings('003', ['figure 2.2', 'figure 2.3'], 'quicksort and a ray tracer', CODE),
    *drawings('003', ['figure 2.4', 'figure 2.5'], 'how programs are compiled; the design of Ibis',
              'a drawing of the Java system: no values'),
    Entry('003', 'table 2.1', 'machines all over Europe, with efficiencies',
          reason='the same experiment as 001 table VIII, whose item has its values'),
    *drawings('003', ['table 2.2', 'table 2.3'], 'Satin and other environments', FEATURES),
    *drawings('003', [f'figure 3.{i}' for i in range(1, 15)], 'recovery, leaving and checkpoints, in trees of jobs',
              PICTURE),
    Entry('003', 'table 3.1', 'how large checkpoints are', checkpoints.sizes, (15, 80)),
    Entry('003', 'figure 3.15', 'a ray tracer with checkpoints, while nothing is lost',
          checkpoints.undisturbed('raytracer'), (1, 1)),
    Entry('003', 'figure 3.16', 'a search for tours with checkpoints, while nothing is lost',
          checkpoints.undisturbed('tsp'), (1, 1)),
    Entry('003', 'figure 3.17', 'a ray tracer on two clusters of 16 nodes, of which one is lost',
          checkpoints.crash('raytracer'), (50, 250)),
    Entry('003', 'figure 3.18', 'a search for tours, likewise', checkpoints.crash('tsp'), (1, 1)),
    Entry('003', 'table 3.2', 'how many jobs are reused after a loss', checkpoints.statistics, (1, 1)),
    Entry('003', 'table 3.3', 'mean times and deviations after a loss', checkpoints.deviations, (1, 1)),
    Entry('003', 'figure 3.19', 'a ray tracer moves from one cluster to another', checkpoints.migration('raytracer'),
          (4, 20)),
    Entry('003', 'figure 3.20', 'a search for tours moves likewise', checkpoints.migration('tsp'), (1, 1)),
    Entry('003', 'figure 3.21', 'a ray tracer is stopped and resumed', checkpoints.stopped('raytracer'), (5, 25)),
    Entry('003', 'figure 3.22', 'a search for tours is stopped and resumed', checkpoints.stopped('tsp'), (1, 1)),
    Entry('003', 'table 3.4', 'how large the checkpoint of a stopped run is', checkpoints.stopped_sizes, (1, 1)),
    *drawings('003', ['figure 4.1', 'figure 4.2'], 'the benchmark; the strategy of adaptation', PICTURE),
    Entry('003', 'figure 4.3', 'run times with adaptation in scenarios 0 to 5', adapting.runtimes, (45, 135)),
    Entry('003', 'figure 4.4', 'iterations that begin on too few nodes', adapting.expand, (1, 1)),
    Entry('003', 'figure 4.5', 'iterations while processors have another load', adapting.loaded, (1, 1)),
    Entry('003', 'figure 4.6', 'iterations while a link is narrow', adapting.narrow, (1, 1)),
    Entry('003', 'figure 4.7', 'iterations with both troubles', adapting.narrow_and_loaded, (1, 1)),
    Entry('003', 'figure 4.8', 'iterations when two clusters crash', adapting.crashed, (1, 1)),
    *drawings('003', ['figure 5.1', 'figure 5.2'], 'kinds of data sharing, and algorithms for it', FEATURES),
    *drawings('003', [f'figure 5.{i}' for i in range(3, 7)], 'programs with shared objects', CODE),
    Entry('003', 'figure 5.7', 'programs with shared objects and without, on 32 nodes', sharing.one_cluster, (40, 40)),
    Entry('003', 'figure 5.8', 'Barnes-Hut on up to 128 nodes, with shared objects and without', sharing.bodies,
          (60, 200)),
    *drawings('003', ['table 5.1', 'table 5.2'], 'the machines of the testbed', 'an input of table 5.3'),
    Entry('003', 'table 5.3', 'speedups on three clusters and on one', sharing.grid, (90, 90)),
    Entry('003', 'table 5.4', 'what these runs send for stealing', sharing.traffic, (1, 1)),
    Entry('003', 'table 5.5', 'what these runs send for shared objects',
          reason='numbers of operations of their programs, which have no counterpart; the data are in the item of '
                 'table 5.4'),
]


def made():
    return [entry for entry in ENTRIES if entry.make]


def left_out():
    return [entry for entry in ENTRIES if not entry.make]
