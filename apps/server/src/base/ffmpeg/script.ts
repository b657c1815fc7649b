import { open, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DecoderError, turnstile } from './ffmpeg.ts';
import { findSandbox, type Sandbox } from './sandbox.ts';

/** Limit of the memory actually used (trust.md 4.4). Node cannot start under a limit of its address space. */
const RESIDENT_BYTES = 512 * 1024 * 1024;
const HEAP_MB = 256;
const SCRIPTS_MAX = 2;

const ROOT = resolve(import.meta.dirname, '../../../../..');
const folders = ['node_modules', 'packages', 'apps/server/src'].map((name) => resolve(ROOT, name));

export type ScriptOrder = {
  /** Path of a script of this server. */
  script: string;
  /** Constant arguments; never user input. */
  args: readonly string[];
  /** Storage path of the file to read, which the script finds open as descriptor 3. */
  path: string;
  wallMs: number;
  /** Maximum size of the output; more is an error. */
  maxBytes: number;
};

export type RunScript = (order: ScriptOrder) => Promise<Buffer>;

/**
 * Runs a script of this server on an untrusted file in a short-lived child process without network, with access only to
 * the server's code, and with limits on memory and time. Returns its output. The first call determines which isolation
 * works on this machine.
 *
 * @throws DecoderError when it fails, takes too long or grows too large
 */
export function scriptRunner({ mode }: { mode: 'auto' | 'required' }): RunScript {
  const turn = turnstile(SCRIPTS_MAX);
  let sandbox: Promise<Sandbox> | null = null;

  return ({ script, args, path, wallMs, maxBytes }) =>
    turn(async () => {
      const node = await realpath(process.execPath);
      const view = { folders: [...folders, dirname(node)] };
      const probe = { program: node, args: ['-e', ''], memoryBytes: null, folders: view.folders };
      sandbox ??= findSandbox(mode, probe);
      const found = await sandbox;
      const file = await open(path, 'r');
      try {
        const options = [`--max-old-space-size=${HEAP_MB}`, '--disable-warning=ExperimentalWarning'];
        const limits = { memoryBytes: null, residentBytes: RESIDENT_BYTES, wallMs };
        const child = found.start(node, [...options, script, ...args], limits, { ...view, file: file.fd });
        child.stdin.end();
        const chunks: Buffer[] = [];
        let size = 0;
        for await (const bytes of child.stdout as AsyncIterable<Buffer>) {
          chunks.push(bytes);
          size += bytes.byteLength;
          if (size > maxBytes) child.kill();
        }
        const { code, signal, timedOut, tooLarge, stderr } = await child.finished;
        if (code === 0 && size <= maxBytes) return Buffer.concat(chunks);
        throw new DecoderError(why({ timedOut, tooLarge }), `code ${code} signal ${signal}: ${stderr}`);
      } finally {
        await file.close();
      }
    });
}

function why({ timedOut, tooLarge }: { timedOut: boolean; tooLarge: boolean }): string {
  if (timedOut) return 'reading it took too long';
  return tooLarge ? 'reading it needs too much memory' : 'it is damaged, or not what it looks like';
}
