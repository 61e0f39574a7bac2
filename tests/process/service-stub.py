#!/usr/bin/env python3
# service-stub.py - stands for aws, gcloud, kubectl, the commands of HTCondor, and shutdown
#
# The scripts of docs/examples call it by the names of these commands. It takes exactly the
# arguments that these scripts give, and starts the commands of "machines" as processes of this
# machine. $STUB is its folder. $STUB/wrong has a line for each call that it refused. With
# $STUB_FULL the service has no machine.
#
# SPDX-License-Identifier: Apache-2.0
import base64
import json
import os
import re
import signal
import subprocess
import sys
import time

FOLDER = os.environ['STUB']
COMMAND, ARGUMENTS = os.path.basename(sys.argv[0]), sys.argv[1:]
NAME = re.compile(r'satin-[0-9a-f]{8}-[0-9]+')


def refuse(why):
    with open(f'{FOLDER}/wrong', 'a') as file:
        file.write(f'{why}: {COMMAND} {ARGUMENTS}\n')
    sys.exit(64)


def want(is_right, why):
    if not is_right:
        refuse(why)


def want_full(text, status=1):
    if os.environ.get('STUB_FULL'):
        print(text, file=sys.stderr)
        sys.exit(status)


def options(words, known, flags=()):
    """The values of options "--name value" and "--name=value"; others are refused."""
    found, words = {}, list(words)
    while words:
        name, equals, value = words.pop(0).partition('=')
        if name in flags and not equals:
            found[name] = ''
            continue
        want(name in known, f'{name} is unknown')
        if not equals:
            values = []
            while words and not words[0].startswith('--'):
                values.append(words.pop(0))
            value = ' '.join(values)
        found[name] = value
    return found


# ---- machines ----


def start(name, command, cwd=None):
    """Starts a machine: the command in a session of its own, and a file with its process number."""
    want(NAME.fullmatch(name), 'the name is wrong')
    want(not os.path.exists(f'{FOLDER}/{name}'), 'the machine is there')
    with open(f'{FOLDER}/{name}.log', 'w') as log:
        path = f'{FOLDER}/bin:' + os.environ['PATH']
        machine = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   start_new_session=True, env={**os.environ, 'PATH': path})
    with open(f'{FOLDER}/{name}.new', 'w') as file:
        file.write(str(machine.pid))
    os.rename(f'{FOLDER}/{name}.new', f'{FOLDER}/{name}')


def pid_of(name):
    with open(f'{FOLDER}/{name}') as file:
        return int(file.read())


def is_alive(name):
    try:
        with open(f'/proc/{pid_of(name)}/stat') as file:
            return file.read().rpartition(')')[2].split()[0] not in 'ZX'
    except FileNotFoundError:
        return False


def machines():
    return [name for name in sorted(os.listdir(FOLDER)) if NAME.fullmatch(name)]


def has_processes(name):
    """Whether a process of the machine lives, also if its first one has ended."""
    try:
        os.killpg(pid_of(name), 0)
    except ProcessLookupError:
        return False
    return True


def stop(name, left=5.0):
    """Sends SIGTERM to a machine, and SIGKILL if processes are left after @left seconds."""
    for number in signal.SIGTERM, signal.SIGKILL:
        try:
            os.killpg(pid_of(name), number)
        except ProcessLookupError:
            break
        until = time.time() + left
        while number == signal.SIGTERM and has_processes(name) and time.time() < until:
            time.sleep(0.05)
    os.remove(f'{FOLDER}/{name}')


# ---- EC2 ----


def aws():
    want(ARGUMENTS[:1] == ['ec2'], 'only ec2 is here')
    verb = ARGUMENTS[1]
    found = options(ARGUMENTS[2:], {
        'run-instances': {'--output', '--query', '--client-token', '--image-id', '--instance-type', '--count',
                          '--instance-market-options', '--instance-initiated-shutdown-behavior',
                          '--tag-specifications', '--user-data', '--subnet-id'},
        'describe-instances': {'--output', '--query', '--filters'},
        'terminate-instances': {'--output', '--query', '--instance-ids'}}.get(verb, set()))
    want(found.get('--output') == 'text', 'the output is not text')
    if verb == 'run-instances':
        name = found['--client-token']
        want(found['--instance-market-options'] == 'MarketType=spot' and found['--count'] == '1', 'no spot machine')
        want(found['--instance-initiated-shutdown-behavior'] == 'terminate', 'it would never end')
        want(found['--image-id'] == 'ami-1' and found['--instance-type'] == 't', 'another image')
        want(found['--tag-specifications']
             == f'ResourceType=instance,Tags=[{{Key=Name,Value={name}}},{{Key=satin,Value=machine}}]', 'wrong tags')
        want(found['--user-data'].startswith('file://'), 'no file')
        want_full('\nAn error occurred (InsufficientInstanceCapacity)')
        data = read(found['--user-data'][7:])
        want(len(data) <= 16384 and data.startswith('#!'), 'EC2 takes at most 16 KiB')
        start(name, ['sh', '-c', data])
        print('i-' + name)
    elif verb == 'describe-instances':
        filters = dict(re.fullmatch(r'Name=([^,]+),Values=(.*)', text).groups() for text in found['--filters'].split())
        states = filters['instance-state-name'].split(',')
        want(set(states) <= {'pending', 'running', 'stopping', 'stopped'}, 'a state is unknown')
        names = [name for name in machines() if is_alive(name)]
        if 'tag:Name' in filters:
            want(found['--query'] == 'Reservations[].Instances[].InstanceId', 'another query')
            print('\t'.join('i-' + name for name in names if name == filters['tag:Name']))
        else:
            want(filters['tag:satin'] == 'machine', 'another tag')
            want(found['--query'] == 'Reservations[].Instances[].[Tags[?Key==`Name`].Value|[0]]', 'another query')
            print('\n'.join(names))
    else:
        want(verb == 'terminate-instances', 'an unknown verb')
        for identifier in found['--instance-ids'].split():
            stop(identifier[2:])
            print(identifier)


# ---- GCP ----


def gcloud():
    want(ARGUMENTS[:2] == ['compute', 'instances'], 'only instances are here')
    verb, words = ARGUMENTS[2], ARGUMENTS[3:]
    name = words.pop(0) if verb in ('create', 'delete') else ''
    found = options(words, {
        'create': {'--zone', '--image', '--machine-type', '--provisioning-model', '--instance-termination-action',
                   '--labels', '--metadata-from-file', '--network'},
        'list': {'--format', '--filter'}, 'delete': {'--zone'}}.get(verb, set()), {'--quiet'})
    want('--quiet' in found, 'it would ask')
    if verb == 'create':
        want(re.fullmatch('[a-z]([-a-z0-9]{0,61}[a-z0-9])?', name), 'GCP takes no such name')
        want((found['--provisioning-model'], found['--instance-termination-action']) == ('SPOT', 'DELETE'), 'no spot')
        want((found['--zone'], found['--image'], found['--machine-type'], found['--labels'])
             == ('z', 'ami-1', 't', 'satin=machine'), 'another machine')
        key, _, path = found['--metadata-from-file'].partition('=')
        want(key == 'startup-script', 'no startup script')
        want_full('ERROR: ZONE_RESOURCE_POOL_EXHAUSTED')
        start(name, ['sh', '-c', read(path)])
    elif verb == 'list':
        want(found['--format'] == 'value(name)', 'another format')
        if found['--filter'].startswith('name='):
            print('\n'.join(name for name in machines() if name == found['--filter'][5:]))
        else:
            want(found['--filter'] == 'labels.satin=machine AND status:(PROVISIONING STAGING RUNNING)', 'another filter')
            print('\n'.join(name for name in machines() if is_alive(name)))
    else:
        want(verb == 'delete' and found['--zone'] == 'z' and name in machines(), 'nothing to delete')
        stop(name)


# ---- Kubernetes ----


def create_pod():
    items = json.load(sys.stdin)['items']
    secret, pod = items
    name, spec = pod['metadata']['name'], pod['spec']
    container = spec['containers'][0]
    want((secret['kind'], pod['kind'], secret['metadata']['name']) == ('Secret', 'Pod', name), 'other things')
    want(pod['metadata']['labels'] == {'app': 'satin'} and spec['restartPolicy'] == 'Never', 'another pod')
    want(spec['volumes'][0]['secret']['secretName'] == name and container['image'] == 'ami-1', 'another pod')
    place = f'{FOLDER}/{name}.secret'
    os.mkdir(place, 0o700)
    with open(f'{place}/secret', 'wb') as file:
        file.write(base64.b64decode(secret['data']['secret'], validate=True))
    mount = container['volumeMounts'][0]['mountPath']
    start(name, [word.replace(f'{mount}/secret', f'{place}/secret') for word in container['command']])


def kubectl():
    verb = ARGUMENTS[0]
    if verb == 'create':
        want(ARGUMENTS == ['create', '-f', '-'], 'other words')
        create_pod()
    elif verb == 'wait':
        want(ARGUMENTS[1:3] == ["--for=jsonpath={.status.phase}=Running", '--timeout=8m'], 'other words')
        want_full('error: timed out')
        want(ARGUMENTS[3].removeprefix('pod/') in machines(), 'no such pod')
    elif verb == 'get':
        want(ARGUMENTS[1:5] == ['pods', '-l', 'app=satin', '-o'] and ARGUMENTS[5].startswith('jsonpath={range'), 'other words')
        for name in machines():
            print(f'{name} Running  ' if is_alive(name) else f'{name} Succeeded 0 ')
    else:
        want(verb == 'delete' and ARGUMENTS[3] == '--ignore-not-found', 'other words')
        name = ARGUMENTS[1].removeprefix('pod/')
        left = re.fullmatch('--grace-period=([1-9][0-9]*)', ARGUMENTS[4])
        want(ARGUMENTS[2] == f'secret/{name}' and left, 'other words')
        if name in machines():
            stop(name, int(left[1]))


# ---- HTCondor ----


def condor_submit():
    want(ARGUMENTS[0] == '-terse', 'it says too much')
    lines = [line.partition('=') for line in read(ARGUMENTS[1]).splitlines() if line not in ('', 'queue')]
    job = {key.strip(): value.strip() for key, _, value in lines}
    want(job['universe'] == 'vanilla' and job['kill_sig'] == 'SIGTERM' and job['requirements'] == 'true', 'another job')
    want_full('ERROR: no schedd')
    name = job['+SatinMachine'].strip('"')
    place = f'{FOLDER}/{name}.scratch'
    os.mkdir(place, 0o700)
    for path, target in (job['transfer_input_files'], 'secret'), (job['executable'], 'job'):
        subprocess.run(['cp', '-p', path, f'{place}/{target}'], check=True)
    start(name, ['./job'], place)
    print('1.0 - 1.0')


def one_name(constraint):
    found = re.fullmatch('SatinMachine == "(.*)"', constraint)
    want(found, 'another constraint')
    return found[1]


def condor_q():
    want(ARGUMENTS[0] == '-constraint' and ARGUMENTS[2] == '-af', 'other words')
    if ARGUMENTS[3] == 'JobStatus':
        name = one_name(ARGUMENTS[1])
        print('2' if name in machines() and is_alive(name) else '', end='')
    else:
        want(ARGUMENTS[1] == 'SatinMachine =!= undefined && JobStatus == 2', 'another constraint')
        print('\n'.join(name for name in machines() if is_alive(name)))


def condor_rm():
    want(ARGUMENTS[0] == '-constraint', 'other words')
    stop(one_name(ARGUMENTS[1]))


def read(path):
    with open(path) as file:
        return file.read()


try:
    {'aws': aws, 'gcloud': gcloud, 'kubectl': kubectl, 'condor_submit': condor_submit, 'condor_q': condor_q,
     'condor_rm': condor_rm, 'shutdown': lambda: None}[COMMAND]()
except (KeyError, IndexError, AttributeError, ValueError) as error:
    refuse(repr(error))
