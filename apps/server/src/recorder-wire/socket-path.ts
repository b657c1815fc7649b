import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Maximum length of a socket path: sun_path has 108 bytes, including the terminating zero. */
const PATH_MAX_BYTES = 107;

/** Path of the socket on which the recorder listens. */
export const recorderSocket = (dataDir: string): string => localSocket(dataDir, 'recorder.sock');

/** Path of the socket on which the gateway listens. */
export const gatewaySocket = (dataDir: string): string => localSocket(dataDir, 'gateway.sock');

/** A socket path in the data folder, or in a short separate folder if that path would be too long. */
function localSocket(dataDir: string, file: string): string {
  const path = join(resolve(dataDir), 'live', file);
  if (Buffer.byteLength(path) <= PATH_MAX_BYTES) return path;
  const name = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16);
  return join(tmpdir(), `osprey-${name}`, file);
}

/**
 * Creates the folder of the socket, accessible only to this account.
 *
 * @throws Error if another account created it before, since the owner of the folder could listen in place of this
 * server
 */
export async function ownSocketFolder(socket: string): Promise<void> {
  const folder = dirname(socket);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  const isOurs = found.isDirectory() && found.uid === process.getuid?.();
  if (!isOurs) throw new Error(`${folder} must be a folder of the server's account`);
  await chmod(folder, 0o700);
}
