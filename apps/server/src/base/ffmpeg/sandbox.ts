import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';

const BWRAP = '/usr/bin/bwrap';
const PRLIMIT = '/usr/bin/prlimit';
/**
 * Account of decoders when the server runs as root, since a limit on the number of processes does not apply to root.
 */
const NOBODY = 65_534;
/** Maximum number of processes. A decoder has about ten threads, and the limit counts all processes of its account. */
const PROCESSES_MAX = 128;
const PROBE_MS = 15_000;
const STDERR_MAX = 8192;
/** Interval between checks of a program's memory, in milliseconds. */
const WATCH_MS = 50;
const PAGE_BYTES = 4096;

export type SandboxLimits = {
  /**
   * Limit of the address space. Null for programs that reserve far more than they use, which need `residentBytes`
   * instead.
   */
  memoryBytes: number | null;
  /**
   * Limit of the memory actually used, monitored from outside. When it is exceeded, the whole process group is killed.
   */
  residentBytes?: number;
  /** Limit of the elapsed time, after which the whole process group is killed. */
  wallMs: number;
};

/** Files that a program may see in addition to /usr. */
export type SandboxView = {
  /** Directories of this server's code, mounted read-only under their own paths. */
  folders?: readonly string[];
  /** An open file, handed on as descriptor 3. */
  file?: number;
  /** Allows access to this machine's network, for programs that receive from an address that has been checked. */
  network?: boolean;
};

export type Finished = {
  code: number | null;
  signal: NodeJS.Signals | null;
  timedOut: boolean;
  tooLarge: boolean;
  stderr: string;
};

export type Sandboxed = {
  stdin: NonNullable<ChildProcess['stdin']>;
  stdout: NonNullable<ChildProcess['stdout']>;
  /** Settles when the program has ended and its pipes are closed. Never rejects because of the program's result. */
  finished: Promise<Finished>;
  kill: () => void;
};

export type Sandbox = {
  /** False if no working bwrap was found; decoders then run only with resource limits. */
  isolated: boolean;
  /**
   * Starts a program with an argument list, never through a shell. It sees only /usr and its own /tmp of the file
   * system, and no network unless requested.
   */
  start: (program: string, args: readonly string[], limits: SandboxLimits, view?: SandboxView) => Sandboxed;
};

const isolation = (folders: readonly string[], network: boolean): string[] => [
  '--unshare-all',
  ...(network ? ['--share-net'] : []),
  '--die-with-parent',
  '--new-session',
  ...['--cap-drop', 'ALL'],
  ...['--ro-bind', '/usr', '/usr'],
  ...['--ro-bind-try', '/etc/alternatives', '/etc/alternatives'],
  ...['--symlink', 'usr/lib', '/lib'],
  ...['--symlink', 'usr/lib64', '/lib64'],
  ...['--symlink', 'usr/bin', '/bin'],
  ...['--dev', '/dev'],
  ...['--tmpfs', '/tmp'],
  ...folders.flatMap((folder) => ['--ro-bind', folder, folder]),
  ...['--remount-ro', '/dev'],
  ...['--remount-ro', '/'],
  ...['--chdir', '/tmp'],
  '--clearenv',
  ...['--setenv', 'PATH', '/usr/bin'],
  ...['--setenv', 'LC_ALL', 'C.UTF-8'],
  '--',
];

type Way = { isolated: boolean; account: { uid: number; gid: number } | Record<string, never> };

/**
 * Finds the best isolation that works on this machine: bwrap as the account nobody, bwrap as the server's own account,
 * or only resource limits.
 *
 * @throws Error when it is `required` and bwrap does not work
 */
export async function findSandbox(mode: 'auto' | 'required', probe: Probe = TRUE): Promise<Sandbox> {
  const isRoot = process.getuid?.() === 0;
  const nobody = { uid: NOBODY, gid: NOBODY };
  const ways: Way[] = [
    ...(isRoot ? [{ isolated: true, account: nobody }] : []),
    { isolated: true, account: {} },
    ...(isRoot ? [{ isolated: false, account: nobody }] : []),
  ];
  for (const way of ways) {
    const sandbox = makeSandbox(way);
    if (mode === 'required' && !way.isolated) continue;
    if (way.isolated && !existsSync(BWRAP)) continue;
    if (await works(sandbox, probe)) return sandbox;
  }
  if (mode === 'required') {
    throw new Error(
      'Decoders must be isolated, but bwrap does not work here: install bubblewrap, or allow user namespaces',
    );
  }
  return makeSandbox({ isolated: false, account: {} });
}

/** A test program that ends with exit code 0 if the sandbox can run it at all. */
export type Probe = {
  program: string;
  args: readonly string[];
  memoryBytes: number | null;
  folders: readonly string[];
};
const TRUE: Probe = { program: '/usr/bin/true', args: [], memoryBytes: 2 ** 30, folders: [] };

async function works(sandbox: Sandbox, { program, args, memoryBytes, folders }: Probe): Promise<boolean> {
  const probe = sandbox.start(program, args, { memoryBytes, wallMs: PROBE_MS }, { folders });
  probe.stdout.resume();
  probe.stdin.end();
  return (await probe.finished).code === 0;
}

function makeSandbox({ isolated, account }: Way): Sandbox {
  return {
    isolated,
    start(program, args, { memoryBytes, residentBytes, wallMs }, { folders = [], file, network = false } = {}) {
      const space = memoryBytes === null ? [] : [`--as=${memoryBytes}`];
      const limits = [...space, `--nproc=${PROCESSES_MAX}`, '--core=0', '--nofile=64'];
      const limited = [PRLIMIT, ...limits, '--', program, ...args];
      const [command = '', ...rest] = isolated ? [BWRAP, ...isolation(folders, network), ...limited] : limited;
      const child = spawn(command, rest, {
        ...account,
        cwd: '/',
        env: { PATH: '/usr/bin', LC_ALL: 'C.UTF-8' },
        stdio: ['pipe', 'pipe', 'pipe', ...(file === undefined ? [] : [file])],
        // The process gets its own group, so that all its processes can be killed together.
        detached: true,
      });
      return watch(child, wallMs, residentBytes);
    },
  };
}

function watch(child: ChildProcess, wallMs: number, residentBytes: number | undefined): Sandboxed {
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('A decoder was started without pipes');
  let timedOut = false;
  let tooLarge = false;
  let failure: Error | null = null;
  let output = '';

  const kill = () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL');
    }
  };
  const clock = setTimeout(() => {
    timedOut = true;
    kill();
  }, wallMs);
  const scales = setInterval(() => {
    if (residentBytes !== undefined && child.pid !== undefined && residentOf(child.pid) > residentBytes) {
      tooLarge = true;
      kill();
    }
  }, WATCH_MS);
  // A decoder that needs no more input closes the pipe, which is not an error.
  stdin.on('error', () => {});
  stderr.on('data', (bytes: Buffer) => {
    output = (output + bytes.toString('utf8')).slice(-STDERR_MAX);
  });
  child.on('error', (error) => {
    failure = error;
  });

  async function end(): Promise<Finished> {
    try {
      const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
      return { code, signal, timedOut, tooLarge, stderr: output };
    } catch {
      return { code: null, signal: null, timedOut, tooLarge, stderr: String(failure) };
    } finally {
      clearTimeout(clock);
      clearInterval(scales);
    }
  }
  return { stdin, stdout, finished: end(), kill };
}

/** Returns the resident memory of a process and its descendants, in bytes; 0 if the process is gone. */
function residentOf(pid: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const below = children === '' ? [] : children.split(' ').map(Number);
    return below.reduce((sum, child) => sum + residentOf(child), pages * PAGE_BYTES);
  } catch {
    return 0;
  }
}
