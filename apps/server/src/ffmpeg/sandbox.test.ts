import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { addMission } from '../../test/missions.ts';
import { testServer } from '../../test/server.ts';
import { findSandbox, type Sandbox } from './sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await findSandbox('auto');
});

const limits = { memoryBytes: 2 ** 30, wallMs: 10_000 };

async function run(program: string, args: string[], own = limits) {
  const child = sandbox.start(program, args, own);
  child.stdin.end();
  let text = '';
  for await (const bytes of child.stdout) text += String(bytes);
  return { text, ...(await child.finished) };
}

const p95Of = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)]!;

const shell = (script: string) => run('/usr/bin/dash', ['-c', script]);
const perl = (script: string, own = limits) => run('/usr/bin/perl', ['-e', script], own);

describe.skipIf(!existsSync('/usr/bin/bwrap'))('T-058 a program in the sandbox', () => {
  it('is isolated on this machine', () => {
    expect(sandbox.isolated).toBe(true);
  });

  it('reaches no socket of this machine', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    let reached = 0;
    server.on('connection', () => {
      reached += 1;
    });

    const { text } = await perl(
      `use IO::Socket::INET; print IO::Socket::INET->new(PeerAddr=>'127.0.0.1:${port}',Timeout=>2) ? 'open' : 'closed'`,
    );
    await new Promise((resolve) => server.close(resolve));

    expect(text).toBe('closed');
    expect(reached).toBe(0);
  });

  it('reads no file of the server, and no account list', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'osprey-secret-'));
    await writeFile(join(folder, 'password'), 'secret', { mode: 0o644 });

    const { text } = await shell(`cat ${folder}/password /etc/passwd /proc/1/environ 2>/dev/null; echo end`);
    await rm(folder, { recursive: true });

    expect(text).toBe('end\n');
  });

  it('writes nowhere but to its own temporary folder, which nobody else sees', async () => {
    const name = `osprey-${process.pid}`;

    const { text } = await shell(
      `for d in / /usr /etc /tmp /dev; do (echo x > $d/${name}) 2>/dev/null && echo "$d"; done; true`,
    );

    expect(text.split('\n').filter(Boolean).sort()).toEqual(expect.arrayContaining(['/tmp']));
    for (const folder of ['/', '/usr', '/etc', '/tmp', '/dev']) expect(existsSync(join(folder, name))).toBe(false);
    expect(text).not.toMatch(/usr|etc/);
  });

  it('sees no environment of the server', async () => {
    const { text } = await shell('env');

    expect(
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split('=')[0])
        .sort(),
    ).toEqual(['LC_ALL', 'PATH', 'PWD']);
  });

  it.skipIf(process.getuid?.() !== 0)('cannot start a thousand processes', async () => {
    const { code, stderr } = await shell('i=0; while [ $i -lt 1000 ]; do sleep 9 & i=$((i+1)); done; exit 0');

    expect(code).not.toBe(0);
    expect(stderr).toContain('fork');
  });
});

describe('isolation that is required', () => {
  it.skipIf(!existsSync('/usr/bin/bwrap'))('isolates where that works', async () => {
    expect((await findSandbox('required')).isolated).toBe(true);
  });

  it('is an error where it does not work, and never a program with limits alone', async () => {
    const probe = { program: '/usr/bin/no-such-program', args: [], memoryBytes: null, folders: [] };

    await expect(findSandbox('required', probe)).rejects.toThrow('Decoders must be isolated, but bwrap does not work');
    expect((await findSandbox('auto', probe)).isolated).toBe(false);
  });
});

describe('T-059 a program with limits', () => {
  it('that loops is killed at its time, with all it started', async () => {
    const { timedOut, signal } = await perl('while (1) {}', { ...limits, wallMs: 300 });

    expect(timedOut).toBe(true);
    expect(signal).toBe('SIGKILL');
  });

  it('that asks for 8 GiB gets none', async () => {
    const { code } = await perl('my $x = "a" x (8 * 1024 * 1024 * 1024); print length $x;');

    expect(code).not.toBe(0);
  });

  it('that crashes ends with a code, and nothing else does', async () => {
    const { code, signal, timedOut } = await perl('kill 11, $$;');

    expect(code === 0 && signal === null).toBe(false);
    expect(timedOut).toBe(false);
  });

  it('that loops, or fills its memory, leaves the API as fast as it was', { timeout: 120_000 }, async () => {
    const { db, listen, headersOf } = await testServer();
    for (let n = 0; n < 50; n++) await addMission(db, { state: 'Ready' });
    const address = await listen();
    const called = async (times: number) => {
      const took: number[] = [];
      for (let n = 0; n < times; n++) {
        const begun = performance.now();
        const answer = await fetch(`${address}/api/missions/brief`, { headers: headersOf('SA') });
        expect(await answer.json()).toHaveLength(50);
        took.push(performance.now() - begun);
      }
      return took;
    };
    const programs = ['while (1) {}', 'my @x; push @x, "a" x 1048576 while 1;', 'while (1) {}'];
    // As the worker starts them, which gives way to the API (compose/child.ts).
    const begin = (script: string) =>
      sandbox.start('/usr/bin/nice', ['-n', '5', '/usr/bin/perl', '-e', script], { ...limits, wallMs: 60_000 });
    const [alone, beside]: [number[], number[]] = [[], []];
    await called(10);

    // In turns, so that whatever else runs on this machine is in both.
    for (let round = 0; round < 4; round++) {
      alone.push(...(await called(15)));
      const running = programs.map(begin);
      beside.push(...(await called(15)));
      for (const { kill, stdin, stdout } of running) {
        stdout.resume();
        stdin.end();
        kill();
      }
      await Promise.all(running.map(({ finished }) => finished));
    }

    // Three times as long as without them where the machine is too busy for the figure itself.
    expect(p95Of(beside)).toBeLessThan(Math.max(300, 3 * p95Of(alone)));
  });

  it('that does not exist ends like one that failed', async () => {
    const { code } = await run('/usr/bin/no-such-program', []);

    expect(code).not.toBe(0);
  });
});
