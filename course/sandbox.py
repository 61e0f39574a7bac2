# sandbox.py - runs programs of students with limits
#
# A program runs under bwrap: it sees the system's programs and libraries, Satin, and one folder. It
# can write into that folder and into a /tmp of its own, and nowhere else. It has a process
# namespace and a network of its own. Of the grader's environment it gets only paths. Its processor
# time, memory, files and output have limits. When it ends, all processes that it has started end,
# too. TEACHING.md says what that prevents.
#
# Where bwrap cannot make namespaces, a Sandbox must be told that it is_unsafe. Then it uses no
# bwrap: the limits hold, and processes that the program leaves behind are killed, but the program
# sees files and the network. If the grader runs as root, programs run as nobody in both cases.
#
# SPDX-License-Identifier: Apache-2.0
import ctypes
import os
import resource
import selectors
import shutil
import signal
import subprocess
import time

BOX = '/box'
LIBRARIES = ('satin-adapt', 'satin-core', 'satin-ft', 'satin-so') # what programs of students use
MOST_OUTPUT = 1 << 20
MOST_WRITTEN = 64 << 20 # of one file
MOST_PROCESSES = 500
NOBODY = 65534
PR_SET_CHILD_SUBREAPER = 36
SYSTEM = ('/usr', '/bin', '/lib', '/lib64', '/sbin', '/etc/alternatives', '/etc/ld.so.cache', '/etc/ld.so.conf',
          '/etc/ld.so.conf.d')


class Outcome:
    """How a program ended. status: its exit status, or minus the number of the signal that ended it.
    output, errors: what it printed. fault: why the sandbox ended it, or ''."""

    def __init__(self, status, output, errors, fault):
        self.status = status
        self.output = output
        self.errors = errors
        self.fault = fault

    def describe(self):
        """Returns: a line that says what is wrong with the end of the program"""
        if self.fault:
            return self.fault
        if self.status < 0:
            return f'a signal ended it: {signal.strsignal(-self.status)}'
        lines = self.errors.strip().splitlines()
        return f'it ended with status {self.status}' + (f' and said: {quote(lines[-1])}' if lines else '')


def quote(text):
    """The text of a student's program, in a form in which it cannot be taken for the grader's."""
    text = ''.join(sign if sign.isprintable() else '?' for sign in text.rstrip('\n').replace('\n', ' / '))
    return f'"{text[:150]}"' + ('...' if len(text) > 150 else '')


def flags_of(library):
    """The flags of a library of Satin, for the compiler and the linker."""
    run = subprocess.run(['pkg-config', '--cflags', '--libs', library], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f'course: {run.stderr.strip()}\ncourse: install libsatin-dev, or set PKG_CONFIG_PATH')
    return run.stdout.split()


def needed_folders(satin):
    """The files and folders of Satin that are not below /usr: of an installation, or of a build. The
    folder above bin may be somebody's home. So only Satin's own folders are taken from there."""
    satin = os.path.realpath(satin)
    above = os.path.dirname(os.path.dirname(satin))
    folders = [satin, *(os.path.join(above, name) for name in ('lib/satin', 'libexec/satin', 'share/satin'))]
    folders += [os.path.dirname(satin)] if os.path.basename(os.path.dirname(satin)) != 'bin' else []
    for library in LIBRARIES:
        folders += [flag[2:] for flag in flags_of(library) if flag[:2] in ('-I', '-L')]
    for name in ('SATIN_PLUGIN_PATH', 'SATIN_APP_PATH', 'LD_LIBRARY_PATH'):
        folders += os.environ.get(name, '').split(':')
    found = {os.path.realpath(folder) for folder in folders if folder and os.path.exists(folder)}
    return sorted(folder for folder in found if folder != '/' and not (folder + '/').startswith('/usr/'))


def set_limits(seconds, is_root):
    limits = {resource.RLIMIT_CPU: seconds, resource.RLIMIT_FSIZE: MOST_WRITTEN, resource.RLIMIT_DATA: 4 << 30,
              resource.RLIMIT_NOFILE: 1024, resource.RLIMIT_CORE: 0}
    if is_root:
        limits[resource.RLIMIT_NPROC] = MOST_PROCESSES
    for limit, value in limits.items():
        most = resource.getrlimit(limit)[1]
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(limit, (value, value))
    if is_root:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def read_output(process, deadline):
    """Reads both outputs to their ends. Returns: the pieces of each, and what went wrong, or ''"""
    texts, total = {process.stdout: [], process.stderr: []}, 0
    with selectors.DefaultSelector() as selector:
        for stream in texts:
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(max(0, deadline - time.monotonic()))
            if not ready:
                return texts, 'it took too long'
            for key, _ in ready:
                chunk = os.read(key.fd, 65536)
                total += len(chunk)
                texts[key.fileobj].append(chunk)
                if not chunk:
                    selector.unregister(key.fileobj)
            if total > MOST_OUTPUT:
                return texts, 'it printed more than 1 MiB'
    return texts, ''


def kill_children():
    """Kills the processes that a program has left behind. They have become children of this process."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        with open(f'/proc/self/task/{os.getpid()}/children', encoding='ascii') as file:
            children = [int(word) for word in file.read().split()]
        if not children:
            return
        for pid in children:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except (ChildProcessError, ProcessLookupError):
                pass


class Sandbox:
    """Runs programs in a folder, which they see as /box."""

    def __init__(self, folder, satin, is_unsafe):
        self.folder = folder
        self.is_unsafe = is_unsafe
        self.is_root = os.geteuid() == 0
        self.binds = needed_folders(satin)
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        if self.is_root:
            os.chown(folder, NOBODY, NOBODY)
        if not is_unsafe:
            self.check()

    def check(self):
        if not shutil.which('bwrap'):
            raise SystemExit('course: there is no bwrap, in which programs of students run: install bubblewrap, or '
                             'give --unsafe if you trust the program')
        outcome = self.run(['/bin/true'])
        if outcome.status != 0:
            raise SystemExit('course: bwrap cannot make namespaces here: give --unsafe if you trust the program. '
                             + outcome.describe())

    def environment(self, more):
        names = ('SATIN_PLUGIN_PATH', 'SATIN_APP_PATH', 'LD_LIBRARY_PATH', 'PATH')
        kept = {name: os.environ[name] for name in names if name in os.environ}
        place = self.folder if self.is_unsafe else BOX
        return {**kept, 'HOME': place, 'XDG_RUNTIME_DIR': place, 'XDG_STATE_HOME': place, 'LC_ALL': 'C.UTF-8', **more}

    def bwrap(self, words):
        line = ['bwrap', '--unshare-all', '--die-with-parent', '--new-session', '--proc', '/proc', '--dev', '/dev',
                '--tmpfs', '/tmp']
        for path in SYSTEM:
            if os.path.islink(path):
                line += ['--symlink', os.readlink(path), path]
            elif os.path.exists(path):
                line += ['--ro-bind', path, path]
        for path in self.binds:
            line += ['--ro-bind', path, path]
        # prlimit runs inside bwrap: a limit set outside would count all processes of the user.
        limit = ['prlimit', f'--nproc={MOST_PROCESSES}']
        return line + ['--bind', self.folder, BOX, '--chdir', BOX, '--', *limit, *words]

    def start(self, words, standard_input, standard_output, seconds=60, descriptors=()):
        """Starts a program. It inherits the descriptors, with the same numbers. stop() must follow."""
        command = words if self.is_unsafe else self.bwrap(words)
        return subprocess.Popen(command, cwd=self.folder, env=self.environment({}), stdin=standard_input,
                                stdout=standard_output, stderr=subprocess.DEVNULL, start_new_session=True,
                                pass_fds=descriptors,
                                preexec_fn=lambda: set_limits(seconds, self.is_root))

    def stop(self, process):
        """Ends a program that start() has started, with all its processes."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        kill_children()

    def run(self, words, seconds=60, text='', environment=None):
        """Runs a program to its end. seconds: it may run so long, and compute so long. text: its standard input."""
        command = words if self.is_unsafe else self.bwrap(words)
        with subprocess.Popen(command, cwd=self.folder, env=self.environment(environment or {}), stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                              preexec_fn=lambda: set_limits(seconds, self.is_root)) as process:
            try:
                process.stdin.write(text.encode())
                process.stdin.close()
            except BrokenPipeError:
                pass
            texts, fault = read_output(process, time.monotonic() + seconds)
            try:
                if not fault:
                    process.wait(10)
            except subprocess.TimeoutExpired:
                fault = 'it closed its output and did not end'
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        kill_children()
        output, errors = (b''.join(texts[stream]).decode('utf-8', 'replace') for stream in texts)
        status = process.returncode
        # bwrap ends with 128 plus the number of the signal that ended the program. A program may also
        # end with 128, or with a status above those of all signals, by itself.
        if not self.is_unsafe and 128 < status < 128 + signal.NSIG:
            status = 128 - status
        return Outcome(status, output, errors, fault)
