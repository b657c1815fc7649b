import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { Kysely } from 'kysely';
import type { Checkpoint } from '../base/audit/checkpoint.ts';
import { checkpointsInFile, storedCheckpoints } from '../base/audit/checkpoints.ts';
import { chains } from '../base/audit/repository.ts';
import { keyId, type PublicKeys, publicKey, publicKeysOf } from '../base/audit/signing-key.ts';
import { chainVerifier, type Evidence, type Verified } from '../base/audit/verify.ts';
import type { ChainedRow } from '../base/db/audit-rows.ts';
import type { Database } from '../base/db/schema.ts';
import { type AuditFormat, exportLine, exportText } from '../features/audit/export.ts';

export const auditCommandHelp = `npm run audit -- <command>     the audit, from the server's own machine

  verify                    reads every chain in the database and compares it with the signed checkpoints, those in
                            the database and those in the file beside it
  verify <export.ndjson>    the same over an export; no database and no server is needed
  export                    the whole audit with its checkpoints, to standard output

  --format ndjson|csv       of the export; ndjson is what verify takes
  --public-key <file>       trust this Ed25519 key (PEM) in place of those in keys/audit of the data folder
  --checkpoints <file>      compare with these too: a copy of audit/checkpoints.ndjson kept elsewhere
  --help                    this text

The first row of each chain that was changed, removed or added is named, and the command ends with code 1. The server
may run meanwhile.
`;

/** A wrong argument or file; the message says what is allowed. */
export class AuditCommandError extends Error {
  override name = 'AuditCommandError';
}

export type AuditCommandDeps = {
  /** Opens the database, for commands that need it. */
  database: () => Promise<Kysely<Database>>;
  directories: { keys: string; checkpoints: string };
  /** Writes text unchanged, without adding a line end. */
  write: (text: string) => Promise<void>;
  nowUs: () => number;
  nowMs: () => number;
};

type Options = { format: AuditFormat; keyFile: string | null; checkpointFile: string | null };

/** Returns the exit code. @throws AuditCommandError */
export async function runAuditCommand(deps: AuditCommandDeps, args: readonly string[]): Promise<number> {
  const { command, file, options } = readArgs(args);
  if (command === 'export') return exportAll(deps, options);
  if (command === 'verify') return file === null ? verifyDatabase(deps, options) : verifyFile(deps, file, options);
  throw new AuditCommandError(`Unknown command ${command}. See npm run audit -- --help.`);
}

function readArgs(args: readonly string[]) {
  const strings = {
    format: { type: 'string' },
    'public-key': { type: 'string' },
    checkpoints: { type: 'string' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: strings, allowPositionals: true });
    const { format = 'ndjson' } = values;
    if (format !== 'ndjson' && format !== 'csv') throw new Error(`--format is "${format}"; allowed is ndjson or csv`);
    const options: Options = {
      format,
      keyFile: values['public-key'] ?? null,
      checkpointFile: values.checkpoints ?? null,
    };
    return { command: positionals[0] ?? '', file: positionals[1] ?? null, options };
  } catch (error) {
    throw new AuditCommandError(`${(error as Error).message}. See npm run audit -- --help.`);
  }
}

async function exportAll(deps: AuditCommandDeps, { format }: Options): Promise<number> {
  const db = await deps.database();
  const keys = [...(await publicKeysOf(deps.directories.keys)).values()];
  const publicKeys = keys.map((key) => key.export({ type: 'spki', format: 'pem' }).toString());
  const head = { time: deps.nowUs(), whole: true, publicKeys };
  for await (const text of exportText(format, head, chains(db), await storedCheckpoints(db))) await deps.write(text);
  return 0;
}

async function verifyDatabase(deps: AuditCommandDeps, options: Options): Promise<number> {
  const db = await deps.database();
  const existing = [await storedCheckpoints(db), await checkpointsInFile(deps.directories.checkpoints)];
  const evidence = await evidenceOf(deps, options, { checkpoints: existing.flat(), isComplete: true });
  return notify(deps, evidence, chains(db));
}

async function verifyFile(deps: AuditCommandDeps, path: string, options: Options): Promise<number> {
  const found = await surveyFile(path);
  const own = await checkpointsInFile(deps.directories.checkpoints);
  const evidence = await evidenceOf(deps, options, {
    checkpoints: [...found.checkpoints, ...(found.isComplete ? own : [])],
    isComplete: found.isComplete,
  });
  if (evidence.keys.size === 0) {
    await deps.write('No key is known here: the signatures are checked with the keys that the export itself brings.\n');
    evidence.keys = new Map(found.keys.map((pem) => [keyId(publicKey(path, pem)), publicKey(path, pem)]));
  }
  if (!found.isComplete) await deps.write('This export leaves rows out, so rows that are missing cannot be told.\n');
  return notify(deps, evidence, rowsOf(path));
}

type Asked = Pick<Evidence, 'checkpoints' | 'isComplete'>;

async function evidenceOf(deps: AuditCommandDeps, options: Options, { checkpoints, isComplete }: Asked) {
  const others = options.checkpointFile === null ? [] : await checkpointsInFile(options.checkpointFile);
  const keys = options.keyFile === null ? await publicKeysOf(deps.directories.keys) : await keysIn(options.keyFile);
  return { checkpoints: [...checkpoints, ...others], isComplete, keys };
}

async function keysIn(path: string): Promise<PublicKeys> {
  const key = publicKey(path, await readFile(path, 'utf8'));
  return new Map([[keyId(key), key]]);
}

async function notify(
  { write, nowMs }: AuditCommandDeps,
  evidence: Evidence,
  rows: AsyncIterable<readonly ChainedRow[]>,
): Promise<number> {
  const startedMs = nowMs();
  const verifier = chainVerifier(evidence);
  for await (const batch of rows) for (const row of batch) verifier.row(row);
  const verified = verifier.end();
  for (const { node, text } of verified.faults) await write(`${node === '' ? '' : `${node}: `}${text}\n`);
  const perSecond = Math.round(verified.rows / Math.max(0.001, (nowMs() - startedMs) / 1000));
  await write(summary(verified, perSecond));
  return verified.faults.length === 0 ? 0 : 1;
}

function summary({ rows, checkpoints, faults, lastCheckpoint }: Verified, perSecond: number): string {
  const last = lastCheckpoint === null ? '' : `, the last of ${new Date(lastCheckpoint / 1000).toISOString()}`;
  const outcome = faults.length === 0 ? 'The audit holds' : 'The audit does NOT hold';
  return `${outcome}: ${rows} rows, ${checkpoints} checkpoints${last}; ${perSecond} rows/s.\n`;
}

/** Reads an export's content before and after its rows. @throws AuditCommandError */
async function surveyFile(path: string) {
  const checkpoints: Checkpoint[] = [];
  let head: { whole: boolean; publicKeys: string[] } | null = null;
  for await (const { line, number } of linesOf(path)) {
    if (line.startsWith('{"kind":"row"')) continue;
    const read = parseLine(path, line, number);
    if (read.kind === 'head') head = read;
    if (read.kind === 'checkpoint') checkpoints.push(read);
  }
  if (head === null) throw new AuditCommandError(`${path} is no export of the audit: its first line is not there.`);
  return { checkpoints, isComplete: head.whole, keys: head.publicKeys };
}

async function* rowsOf(path: string): AsyncGenerator<ChainedRow[]> {
  for await (const { line, number } of linesOf(path)) {
    if (!line.startsWith('{"kind":"row"')) continue;
    const read = parseLine(path, line, number);
    if (read.kind !== 'row') continue;
    const hashes = { previous_hash: Buffer.from(read.previous_hash, 'hex'), hash: Buffer.from(read.hash, 'hex') };
    yield [{ ...read, ...hashes }];
  }
}

async function* linesOf(path: string) {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line !== '') yield { line, number };
  }
}

function parseLine(path: string, line: string, number: number) {
  try {
    return exportLine.parse(JSON.parse(line));
  } catch (error) {
    throw new AuditCommandError(`Line ${number} of ${path} is not as an export has it.`, { cause: error });
  }
}
