import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Config, ConfigError } from '../config.ts';

const DAYS = '30';

export type TlsFiles = { certFile: string; keyFile: string };

/** The configured pair, a self-made one for a trial, or null for plain http on loopback and behind a proxy. */
export async function tlsFiles(config: Readonly<Config>): Promise<TlsFiles | null> {
  if (config.tlsCert !== null && config.tlsKey !== null) return { certFile: config.tlsCert, keyFile: config.tlsKey };
  if (!config.tlsSelfSigned) return null;
  const folder = join(config.dataDir, 'keys');
  const files = { certFile: join(folder, 'self-signed.crt'), keyFile: join(folder, 'self-signed.key') };
  if (existsSync(files.certFile) && existsSync(files.keyFile)) return files;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await makePair(files, config);
  return files;
}

async function makePair({ certFile, keyFile }: TlsFiles, { host, allowedHosts }: Readonly<Config>): Promise<void> {
  const names = ['localhost', ...allowedHosts].map((name) => `DNS:${name}`);
  const addresses = ['127.0.0.1', ...(isIP(host) ? [host] : [])].map((address) => `IP:${address}`);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  const subject = ['-subj', '/CN=Osprey', '-addext', `subjectAltName=${[...names, ...addresses].join(',')}`];
  try {
    await promisify(execFile)('openssl', ['req', '-x509', '-days', DAYS, ...key, '-out', certFile, ...subject]);
  } catch (error) {
    throw new ConfigError(`--tls-self-signed needs openssl: ${(error as Error).message.split('\n')[0]}`);
  }
  await chmod(keyFile, 0o600);
}
