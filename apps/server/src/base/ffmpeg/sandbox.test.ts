import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
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

  it('writes only to its own temporary folder, which no other process sees', async () => {
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

  it('that does not exist ends like one that failed', async () => {
    const { code } = await run('/usr/bin/no-such-program', []);

    expect(code).not.toBe(0);
  });
});
