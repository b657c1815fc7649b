import { createHash } from 'node:crypto';
import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import {
  BLOCK_BYTES,
  FILES_MAX,
  type Found,
  type Hashing,
  NotAPackage,
  type PackedFile,
  readZip,
  type Verdict,
  verifyPackage,
} from '@osprey/case-package';

export const caseCommandHelp = `npm run case -- verify <package>     whether the package of a case is what was signed

  <package>        the zip, or the folder that it was unpacked to

  --key <file>     the public key (Ed25519, PEM) of the server that it should come from: keys/audit/*.pub.pem of that
                   server's data folder, got by another way than the package. Without it the signature is checked with
                   the key inside, which anybody could have put there.
  --help           this text

Each difference is named with its file and the MiB in which it lies. The command ends with code 1 if there is one, or if
the signature is not by the given key. No server and no database is needed.
`;

/** A wrong argument or file; the message says what is allowed. */
export class CaseCommandError extends Error {
  override name = 'CaseCommandError';
}

export type CaseCommandDeps = {
  /** Writes text unchanged, without adding a line end. */
  write: (text: string) => Promise<void>;
  nowMs: () => number;
};

/** Exit code: the package is valid, but no trusted key was given to compare its signer with. */
const UNKNOWN_KEY = 2;

/** Returns the exit code. @throws CaseCommandError */
export async function runCaseCommand({ write, nowMs }: CaseCommandDeps, args: readonly string[]): Promise<number> {
  const { path, keyFile } = readArgs(args);
  const keyPem = keyFile === null ? null : await readKey(keyFile);
  const startedMs = nowMs();
  const verdict = await verify(path, keyPem);
  for (const { text } of verdict.faults) await write(`${text}\n`);
  const seconds = Math.max(0.001, (nowMs() - startedMs) / 1000);
  await write(summary(verdict, `${(verdict.bytes / 1e6 / seconds).toFixed(0)} MB/s`));
  if (!verdict.holds) return 1;
  return verdict.signer === 'known' ? 0 : UNKNOWN_KEY;
}

function readArgs(args: readonly string[]): { path: string; keyFile: string | null } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { key: { type: 'string' } },
      allowPositionals: true,
    });
    const [command, path, ...more] = positionals;
    if (command !== 'verify') throw new Error(`Unknown command ${command ?? ''}`);
    if (path === undefined || more.length > 0) throw new Error('Name one zip or folder');
    return { path, keyFile: values.key ?? null };
  } catch (error) {
    throw new CaseCommandError(`${(error as Error).message}. See npm run case -- --help.`);
  }
}

async function readKey(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: Error) => {
    throw new CaseCommandError(`The key could not be read: ${error.message}`);
  });
}

async function verify(path: string, keyPem: string | null): Promise<Verdict> {
  const handles: FileHandle[] = [];
  try {
    const found =
      (await kindOf(path)) === 'folder' ? await filesOf(path) : await readZip(await slicesOf(path, handles));
    return await verifyPackage(found, { hashing, keyPem });
  } catch (error) {
    if (error instanceof NotAPackage || error instanceof RangeError) throw new CaseCommandError(error.message);
    throw error;
  } finally {
    for (const handle of handles) await handle.close();
  }
}

/** Hash functions of Node, which are several times as fast. */
const hashing: Hashing = {
  begin: () => createHash('sha256'),
  of: (bytes) => createHash('sha256').update(bytes).digest(),
};

async function kindOf(path: string): Promise<'folder' | 'file'> {
  const found = await stat(path).catch((error: Error) => {
    throw new CaseCommandError(`The package could not be read: ${error.message}`);
  });
  return found.isDirectory() ? 'folder' : 'file';
}

async function slicesOf(path: string, handles: FileHandle[]) {
  const handle = await open(path);
  handles.push(handle);
  const { size } = await handle.stat();
  const buffers = [new Uint8Array(BLOCK_BYTES), new Uint8Array(BLOCK_BYTES)];
  let turn = 0;
  return {
    sizeBytes: size,
    async read(start: number, end: number) {
      if (end - start !== BLOCK_BYTES) return readSlice(handle, start, new Uint8Array(end - start));
      // Reads the next slice while one is hashed: two buffers suffice for a file of any length.
      turn = 1 - turn;
      return readSlice(handle, start, buffers[turn]!);
    },
  };
}

async function readSlice(handle: FileHandle, start: number, bytes: Uint8Array): Promise<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, at, bytes.length - at, start + at);
    if (bytesRead === 0) throw new CaseCommandError('The package became shorter while it was read.');
    at += bytesRead;
  }
  return bytes;
}

/** Lists the files in a package's folder. A link is reported as a fault, because packages contain none. */
async function filesOf(folder: string): Promise<Found> {
  const files: PackedFile[] = [];
  const faults: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const place = join(entry.parentPath, entry.name);
    const path = relative(folder, place).split(sep).join('/');
    if (!entry.isFile()) {
      faults.push(`${path} is no file.`);
      continue;
    }
    if (files.length > FILES_MAX)
      throw new CaseCommandError('This folder holds more files than a package of a case does.');
    const { size } = await stat(place);
    files.push({ path, sizeBytes: size, read: (start, end) => readOnce(place, start, end) });
  }
  return { files, faults };
}

async function readOnce(path: string, start: number, end: number): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    return await readSlice(handle, start, new Uint8Array(end - start));
  } finally {
    await handle.close();
  }
}

function summary({ holds, signer, fingerprint, manifest, files, bytes, faults }: Verdict, speed: string): string {
  const what = manifest
    ? `Case ${manifest.case.number} "${manifest.case.name}", version ${manifest.case.version}, ${manifest.label}, made ${manifest.made} by ${manifest.maker} on ${manifest.server.name}.\n`
    : '';
  const read = `${files} files, ${bytes} bytes, ${speed}.\n`;
  const whose = {
    known: `It is signed by the key that you gave (${fingerprint}).\n`,
    unknown: `It is signed by an unknown key (${fingerprint}): compare this fingerprint with the one on the About page of the server that it should come from, or give its key with --key.\n`,
    nobody: '',
  }[signer];
  const verdict = holds ? 'The package is what was signed' : `The package does NOT hold, ${faults.length} differences`;
  return `${what}${verdict}: ${read}${whose}`;
}
