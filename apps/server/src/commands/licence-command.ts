import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type LicencePayload, licenceOptions, licencePayload } from '@osprey/contract';
import { type Licence, readLicenceKeys } from '../features/licence/licence.ts';
import { keyIdOf, readKey, readToken, signLicence } from '../features/licence/token.ts';

export const licenceCommandHelp = `npm run licence -- <command> [options]     licences of a site

  keys --out <file>        makes a pair of keys: the public half where the server looks for it, the private one in the
                           file, which belongs elsewhere
  sign --key <file> --customer <name> [...]
                           makes a licence and signs it with the private half
    --logo <file>          png or jpeg, at most 256 KiB; shown in the top bar
    --expires <date>       YYYY-MM-DD, good until the end of that day (UTC); left out, for ever
    --users <number>       accounts at once beside admins; left out, any number
    --platforms <number>   platforms recorded at once; left out, any number
    --options <a,b,...>    of ${licenceOptions.join(', ')}; left out, all
    --node <id>            good on this server only; its id is in the licence dialog and in show
    --out <file>           where the licence goes; left out, to the screen
  show [file]              what a licence says; without a file, the installed one and the id of this server
  --help                   this text

The product needs no licence. A licence is uploaded on the Admin page, or with POST /api/upload/license.
`;

export type LicenceCommandDeps = {
  keysFolder: string;
  dataDir: string;
  installed: () => Promise<{ licence: Licence; node: string }>;
  say: (line: string) => void;
  nowUs: () => number;
};

/** A wrong argument or value; the message says what is allowed. */
export class LicenceCommandError extends Error {
  override name = 'LicenceCommandError';
}

const LOGO_BYTES = 256 * 1024;
const DAY_US = 24 * 3600 * 1_000_000;

const flags = {
  out: { type: 'string' },
  key: { type: 'string' },
  customer: { type: 'string' },
  logo: { type: 'string' },
  expires: { type: 'string' },
  users: { type: 'string' },
  platforms: { type: 'string' },
  options: { type: 'string' },
  node: { type: 'string' },
} as const;

type Flags = { [name in keyof typeof flags]?: string };

export async function runLicenceCommand(deps: LicenceCommandDeps, args: readonly string[]): Promise<void> {
  const { command, file, values } = read(args);
  if (command === 'keys') return makeKeys(deps, values);
  if (command === 'sign') return makeLicence(deps, values);
  if (command === 'show') return show(deps, file);
  throw new LicenceCommandError(`Unknown command ${command}. See npm run licence -- --help.`);
}

function read(args: readonly string[]): { command: string; file: string | undefined; values: Flags } {
  try {
    const { positionals, values } = parseArgs({ args: [...args], options: flags, allowPositionals: true });
    const [command = '', file] = positionals;
    return { command, file, values };
  } catch (error) {
    throw new LicenceCommandError(`${(error as Error).message} See npm run licence -- --help.`);
  }
}

async function makeKeys({ keysFolder, dataDir, say }: LicenceCommandDeps, { out }: Flags): Promise<void> {
  if (out === undefined) throw new LicenceCommandError('Where to? keys needs --out <file> for the private half.');
  const inside = relative(resolve(dataDir), resolve(out));
  if (!inside.startsWith('..')) {
    throw new LicenceCommandError(
      'The private half must not lie on the server: choose a file outside of its data folder.',
    );
  }
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  // Never overwrites a key: licences signed with it could not be issued again.
  await writeFile(out, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  await mkdir(keysFolder, { recursive: true, mode: 0o700 });
  const path = join(keysFolder, `${keyIdOf(publicKey)}.pem`);
  await writeFile(path, publicKey.export({ type: 'spki', format: 'pem' }), { mode: 0o644 });
  say(`Public half: ${path}`);
  say(`Private half: ${out} (keep it elsewhere: with it, licences for this server can be made)`);
}

async function makeLicence({ say, nowUs }: LicenceCommandDeps, values: Flags): Promise<void> {
  if (values.key === undefined) throw new LicenceCommandError('sign needs --key <file>, the private half.');
  const key = readKey(await readFile(values.key, 'utf8'), 'private');
  const token = signLicence(await payloadOf(values, nowUs()), key);
  if (values.out === undefined) return say(token);
  await writeFile(values.out, `${token}\n`);
  say(`Licence for ${values.customer}: ${values.out}`);
}

async function payloadOf(values: Flags, now: number): Promise<LicencePayload> {
  const { customer, expires, users, platforms, options, node, logo } = values;
  const requested = {
    id: crypto.randomUUID(),
    customer,
    issued: now,
    ...(expires === undefined ? {} : { expires: endOfDay(expires) }),
    ...(users === undefined ? {} : { users: Number(users) }),
    ...(platforms === undefined ? {} : { platforms: Number(platforms) }),
    ...(options === undefined ? {} : { options: options.split(',').map((one) => one.trim()) }),
    ...(node === undefined ? {} : { node }),
    ...(logo === undefined ? {} : { logo: await logoText(logo) }),
  };
  const parsed = licencePayload.safeParse(requested);
  if (parsed.success) return parsed.data;
  const fields = [...new Set(parsed.error.issues.map(({ path }) => `--${String(path[0])}`))].join(', ');
  throw new LicenceCommandError(`Not valid, or missing: ${fields}. See npm run licence -- --help.`);
}

function endOfDay(date: string): number {
  const startMs = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (!Number.isFinite(startMs)) throw new LicenceCommandError('--expires is a date: YYYY-MM-DD.');
  return startMs * 1000 + DAY_US;
}

async function logoText(file: string): Promise<string> {
  const bytes = await readFile(file);
  if (bytes.length > LOGO_BYTES) throw new LicenceCommandError('The logo is larger than 256 KiB.');
  return bytes.toString('base64');
}

async function show({ keysFolder, installed, say }: LicenceCommandDeps, file: string | undefined): Promise<void> {
  if (file === undefined) {
    const { licence, node } = await installed();
    say(`This server: ${node}`);
    say(`Licence: ${licence.state}, ${licence.message}`);
    if (licence.payload) say(textOf(licence.payload));
    return;
  }
  say(textOf(readToken(await readFile(file, 'utf8'), await readLicenceKeys(keysFolder))));
}

function textOf({ logo, ...payload }: LicencePayload): string {
  const iso = (timeUs: number) => new Date(timeUs / 1000).toISOString();
  const times = { issued: iso(payload.issued), ...(payload.expires ? { expires: iso(payload.expires) } : {}) };
  return JSON.stringify({ ...payload, ...times, logo: logo !== undefined }, null, 2);
}
