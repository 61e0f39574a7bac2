#!/usr/bin/env python3
# test-course.py - graders give right solutions all points, and wrong solutions the points in cases.py
#
#   test-course.py right ASSIGNMENT    the reference, and the files to begin with
#   test-course.py wrong ASSIGNMENT    wrong solutions, each a change of the reference
#   test-course.py load ASSIGNMENT     three graders at once under load, for the reference and a wrong
#                                      solution
#   test-course.py attacks             programs that cheat
#   test-course.py forms               satin course, and the forms in which points are printed
#
# SPDX-License-Identifier: Apache-2.0
import concurrent.futures
import contextlib
import importlib.util
import json
import os
import random
import re
import shutil
import socket
import stat
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SATIN = os.environ['SATIN_TEST_COMMAND']
COURSE = os.environ['SATIN_COURSE_DIR']
sys.dont_write_bytecode = True


def load_module(path):
    spec = importlib.util.spec_from_file_location('cases', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Tap:
    def __init__(self):
        self.n_cases = 0

    def case(self, name, offence=''):
        self.n_cases += 1
        print(f'{"not ok" if offence else "ok"} {self.n_cases} {name}', flush=True)
        for line in str(offence).splitlines():
            print(f'# {line}', flush=True)


def read_reference(assignment):
    path = os.path.join(HERE, assignment, 'reference.c')
    with open(path, encoding='utf-8') as file:
        return file.read()


def change(text, edits):
    for old, new in edits:
        if text.count(old) != 1:
            raise ValueError(f'{old} is there {text.count(old)} times')
        text = text.replace(old, new)
    return text


class Desk:
    """A folder in which solutions are written and graded."""

    def __init__(self, assignment, folder):
        self.assignment = assignment
        self.folder = folder
        self.cases = load_module(os.path.join(HERE, assignment, 'cases.py'))
        self.reference = read_reference(assignment)

    def write(self, text):
        with open(os.path.join(self.folder, self.cases.FILE), 'w', encoding='utf-8') as file:
            file.write(text)

    def grade(self, *options, seconds=900):
        """Returns: all output of the grader"""
        run = subprocess.run([SATIN, 'course', 'grade', self.assignment, self.folder, *options], capture_output=True,
                             text=True, timeout=seconds, check=False)
        return run.stdout + run.stderr

    def points(self, *options):
        """Returns: for each check its points and the most that it gives; and the output"""
        output = self.grade(*options)
        found = re.findall(r'^(?:not )?ok \d+ - ([\w-]+): .*\((\d+) of (\d+) points\)$', output, re.M)
        return {name: (int(points), int(most)) for name, points, most in found}, output

    def judge(self, wanted, *options):
        """Returns: what is wrong with the points, or ''. wanted: the points of checks that do not get all"""
        points, output = self.points(*options)
        offences = [f'{name} has {got} points, not {wanted.get(name, most)}'
                    for name, (got, most) in points.items() if got != wanted.get(name, most)]
        if not points or not set(wanted) <= set(points):
            offences.append('checks are missing')
        return '\n'.join([*offences, output]) if offences else ''


def test_right(tap, desk):
    desk.write(desk.reference)
    quick = getattr(desk.cases, 'QUICK', [])
    for name in quick:
        tap.case(f'the reference gets all points of {name}', desk.judge({}, '--only', name))
    if quick:
        return
    tap.case('the reference gets all points', desk.judge({}))
    test_start(tap, desk)


def test_start(tap, desk):
    shutil.copy(os.path.join(COURSE, desk.assignment, 'start', desk.cases.FILE), desk.folder)
    points, output = desk.points()
    total = sum(got for got, _ in points.values())
    tap.case(f'the files to begin with get {desk.cases.START} points',
             output if not points or total != desk.cases.START else '')


def test_wrong(tap, desk):
    for name, (edits, wanted) in desk.cases.WRONG.items():
        desk.write(change(desk.reference, edits))
        tap.case(name, desk.judge(wanted))
    test_start(tap, desk)
    desk.write(desk.reference)
    secrets = ['', 'one', 'two']
    tap.case('the reference gets all points, for other secrets too',
             '\n'.join(filter(None, (desk.judge({}, '--secret', secret) for secret in secrets))))


@contextlib.contextmanager
def load():
    """Runs four busy loops while the with block runs."""
    loops = [subprocess.Popen([sys.executable, '-c', 'while True: pass']) for _ in range(4)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def test_load(tap, desk):
    name, (edits, wanted) = list(desk.cases.WRONG.items())[-1]
    with load(), concurrent.futures.ThreadPoolExecutor(3) as pool:
        for what, text, points in ('the reference', desk.reference, {}), (name, change(desk.reference, edits), wanted):
            desk.write(text)
            for i, offence in enumerate(pool.map(desk.judge, [points] * 3)):
                tap.case(f'under load, grader {i + 1} of 3: {what}', offence)


def is_running(name):
    for pid in filter(str.isdigit, os.listdir('/proc')):
        with contextlib.suppress(OSError), open(f'/proc/{pid}/comm', encoding='utf-8', errors='replace') as file:
            if file.read().strip() == name:
                return True
    return False


def attack(desk, mark, code, *options, place=''):
    """Grades the reference with the code of attacks.py at the beginning of main(). Returns: the output"""
    attacks = load_module(os.path.join(HERE, 'attacks.py'))
    code = getattr(attacks, code).replace('MARK', mark).replace('PLACE', place)
    desk.write(change(desk.reference, [('int\nmain (int argc, char **argv)\n{\n',
                                        f'{attacks.HEADERS}\nint\nmain (int argc, char **argv)\n{{\n{code}')]))
    return desk.grade('--only', 'alone', *options)


def gets_nothing(output, *wanted):
    """Returns: '' if the output has only lines of the grader, gives no points, and has each wanted text"""
    own = [line for line in output.splitlines() if not line.startswith('#')]
    is_right = own == ['1..1', 'not ok 1 - alone: the same answers as plain.c, with one worker (0 of 15 points)']
    is_right = is_right and output.count('\n# points: 0 of 15\n') == 1
    return '' if is_right and all(text in output for text in wanted) else output


def test_attacks(tap, desk):
    mark = str(random.randrange(10 ** 6, 10 ** 7))
    tap.case('output that looks like points is no points', gets_nothing(attack(desk, mark, 'FAKE_TAP')))
    tap.case('an early end with status 0 is no points', gets_nothing(attack(desk, mark, 'EXIT_EARLY')))
    output = attack(desk, mark, 'KILL_GRADER')
    tap.case('the grader cannot be killed', '' if output.rstrip().endswith('points: 15 of 15') else output)
    output = attack(desk, mark, 'DAEMON')
    tap.case('a daemon ends with the program', '' if 'points' in output and not is_running(f'course-{mark}') else output)
    output = attack(desk, mark, 'READ_SECRET', '--secret', f'hidden-{mark}')
    tap.case('the secret is nowhere', gets_nothing(output, 'found 0 times'))
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o777)
        output = attack(desk, mark, 'WRITE_OUTSIDE', place=place)
        left = [path for path in ('/tmp', '/var/tmp', '/dev/shm', '/usr', place) if os.path.exists(f'{path}/course-{mark}')]
    tap.case('nothing is written outside its folder', '' if 'points: 15 of 15' in output and not left else f'{left} {output}')
    with socket.create_server(('127.0.0.1', 0)) as server:
        server.settimeout(0.5)
        attacks = load_module(os.path.join(HERE, 'attacks.py'))
        desk.write(change(desk.reference, [('int\nmain (int argc, char **argv)\n{\n', attacks.HEADERS
                                            + 'int\nmain (int argc, char **argv)\n{\n'
                                            + attacks.CONNECT.replace('PORT', str(server.getsockname()[1])))]))
        output = desk.grade('--only', 'alone')
        with contextlib.suppress(TimeoutError):
            server.accept()
            output += '\nit reached the network'
    tap.case('there is no network', '' if output.rstrip().endswith('points: 15 of 15') else output)
    tap.case('output has a limit', gets_nothing(attack(desk, mark, 'FLOOD'), 'more than 1 MiB'))
    tap.case('memory has a limit', gets_nothing(attack(desk, mark, 'TAKE_MEMORY')))
    output = attack(desk, mark, 'FORK')
    n_children = re.search(r'"(\d+) children"', output)
    tap.case('processes have a limit', gets_nothing(output) or ('' if n_children and int(n_children[1]) < 500 else output))
    test_links(tap, desk)


def test_links(tap, desk):
    path = os.path.join(desk.folder, desk.cases.FILE)
    os.remove(path)
    os.symlink('/etc/passwd', path)
    output = desk.grade()
    tap.case('a link is not followed', '' if 'Too many levels of symbolic links' in output and 'points' not in output else output)
    os.remove(path)
    os.mkfifo(path)
    output = desk.grade(seconds=60)
    tap.case('a pipe is not read', '' if 'is no file' in output else output)
    os.remove(path)


def satin(*words, folder=None):
    run = subprocess.run([SATIN, 'course', *words], capture_output=True, text=True, timeout=300, check=False, cwd=folder)
    return run.returncode, run.stdout, run.stderr


def test_home(tap, desk):
    """A command in ~/bin does not bring the home into the sandbox."""
    home = os.path.join(desk.folder, 'home')
    for folder in ('bin', 'lib/satin', 'private'):
        os.makedirs(os.path.join(home, folder))
    command = os.path.join(home, 'bin', 'satin')
    shutil.copy(SATIN, command)
    sys.path.insert(0, COURSE)
    import sandbox # pylint: disable=import-outside-toplevel
    found = [path for path in sandbox.needed_folders(command) if path.startswith(os.path.realpath(home))]
    wanted = [os.path.realpath(os.path.join(home, name)) for name in ('bin/satin', 'lib/satin')]
    tap.case("of a command's home, the sandbox has only what is Satin's", '' if found == wanted else found)


def test_forms(tap, desk):
    test_home(tap, desk)
    status, output, _ = satin('list')
    lines = output.splitlines()
    n_assignments = sum(name[:2].isdigit() for name in os.listdir(COURSE))
    tap.case('list names each assignment with its title, kind and hours',
             '' if status == 0 and len(lines) == sum(name[:2].isdigit() for name in os.listdir(COURSE))
             and all(re.search(r'\((Easy|Moderate|Hard|Your choice), \d+ hours\)$', line) for line in lines) else output)
    folder = os.path.join(desk.folder, 'mine')
    status, _, errors = satin('start', '1', folder)
    wanted = {'README.md', 'function.c', 'function.h', 'grade', 'integrate.c', 'plain.c'}
    made = set(os.listdir(folder)) if os.path.isdir(folder) else set()
    tap.case('start copies the page and the files', '' if status == 0 and wanted <= made else f'{made} {errors}')
    tap.case('and ./grade may be executed', '' if os.stat(os.path.join(folder, 'grade')).st_mode & stat.S_IXUSR else 'not so')
    tap.case('start keeps a folder that is there', '' if satin('start', '1', folder)[0] == 2 else 'not so')
    tap.case('an unknown assignment is refused', '' if satin('start', '99', folder + '2')[0] == 2 else 'not so')
    run = subprocess.run(['./grade', '--json', '--only', 'alone'], cwd=folder, capture_output=True, text=True, timeout=120,
                         check=False, env={**os.environ, 'PATH': f'{os.path.dirname(SATIN)}:{os.environ["PATH"]}'})
    form = json.loads(run.stdout)
    tap.case('--json prints a results.json of Gradescope',
             '' if form['score'] == 0 and form['tests'][0]['max_score'] == 15 and form['tests'][0]['status'] == 'failed' else run.stdout)
    desk.write(desk.reference)
    output = desk.grade('--json', 'autolab', '--only', 'alone')
    tap.case("--json autolab prints Autolab's scores in the last line",
             '' if json.loads(output.splitlines()[-1]) == {'scores': {'alone': 15}} else output)
    desk.write(change(desk.reference, [('g_print ("%.12f\\n", integral);', 'g_print ("0\\n");')]))
    outputs = [desk.grade('--only', 'alone', '--secret', secret) for secret in ('one', 'two', 'one')]
    answers = [re.search(r'not "([\d.]+)"', output) for output in outputs]
    values = [answer and answer[1] for answer in answers]
    tap.case('another secret makes other instances, and the same secret the same instances',
             '' if values[0] and values[0] == values[2] != values[1] else '\n'.join(outputs))
    tap.case('the secret and its instances are not in the command that shows a loss',
             '' if './integrate' not in outputs[0] and '=one' not in outputs[0] else outputs[0])
    output = desk.grade('--only', 'alone', '--unsafe')
    tap.case('--unsafe says so', '' if '# unsafe: the program ran without a sandbox' in output else output)


def main():
    mode, assignment = sys.argv[1], (sys.argv[2:] or ['01-integrate'])[0]
    tests = {'right': test_right, 'wrong': test_wrong, 'load': test_load, 'attacks': test_attacks, 'forms': test_forms}
    missing = [program for program in ('bwrap', 'valgrind', 'cc', 'pkg-config') if not shutil.which(program)]
    if missing:
        print(f'1..0 # SKIP {missing[0]} is not installed')
        return 0
    if subprocess.run(['bwrap', '--unshare-all', '--ro-bind', '/', '/', 'true'], check=False).returncode != 0:
        print('1..0 # SKIP bwrap cannot make namespaces here')
        return 0
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix='satin-test-') as folder:
        tests[mode](tap, Desk(assignment, folder))
    print(f'1..{tap.n_cases}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
