import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { atEnd } from '../../test/cleanup.ts';
import { type Licence, readLicenceKeys } from '../features/licence/licence.ts';
import { readToken } from '../features/licence/token.ts';
import { licenceCommandHelp, runLicenceCommand } from './licence-command.ts';

let folder: string;
let said: string[];
let installed: () => Promise<Licence>;

beforeEach(async () => {
  const made = await mkdtemp(join(tmpdir(), 'osprey-licence-'));
  atEnd(() => rm(made, { recursive: true, force: true }));
  folder = made;
  said = [];
  installed = () => Promise.reject(new Error('not asked'));
});

const keysFolder = () => join(folder, 'data', 'keys', 'licence');
const run = (...args: string[]) =>
  runLicenceCommand(
    {
      keysFolder: keysFolder(),
      dataDir: join(folder, 'data'),
      installed: async () => ({ licence: await installed(), node: 'AAAA-BBBB-CCCC-DDDD' }),
      say: (line) => said.push(line),
      nowUs: () => 1_700_000_000_000_000,
    },
    args,
  );

/** The command as `npm run licence` starts it. */
const program = (...args: string[]) =>
  new Promise<{ code: number | null; out: string; errors: string }>((done) => {
    const command = [resolve(import.meta.dirname, './licence.ts'), ...args];
    const env = { PATH: process.env.PATH, OSPREY_DATA: folder };
    const child = execFile(process.execPath, command, { env }, (_error, out, errors) =>
      done({ code: child.exitCode, out, errors }),
    );
  });

describe('npm run licence', () => {
  it('makes keys, signs a licence with them that this server takes, and shows it', async () => {
    const key = join(folder, 'private.pem');
    const file = join(folder, 'site.license');
    await writeFile(join(folder, 'logo.png'), 'bytes');

    await run('keys', '--out', key);
    const limits = ['--users', '25', '--platforms', '4', '--expires', '2027-12-31', '--options', 'live, export'];
    const more = ['--node', 'AAAA-BBBB', '--logo', join(folder, 'logo.png'), '--out', file];
    await run('sign', '--key', key, '--customer', 'Coastal Authority', ...limits, ...more);
    await run('show', file);

    expect((await stat(key)).mode & 0o777).toBe(0o600);
    expect(await readdir(keysFolder())).toHaveLength(1);
    const payload = readToken(await readFile(file, 'utf8'), await readLicenceKeys(keysFolder()));
    expect(payload).toMatchObject({
      customer: 'Coastal Authority',
      users: 25,
      platforms: 4,
      options: ['live', 'export'],
      node: 'AAAA-BBBB',
      expires: Date.UTC(2028, 0, 1) * 1000,
    });
    expect(said.at(-1)).toContain('"customer": "Coastal Authority"');
  });

  it('keeps the private half off the server and never writes over another one', async () => {
    const key = join(folder, 'private.pem');

    await expect(run('keys', '--out', join(folder, 'data', 'private.pem'))).rejects.toThrow(
      'must not lie on the server',
    );
    await expect(run('keys')).rejects.toThrow('Where to?');
    await run('keys', '--out', key);
    await expect(run('keys', '--out', key)).rejects.toThrow('EEXIST');
  });

  it('shows the installed licence and the id of this server where no file is named', async () => {
    const payload = {
      id: crypto.randomUUID(),
      customer: 'Coastal Authority',
      issued: 1_700_000_000_000_000,
      users: 25,
    };
    const limits = { usersMax: 25, platformsMax: null, options: new Set<never>(), logo: null };
    installed = async () => ({
      ...{ state: 'licensed', valid: true, message: 'OK', company: 'Coastal Authority', payload },
      ...limits,
    });

    await run('show');

    expect(said.slice(0, 2)).toEqual(['This server: AAAA-BBBB-CCCC-DDDD', 'Licence: licensed, OK']);
    expect(JSON.parse(said[2]!)).toMatchObject({ users: 25, issued: '2023-11-14T22:13:20.000Z', logo: false });
  });

  it('prints its help and ends well, and ends with 1 and a sentence over an unknown word', async () => {
    const [help, bare, unknown] = await Promise.all([program('--help'), program(), program('sell')]);

    expect(help).toEqual({ code: 0, out: licenceCommandHelp, errors: '' });
    expect(bare).toEqual(help);
    expect(unknown).toEqual({ code: 1, out: '', errors: 'Unknown command sell. See npm run licence -- --help.\n' });
  });

  it('says what is wrong', async () => {
    const key = join(folder, 'private.pem');
    await run('keys', '--out', key);

    await expect(run('sign', '--key', key)).rejects.toThrow('missing: --customer');
    await expect(run('sign', '--key', key, '--customer', 'A', '--users', 'many')).rejects.toThrow('--users');
    await expect(run('sign', '--key', key, '--customer', 'A', '--options', 'magic')).rejects.toThrow('--options');
    await expect(run('sign', '--key', key, '--customer', 'A', '--expires', 'soon')).rejects.toThrow('YYYY-MM-DD');
    await expect(run('sell')).rejects.toThrow('Unknown command sell');
    await expect(run('show', '--everything')).rejects.toThrow('--help');
  });
});
