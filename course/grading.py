# grading.py - what all graders share: checks, points, TAP, and the forms of Gradescope and Autolab
#
# A grader lists its checks and calls main(). A check is a function of a Work. It returns if
# everything is right, and raises Lost otherwise. Nothing that a check decides may depend on how
# long something took.
#
# SPDX-License-Identifier: Apache-2.0
import argparse
import contextlib
import csv
import errno
import hashlib
import hmac
import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile

from sandbox import MOST_WRITTEN, Sandbox, flags_of

SECRET = 'SATIN_COURSE_SECRET'
MOST_BYTES = 256 << 10
MOST_FIGURE = 1e12 # no run has a larger figure
MOST_SHOWN = 150   # characters of an error
WARNINGS = ['-std=gnu11', '-Wall', '-O2', '-ffp-contract=off']


class Lost(Exception):
    """A check that did not get all its points. reason: one line. points: the points that it got
    nevertheless. replay: a command that repeats the failure. more: pairs of a reason and a command, if
    there are other reasons."""

    def __init__(self, reason, points=0, replay=None, more=()):
        super().__init__(reason)
        self.points = points
        self.reasons = [(reason, replay), *more]


class Check:
    def __init__(self, name, claim, points, function):
        self.name = name
        self.claim = claim
        self.points = points
        self.function = function


class Work:
    """One grading: the program in its folder, and what the grader keeps for itself."""

    def __init__(self, assignment, arguments, box, private):
        self.assignment = assignment    # the folder of the assignment
        self.name = os.path.basename(assignment)
        self.secret = os.environ.get(SECRET, '')
        self.box = box                  # the only folder that the student's program may write
        self.private = private          # a folder of the grader
        self.satin = os.environ.get('SATIN_COMMAND') or shutil.which('satin')
        if not self.satin:
            raise SystemExit('course: there is no command satin in PATH')
        self.sandbox = Sandbox(box, self.satin, arguments.unsafe)
        self.entry = None               # for the leaderboard: what it measures, and the value, if a check sets it
        self.known = {}                 # what one check has found out for others

    def draw(self, name, least, most):
        """A number from least to most that follows from the secret, the assignment and the name."""
        text = f'{self.name} {name}'.encode()
        digest = hmac.new(self.secret.encode(), text, hashlib.sha256).digest()
        return least + int.from_bytes(digest[:8], 'big') % (most - least + 1)

    def run(self, *words, seconds=60, text='', environment=None):
        """Runs a program with the student's code in it."""
        return self.sandbox.run(list(map(str, words)), seconds, text, environment)

    def trust(self, *words, seconds=200, environment=None):
        """Runs a program without any code of the student. Returns: its status, output and errors"""
        try:
            run = subprocess.run(list(map(str, words)), cwd=self.private, env={**os.environ, **(environment or {})},
                                 stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            raise SystemExit(f'course: {words[0]} took more than {seconds} s: grade again when the machine is less busy') from None
        return run.returncode, run.stdout, run.stderr

    def talk(self, host, words, seconds=200):
        """Runs a command of Satin, with plugins of the grader's folder, beside a program with the
        student's code in it. REMOTE_FDS names two descriptors of the command: the first one leads to
        the program's input, the second one to its output. Returns: the command's status, output and errors.
        Raises subprocess.TimeoutExpired"""
        questions, answers = os.pipe(), os.pipe()
        program = self.sandbox.start(host, questions[0], answers[1])
        paths = ':'.join(filter(None, (self.private, os.environ.get('SATIN_PLUGIN_PATH'))))
        environment = {**os.environ, 'REMOTE_FDS': f'{questions[1]},{answers[0]}', 'SATIN_PLUGIN_PATH': paths}
        try:
            os.close(questions[0])
            os.close(answers[1])
            run = subprocess.run(words, cwd=self.private, env=environment, stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, errors='replace', timeout=seconds, check=False,
                                 pass_fds=(questions[1], answers[0]))
        finally:
            os.close(questions[1])
            os.close(answers[0])
            self.sandbox.stop(program)
        return run.returncode, run.stdout, run.stderr

    def given(self, *names):
        """Paths of files of the assignment that the grader uses itself."""
        return [os.path.join(self.assignment, name) for name in names]

    def compile_trusted(self, program, *words, library=None):
        """Builds a program of the grader in the grader's own folder. Its sources may include the headers
        beside this file. Returns: the program's path"""
        flags = flags_of(library) if library else []
        headers = '-I' + os.path.dirname(os.path.abspath(__file__))
        status, _, errors = self.trust('cc', *WARNINGS, headers, *words, '-o', program, *flags, '-lm')
        if status != 0:
            raise SystemExit(f'course: cannot build {program}: {errors}')
        return os.path.join(self.private, program)

    def compile(self, program, *words, library=None):
        """Builds a program of the student in the folder of the sandbox. Raises Lost if that fails."""
        flags = flags_of(library) if library else []
        outcome = self.run('cc', *WARNINGS, *words, '-o', program, *flags, '-lm')
        if outcome.status != 0:
            errors = [line for line in outcome.errors.splitlines() if 'error' in line or 'undefined' in line]
            raise Lost('it does not build: ' + (errors[0][:150] if errors else outcome.describe()), 0,
                       shlex.join(['cc', '-O2', *words, '-o', program]) + (f' $(pkg-config --cflags --libs {library})'
                                                                           if library else '') + ' -lm')


def read_made_file(path):
    """Reads a file that a student's program may have made. The program may have made a link instead, or
    a pipe that never ends. Raises OSError if the path leads to no regular file, or to a larger file than
    a sandbox lets a program write."""
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(fd, 'rb') as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, 'it is no file')
        data = file.read(MOST_WRITTEN + 1)
    if len(data) > MOST_WRITTEN:
        raise OSError(errno.EFBIG, 'it is too large')
    return data


def read_figures(path, *names):
    """Reads the first row of the simulator's CSV file, which a student's program may have replaced.
    Returns: the numbers with these names. Raises Lost"""
    try:
        row = next(csv.DictReader(read_made_file(path).decode('ascii').splitlines()))
        figures = [float(row[name]) for name in names]
    except (OSError, ValueError, KeyError, TypeError, StopIteration, csv.Error) as error:
        raise Lost(f'the simulator wrote no figures: {str(error)[:MOST_SHOWN]}') from error
    # A figure that is not a number is not between them, either.
    if not all(0 <= figure <= MOST_FIGURE for figure in figures):
        raise Lost('the simulator wrote no figures: one is out of its range')
    return figures


def read_totals(path):
    """Reads the totals that satin run --stats-json wrote, in a file which a student's program may have
    replaced. Returns: a dictionary. Raises Lost"""
    try:
        totals = json.loads(read_made_file(path).decode('utf-8', 'replace'))['totals']
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise Lost(f'there are no figures of the run: {str(error)[:MOST_SHOWN]}') from error
    if not isinstance(totals, dict):
        raise Lost('there are no figures of the run: the totals have no names')
    return totals


def copy_file(source, target):
    """Copies a file that a student hands in. Refuses links, pipes, and more than MOST_BYTES."""
    with contextlib.ExitStack() as last:
        try:
            fd = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise SystemExit(f'course: {source}: {error.strerror}') from error
        last.callback(os.close, fd)
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise SystemExit(f'course: {source} is no file')
        data = os.read(fd, MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise SystemExit(f'course: {source} is larger than {MOST_BYTES >> 10} KiB')
    with open(target, 'wb') as file:
        file.write(data)
    os.chmod(target, 0o644)


def try_check(work, check):
    """Returns: the points, and for each reason why points are lost a pair of it and a command"""
    try:
        check.function(work)
    except Lost as lost:
        return lost.points, lost.reasons
    return check.points, []


def replay_of(work, check, replay):
    """Returns: the command that the grader prints. With a secret, it must not show the arguments."""
    if work.secret:
        return f'{SECRET}=... satin course grade {work.name} FOLDER --only {check.name}'
    return replay or f'satin course grade {work.name} . --only {check.name}'


def grade(work, checks, say):
    """Returns: a list of (check, points, reasons); reasons: pairs of a reason and a command"""
    results = []
    say(f'1..{len(checks)}')
    if work.sandbox.is_unsafe:
        say('# unsafe: the program ran without a sandbox; these points are not for marks')
    for number, check in enumerate(checks, 1):
        points, reasons = try_check(work, check)
        reasons = [(reason, replay_of(work, check, replay)) for reason, replay in reasons]
        results.append((check, points, reasons))
        say(f'{"not ok" if reasons else "ok"} {number} - {check.name}: {check.claim} '
            f'({points} of {check.points} points)')
    total, most = sum(result[1] for result in results), sum(check.points for check in checks)
    say(f'# points: {total} of {most}')
    for check, points, reasons in results:
        if reasons:
            say(f'# lost {check.points - points}, {check.name}: ' + '\n# '.join(lines_of(reasons)))
    return results


def lines_of(reasons):
    """Each reason, with its command below it. Reasons that follow each other and have the same command
    stand together above it."""
    lines = []
    for i, (reason, replay) in enumerate(reasons):
        is_last = i + 1 == len(reasons) or reasons[i + 1][1] != replay
        lines += [reason, f'  {replay}'] if is_last else [reason]
    return lines


def gradescope(work, results):
    tests = [{'name': check.name, 'number': str(number), 'score': points, 'max_score': check.points,
              'status': 'failed' if reasons else 'passed',
              'output': '\n'.join([check.claim, *lines_of(reasons)])}
             for number, (check, points, reasons) in enumerate(results, 1)]
    form = {'score': sum(result[1] for result in results), 'tests': tests, 'stdout_visibility': 'hidden'}
    if work.sandbox.is_unsafe:
        form['output'] = 'The program ran without a sandbox.'
    if work.entry is not None:
        form['leaderboard'] = [{'name': work.entry[0], 'value': work.entry[1], 'order': 'asc'}]
    return json.dumps(form, indent=1)


def autolab(work, results):
    form = {'scores': {check.name: points for check, points, _ in results}}
    if work.entry is not None:
        form['scoreboard'] = [work.entry[1]]
    return json.dumps(form)


def add_entry(path, student, entry):
    """Puts the student's least value into the file of the leaderboard. The file has the least value of
    each student, in rising order."""
    best = {student: entry}
    with contextlib.suppress(FileNotFoundError), open(path, encoding='utf-8') as file:
        for line in file:
            value, _, name = line.rstrip('\n').partition(' ')
            best[name] = min(float(value), best.get(name, float(value)))
    with open(path + '.new', 'w', encoding='utf-8') as file:
        file.writelines(f'{value:.4f} {name}\n' for name, value in sorted(best.items(), key=lambda item: item[::-1]))
    os.replace(path + '.new', path)


def read_arguments(checks):
    parser = argparse.ArgumentParser(prog='satin course grade', allow_abbrev=False)
    parser.add_argument('folder', nargs='?', default='.', help='the folder of the solution')
    parser.add_argument('--json', nargs='?', const='gradescope', choices=['gradescope', 'autolab'],
                        help="results.json of Gradescope; or autolab: TAP, and Autolab's scores in the last line")
    parser.add_argument('--secret', metavar='TEXT', help='arguments and seeds follow from this text')
    parser.add_argument('--only', metavar='CHECK', choices=[check.name for check in checks], help='one check alone')
    parser.add_argument('--unsafe', action='store_true', help='run the program without a sandbox')
    parser.add_argument('--leaderboard', metavar='FILE', help='keep the best value of each student in this file')
    parser.add_argument('--student', metavar='NAME', default='you', help='the name for the leaderboard')
    return parser.parse_args()


def hide_secret():
    """Other users can read the arguments of this process, but not its environment. So a secret moves
    from the arguments to the environment."""
    for i, word in enumerate(sys.argv):
        if word == '--secret' and i + 1 < len(sys.argv):
            os.environ[SECRET], rest = sys.argv[i + 1], sys.argv[:i] + sys.argv[i + 2:]
        elif word.startswith('--secret='):
            os.environ[SECRET], rest = word.partition('=')[2], sys.argv[:i] + sys.argv[i + 1:]
        else:
            continue
        os.execv(sys.executable, [sys.executable, *rest])


def main(checks, files, prepare):
    """Grades, and returns the exit status. files: the names of the files that the student hands in.
    prepare: a function of a Work; it runs before the checks."""
    hide_secret()
    arguments = read_arguments(checks)
    chosen = [check for check in checks if arguments.only in (None, check.name)]
    assignment = os.path.dirname(os.path.realpath(sys.argv[0]))
    with tempfile.TemporaryDirectory(prefix='satin-course-') as private:
        box = os.path.join(private, 'box')
        os.mkdir(box)
        for name in files:
            copy_file(os.path.join(arguments.folder, name), os.path.join(box, name))
        os.chmod(private, 0o711)
        work = Work(assignment, arguments, box, os.path.join(private, 'own'))
        os.mkdir(work.private, 0o700)
        prepare(work)
        results = grade(work, chosen, print if arguments.json != 'gradescope' else lambda line: None)
    if arguments.json:
        print((gradescope if arguments.json == 'gradescope' else autolab)(work, results))
    if arguments.leaderboard and work.entry is not None:
        add_entry(arguments.leaderboard, arguments.student.replace('\n', ' '), work.entry[1])
    return 0 if not any(result[2] for result in results) else 1
