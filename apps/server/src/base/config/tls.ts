import { execFile } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmod, mkdir, readFile, rename } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Config, ConfigError } from './config.ts';

const DAYS = '30';
/** At startup, a certificate that expires within this time is replaced, in milliseconds. */
const RENEW_MS = 7 * 24 * 3_600_000;

export type TlsFiles = { certFile: string; keyFile: string };
type Named = { names: string[]; addresses: string[] };

/**
 * Certificate and key: the configured pair, a self-signed one for a trial, or null for plain HTTP on loopback and
 * behind a proxy.
 */
export async function tlsFiles(config: Readonly<Config>): Promise<TlsFiles | null> {
  if (config.tlsCert !== null && config.tlsKey !== null) return { certFile: config.tlsCert, keyFile: config.tlsKey };
  if (!config.tlsSelfSigned) return null;
  const folder = join(config.dataDir, 'keys');
  const files = { certFile: join(folder, 'self-signed.crt'), keyFile: join(folder, 'self-signed.key') };
  const named = namedBy(config);
  if (await isGood(files, named)) return files;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await makePair(files, named);
  return files;
}

const namedBy = ({ host, allowedHosts }: Readonly<Config>): Named => ({
  names: ['localhost', ...allowedHosts],
  addresses: ['127.0.0.1', ...(isIP(host) ? [host] : [])],
});

/**
 * Whether the pair can still be used. False if it is absent, damaged or about to expire, if the key does not match, or
 * if it is for other names; a new pair is then created.
 */
async function isGood({ certFile, keyFile }: TlsFiles, { names, addresses }: Named): Promise<boolean> {
  const pair = await Promise.all([readFile(certFile), readFile(keyFile)])
    .then(([cert, key]) => ({ cert: new X509Certificate(cert), key: createPrivateKey(key) }))
    .catch(() => null);
  if (pair === null || !pair.cert.checkPrivateKey(pair.key)) return false;
  const { cert } = pair;
  if (Date.parse(cert.validTo) < Date.now() + RENEW_MS) return false;
  const holdsNames = names.every((name) => cert.checkHost(name) !== undefined);
  return holdsNames && addresses.every((address) => cert.checkIP(address) !== undefined);
}

async function makePair({ certFile, keyFile }: TlsFiles, { names, addresses }: Named): Promise<void> {
  const all = [...names.map((name) => `DNS:${name}`), ...addresses.map((address) => `IP:${address}`)];
  // The recorder process may create the pair at the same time, so each process uses its own temporary names.
  const made = { certFile: `${certFile}.${process.pid}`, keyFile: `${keyFile}.${process.pid}` };
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', made.keyFile];
  const subject = ['-subj', '/CN=Osprey', '-addext', `subjectAltName=${all.join(',')}`];
  try {
    await promisify(execFile)('openssl', ['req', '-x509', '-days', DAYS, ...key, '-out', made.certFile, ...subject]);
  } catch (error) {
    throw new ConfigError(`--tls-self-signed needs openssl: ${(error as Error).message.split('\n')[0]}`);
  }
  await chmod(made.keyFile, 0o600);
  // A crash between the two renames leaves a pair that does not match; the next start creates a new one.
  await rename(made.keyFile, keyFile);
  await rename(made.certFile, certFile);
}
