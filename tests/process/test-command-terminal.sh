# test-command-terminal.sh - satin run at a terminal: the line of progress, Ctrl-C as a key
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

# at_terminal KEYS COMMAND...: runs it at a new terminal of 100 columns, presses KEYS when the first
# progress line is there, leaves what the terminal got in out; sets status.
at_terminal() {
  timeout -k 5 30 python3 - "$@" >out 2>err <<'END'
import fcntl, os, pty, struct, sys, termios
keys, command = sys.argv[1].encode(), sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    os.execv(command[0], command)
got = b""
while True:
    try:
        chunk = os.read(fd, 4096)
    except OSError:
        break
    if not chunk:
        break
    got += chunk
    if keys and b"jobs/s" in got:
        os.write(fd, keys)
        keys = b""
sys.stdout.buffer.write(got)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
  status=$?
}

# last_is TEXT: the terminal shows that and no rest of a progress line.
last_is() {
  [ "$(tr -d '\r' <out | sed 's/.*\x1b\[K//' | tail -n 1)" = "$1" ]
}

at_terminal "" "$satin" run -n 2 fib 24
check "a short run shows its result alone" last_is "fib(24) = 46368"
at_terminal "" "$satin" run -n 2 --quiet "$node" exit 4
check "the exit status is the program's at a terminal too" is_status 4
at_terminal $'\003' "$satin" run -n 2 "$node" forever
check "Ctrl-C ends it with status 130" is_status 130
progress_shown() { grep -q 'satin: 2 nodes .* jobs/s .* steals  0:0' out; }
check "the line shows nodes, rate, steals and time" progress_shown
check "the line is gone at the end" last_is "satin: stopped by signal 2 (Interrupt)"
check "nothing is left" nothing_left
run "$satin" run -n 2 "$node" exit 0
check "there is no line without a terminal" test ! -s err
finish
