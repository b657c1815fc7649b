import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LicencePayload } from '@osprey/contract';
import { keyIdOf, signLicence } from '../src/features/licence/token.ts';

/** A pair of keys whose public half is where the server of this data folder looks for it. */
export async function licenceKey(dataDir: string): Promise<{ privateKey: KeyObject; publicFile: string }> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const folder = join(dataDir, 'keys', 'licence');
  const publicFile = join(folder, `${keyIdOf(publicKey)}.pem`);
  await mkdir(folder, { recursive: true });
  await writeFile(publicFile, publicKey.export({ type: 'spki', format: 'pem' }));
  return { privateKey, publicFile };
}

export const licenceOf = (fields: Partial<LicencePayload> = {}): LicencePayload => ({
  id: crypto.randomUUID(),
  customer: 'Coastal Authority',
  issued: Date.now() * 1000,
  ...fields,
});

export const tokenOf = (privateKey: KeyObject, fields: Partial<LicencePayload> = {}): string =>
  signLicence(licenceOf(fields), privateKey);

/** The form of POST upload/license, for `inject`. */
export function licenceForm(token: string, field = 'license') {
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: `--x\r\ncontent-disposition: form-data; name="${field}"; filename="site.license"\r\n\r\n${token}\r\n--x--\r\n`,
  };
}
