import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { LicenceRefused } from './token.ts';

const CHILD = fileURLToPath(new URL('logo-child.ts', import.meta.url));
const WALL_MS = 20_000;
const ANSWER_BYTES = 1024 * 1024;
/** Heap limit of the child process: 64 MiB. The picture's own memory is limited by its number of pixels. */
const HEAP = '--max-old-space-size=64';

/**
 * Decodes a logo in a separate process without access to anything else, and encodes it again as PNG.
 *
 * @throws LicenceRefused if the logo is neither png nor jpeg, or cannot be decoded
 */
export function drawLogo(bytes: Buffer): Promise<Buffer> {
  const child = spawn(process.execPath, [HEAP, CHILD], {
    cwd: '/',
    env: { PATH: '/usr/bin' },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: WALL_MS,
    killSignal: 'SIGKILL',
  });
  const chunks: Buffer[] = [];
  let size = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > ANSWER_BYTES) child.kill('SIGKILL');
    else chunks.push(chunk);
  });
  // The child may close its standard input before reading everything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(bytes);
  return new Promise((resolve, reject) => {
    const refused = new LicenceRefused('Its logo is not a png or jpeg that can be drawn.');
    child.once('error', () => reject(refused));
    child.once('close', (code) => (code === 0 && size > 0 ? resolve(Buffer.concat(chunks)) : reject(refused)));
  });
}
