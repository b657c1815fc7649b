import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';

const BWRAP = '/usr/bin/bwrap';
const PRLIMIT = '/usr/bin/prlimit';
/** Account of the decoders when the server runs as root: a limit on processes does not bind root. */
const NOBODY = 65_534;
/** A decoder has some ten threads. The limit counts all processes of its account. */
const PROCESSES_MAX = 128;
const PROBE_MS = 15_000;
const STDERR_MAX = 8192;
/** Between two looks at the memory of a program. */
const WATCH_MS = 50;
const PAGE_BYTES = 4096;

export type SandboxLimits = {
  /** Address space; null for programs that reserve far more than they use: those need `residentBytes`. */
  memoryBytes: number | null;
  /** Memory that is really used, watched from outside: beyond it everything is killed. */
  residentBytes?: number;
  /** Wall time, after which everything is killed. */
  wallMs: number;
};

/** Files that a program may see besides /usr. */
export type SandboxView = {
  /** Folders of our own code, read-only under their own names. */
  folders?: readonly string[];
  /** An open file, handed on as descriptor 3. */
  file?: number;
  /** The network of this machine: for programs that receive from an address which was checked before. */
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
  /** Settles when the program has ended and its pipes are closed; never rejects for what the program did. */
  finished: Promise<Finished>;
  kill: () => void;
};

export type Sandbox = {
  /** False: there is no bwrap that works here, and decoders only have their limits. */
  isolated: boolean;
  /**
   * Starts a program with an argument list, never through a shell: of the disk it sees only /usr and its own /tmp, and
   * no network unless asked for.
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
 * The best isolation that works on this machine: bwrap with the account nobody, bwrap with our account, or limits
 * alone.
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

/** A program that ends with exit code 0 where the sandbox can run it at all. */
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
        // A group of its own, so that all of it is killed together.
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
  let said = '';

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
  // A decoder that has seen enough closes its end; that is no failure of ours.
  stdin.on('error', () => {});
  stderr.on('data', (bytes: Buffer) => {
    said = (said + bytes.toString('utf8')).slice(-STDERR_MAX);
  });
  child.on('error', (error) => {
    failure = error;
  });

  async function end(): Promise<Finished> {
    try {
      const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
      return { code, signal, timedOut, tooLarge, stderr: said };
    } catch {
      return { code: null, signal: null, timedOut, tooLarge, stderr: String(failure) };
    } finally {
      clearTimeout(clock);
      clearInterval(scales);
    }
  }
  return { stdin, stdout, finished: end(), kill };
}

/** Sums the resident memory of a process and its descendants, bytes; 0 once the process is gone. */
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
