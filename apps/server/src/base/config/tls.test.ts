import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { type Config, readConfig } from './config.ts';
import { tlsFiles } from './tls.ts';

const DAY_MS = 24 * 3_600_000;

let config: Config;

beforeEach(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'osprey-tls-'));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  config = { ...readConfig({}, ['--tls-self-signed']), dataDir };
});

/** Certificate and key as they are after a start. */
async function started(changed: Partial<Config> = {}) {
  const files = await tlsFiles({ ...config, ...changed });
  const [cert, key] = await Promise.all([readFile(files!.certFile, 'utf8'), readFile(files!.keyFile, 'utf8')]);
  return { ...files!, cert: new X509Certificate(cert), pem: cert, key };
}

const daysLeft = ({ cert }: { cert: X509Certificate }) => (Date.parse(cert.validTo) - Date.now()) / DAY_MS;

/** Key and certificate of an earlier start, valid for another `days` days. */
async function olderPair(days: number): Promise<string> {
  const folder = join(config.dataDir, 'keys');
  await mkdir(folder, { recursive: true });
  const [crt, key] = ['self-signed.crt', 'self-signed.key'].map((name) => join(folder, name)) as [string, string];
  const names = ['-subj', '/CN=Osprey', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const pair = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key, '-out', crt];
  execFileSync('openssl', ['req', '-x509', '-days', String(days), ...pair, ...names], { stdio: 'ignore' });
  return readFile(crt, 'utf8');
}

describe('the self-signed certificate', () => {
  it('lasts 30 days for localhost and the address, and its key is for this account alone', async () => {
    const made = await started({ host: '192.0.2.7', allowedHosts: ['fmv.example.org'] });

    expect(daysLeft(made)).toBeGreaterThan(29);
    expect(made.cert.checkHost('localhost')).toBe('localhost');
    expect(made.cert.checkHost('fmv.example.org')).toBe('fmv.example.org');
    expect(made.cert.checkIP('192.0.2.7')).toBe('192.0.2.7');
    expect((await stat(made.keyFile)).mode & 0o777).toBe(0o600);
  });

  it('is kept as long as it has more than a week to go', async () => {
    const before = await olderPair(9);

    expect((await started()).pem).toBe(before);
  });

  it('is made again in its last week', async () => {
    const before = await olderPair(6);

    const made = await started();

    expect(made.pem).not.toBe(before);
    expect(daysLeft(made)).toBeGreaterThan(29);
  });

  it('is made again for a name or an address that it does not hold', async () => {
    const first = await started();

    const named = await started({ allowedHosts: ['fmv.example.org'] });
    const addressed = await started({ allowedHosts: ['fmv.example.org'], host: '::1' });

    expect(named.pem).not.toBe(first.pem);
    expect(named.cert.checkHost('fmv.example.org')).toBe('fmv.example.org');
    expect(addressed.cert.checkIP('::1')).toBe('::1');
    expect((await started()).pem).toBe(addressed.pem);
  });

  it('is made again if the key is another one, or either is damaged', async () => {
    const first = await started();
    await writeFile(first.keyFile, (await started({ dataDir: join(config.dataDir, 'other') })).key);
    const second = await started();
    await writeFile(second.certFile, 'half of a certi');
    const third = await started();

    for (const { cert, key } of [second, third]) expect(cert.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(second.pem).not.toBe(first.pem);
  });
});
