# simulated.py - what the experiments in simulated time share: one run, many at a time, and their figures
#
# SPDX-License-Identifier: Apache-2.0
import concurrent.futures
import csv
import os
import statistics
import subprocess
import sys
import tempfile

# The value of --with that asks for a strategy of recovery.
STRATEGY_PART = 'ft:strategy={}'


def add_arguments(parser, has_strategies=True):
    parser.add_argument('--satin', default='satin', help='the command (satin)')
    if has_strategies:
        parser.add_argument('--strategies', default='naive,ancestors,orphan-table,result-table',
                            help='of recovery, those of the part ft, with commas '
                                 '(naive,ancestors,orphan-table,result-table)')
    parser.add_argument('--seeds', type=int, default=1, help='runs of each, for the mean (1)')
    parser.add_argument('--jobs', type=int, default=os.cpu_count(), help='runs at a time')
    parser.add_argument('--csv', metavar='FILE', help='write the figures of every run')


class Run:
    """One run: its exit status, its figures (--csv), the sums over all nodes (--figures), the text
    of a file that the program wrote, and the processor time of the simulation in seconds."""

    def __init__(self, status, figures, sums, text='', processor_s=0):
        self.status = status
        self.processor_s = processor_s
        self.sums = sums
        self.hash = figures.pop('hash', '')
        self.figures = {name: float(value) for name, value in figures.items()}
        self.text = text

    def __getitem__(self, name):
        return self.figures.get(name, self.sums.get(name, 0))

    def record(self):
        """Returns what from_record() takes, made of what JSON has."""
        return {'status': self.status, 'figures': {**self.figures, 'hash': self.hash}, 'sums': self.sums,
                'text': self.text}

    @classmethod
    def from_record(cls, record):
        return cls(record['status'], dict(record['figures']), record['sums'], record['text'])


def read_figures(path):
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        return next(csv.DictReader(file))


def read_sums(path):
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        return {name: float(value) for name, value in (line.split() for line in file)}


def read_text(path):
    if not os.path.exists(path):
        return ''
    with open(path) as file:
        return file.read()


def simulate(arguments, options, program, strategy=None, events=(), file_option=None):
    """Runs satin sim once. @events: texts, as for --events. @file_option: an option of the program
    that takes the name of a file, whose text becomes that of the Run. A run may fail, but a command
    that cannot be started (status 2, 11 or 127) ends this script.

    If @arguments has a member "kept", that is asked for the Run first, and is given a new one:
    get (command) returns a Run or None, put (command, run)."""
    part = ['--with', STRATEGY_PART.format(strategy)] if strategy is not None else []
    options = [*options, *part]
    command = ['sim', *options, *(['--events', '; '.join(events)] if events else []), *program]
    kept = getattr(arguments, 'kept', None)
    run = kept.get(command) if kept is not None else None
    if run is None:
        run = run_once(arguments.satin, options, program, events, file_option)
        if kept is not None:
            kept.put(command, run)
    return run


def run_once(satin, options, program, events, file_option):
    with tempfile.TemporaryDirectory() as folder:
        figures, sums, schedule, text = (os.path.join(folder, name) for name in ('a', 'b', 'c', 'd'))
        with open(schedule, 'w') as file:
            file.writelines(event + '\n' for event in events)
        of_file = [file_option, text] if file_option is not None else []
        with open(os.path.join(folder, 'said'), 'w+') as said:
            process = subprocess.Popen([satin, 'sim', *options, '--events', '@' + schedule, '--csv', figures,
                                        '--figures', sums, *program, *of_file], stdout=subprocess.DEVNULL, stderr=said)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            if process.returncode in (2, 11, 127):
                raise SystemExit(said.read().strip())
        return Run(process.returncode, read_figures(figures), read_sums(sums), read_text(text),
                   usage.ru_utime + usage.ru_stime)


def all_of(arguments, calls):
    """Calls functions without arguments, --jobs at a time. Returns their values by the keys of
    @calls. If a call fails, the calls that have not begun are left out."""
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        waiting = {key: pool.submit(call) for key, call in calls.items()}
        try:
            return {key: future.result() for key, future in waiting.items()}
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def microseconds(seconds):
    return f'{round(seconds * 1e6)}us'


def ideal_makespan(work_s, steps):
    """Returns how long the work takes if no node ever waits and no work is lost. @steps: pairs of a
    time and the number of nodes from that time on."""
    for (since_s, n_nodes), (until_s, _) in zip(steps, steps[1:] + [(float('inf'), 0)]):
        if work_s <= n_nodes * (until_s - since_s):
            return since_s + work_s / n_nodes
        work_s -= n_nodes * (until_s - since_s)
    sys.exit('simulated: the nodes are gone before the work is done')


def mean(values):
    return statistics.fmean(values)


def deviation(values):
    return statistics.stdev(values) if len(values) > 1 else 0


def write_csv(path, header, rows):
    with open(path, 'w', newline='') as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)
