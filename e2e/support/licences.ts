import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LicencePayload } from '@osprey/contract';

export type LicenceKey = { privateKey: KeyObject; publicFile: string };

/** Creates a key pair, and stores the public key where the server looks for it. */
export async function licenceKey(dataFolder: string): Promise<LicenceKey> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const folder = join(dataFolder, 'keys', 'licence');
  const publicFile = join(folder, 'site.pem');
  await mkdir(folder, { recursive: true });
  await writeFile(publicFile, publicKey.export({ type: 'spki', format: 'pem' }));
  return { privateKey, publicFile };
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Creates a signed licence independently of the product's code, from the definition of the format. */
export function signedLicence(privateKey: KeyObject, fields: Partial<LicencePayload>): string {
  const jwk = privateKey.export({ format: 'jwk' });
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(jwk.x ?? '', 'base64url')]);
  const kid = createHash('sha256').update(spki).digest('hex').slice(0, 16);
  const payload = { id: crypto.randomUUID(), customer: 'Somebody', issued: Date.now() * 1000, ...fields };
  const signed = `${part({ alg: 'EdDSA', typ: 'osprey-licence', kid })}.${part(payload)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}
