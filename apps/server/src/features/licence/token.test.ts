import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { decodeToken } from '@osprey/contract';
import { describe, expect, it } from 'vitest';
import { licenceOf, tokenOf } from '../../../test/licences.ts';
import { keyIdOf, LicenceRefused, readKey, readToken } from './token.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const keys = new Map([[keyIdOf(publicKey), publicKey]]);
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const refusal = (token: string) => {
  try {
    readToken(token, keys);
    return 'taken';
  } catch (error) {
    return error instanceof LicenceRefused ? error.message : String(error);
  }
};

describe('a licence token', () => {
  it('has three base64url parts and says what was signed', () => {
    const token = tokenOf(privateKey, { users: 25, expires: 2e15 });

    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(readToken(`${token}\n`, keys)).toMatchObject({ customer: 'Coastal Authority', users: 25, expires: 2e15 });
    expect(decodeToken(token).payload).toMatchObject({ customer: 'Coastal Authority' });
  });

  it('is refused when any one character of it is another', () => {
    const token = tokenOf(privateKey);

    for (let at = 0; at < token.length; at += 7) {
      const other = token[at] === 'A' ? 'B' : 'A';
      expect(refusal(token.slice(0, at) + other + token.slice(at + 1)), `at ${at}`).not.toBe('taken');
    }
  });

  it('is refused without a signature, and with one that the public key as a secret would make', () => {
    const payload = part(licenceOf());
    const header = (alg: string) => part({ alg, typ: 'osprey-licence', kid: keyIdOf(publicKey) });
    const pem = publicKey.export({ type: 'spki', format: 'pem' });
    const hmac = createHmac('sha256', pem)
      .update(`${header('HS256')}.${payload}`)
      .digest('base64url');

    expect(refusal(`${header('none')}.${payload}.`)).toBe('It is not a licence of this product.');
    expect(refusal(`${header('HS256')}.${payload}.${hmac}`)).toBe('It is not a licence of this product.');
    expect(refusal(`${header('EdDSA')}.${payload}.${hmac}`)).toBe('Its signature does not fit.');
  });

  it('is refused with a foreign signature', () => {
    const other = generateKeyPairSync('ed25519').privateKey;

    expect(refusal(tokenOf(other))).toBe('Its key is not among the licence keys of this server.');
  });

  it.each([
    ['', 'It has 1 parts in place of 3.'],
    ['a.b', 'It has 2 parts in place of 3.'],
    ['a.b.c.d', 'It has 4 parts in place of 3.'],
    ['ä.b.c', 'Its header is not base64url.'],
    [`${part({})}.*.c`, 'Its payload is not base64url.'],
    [`${part({})}.YQ.c`, 'Its payload is not JSON.'],
  ])('that reads %j is not decoded', (text, reason) => {
    expect(() => decodeToken(text)).toThrow(reason);
    expect(refusal(text)).toBe(reason);
  });

  it('is signed with Ed25519 keys alone', () => {
    const pems = (pair: { publicKey: KeyObject; privateKey: KeyObject }) =>
      [
        ['public', pair.publicKey.export({ type: 'spki', format: 'pem' }) as string],
        ['private', pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string],
      ] as const;
    const others = [
      generateKeyPairSync('rsa', { modulusLength: 2048 }),
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      generateKeyPairSync('x25519'),
      generateKeyPairSync('ed448'),
    ];

    for (const [half, pem] of pems({ publicKey, privateKey })) {
      expect(readKey(pem, half).equals(half === 'public' ? publicKey : privateKey)).toBe(true);
    }
    for (const [half, pem] of others.flatMap(pems)) {
      expect(() => readKey(pem, half)).toThrow(`This is no ${half} Ed25519 key in PEM.`);
    }
    expect(() => readKey('nonsense', 'private')).toThrow('This is no private Ed25519 key in PEM.');
  });
});
