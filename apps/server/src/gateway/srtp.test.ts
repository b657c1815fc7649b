import { describe, expect, it } from 'vitest';
import { SrtpSession } from 'werift';
import { srtpProtection } from './srtp.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');

describe('SRTP', () => {
  it('protects the packet of RFC 7714 section 16.1.1 as it is printed there', () => {
    const protect = srtpProtection({
      profile: 7,
      key: hex('000102030405060708090a0b0c0d0e0f'),
      salt: hex('5175696420 70726f2071756f'),
      auth: Buffer.alloc(20),
    });
    const payload = Buffer.from('Gallia est omnis divisa in partes tres');

    expect(protect(hex('8040f17b 8041f8d3 5501a0b2'), payload, 0).toString('hex')).toBe(
      hex(`8040f17b 8041f8d3 5501a0b2 f24de3a3 fb34de6c acba861c 9d7e4bca be633bd5 0d294e6f 42a5f47a
        51c7d19b 36de3adf 8833899d 7f27beb1 6a9152cf 765ee439 0cce`).toString('hex'),
    );
  });

  it.each([
    ['AES-CM with HMAC-SHA1', 1],
    ['AES-GCM', 7],
  ])('is read by another implementation with %s, before and behind the turn of the numbers', (_name, profile) => {
    const master = { key: Buffer.alloc(16, 3), salt: Buffer.alloc(profile === 1 ? 14 : 12, 5) };
    const keys = {
      ...{ localMasterKey: master.key, localMasterSalt: master.salt },
      ...{ remoteMasterKey: master.key, remoteMasterSalt: master.salt },
    };
    const other = new SrtpSession({ keys, profile });
    const { srtpSessionKey: key, srtpSessionSalt: salt, srtpSessionAuthTag: auth } = other.localContext;
    const protect = srtpProtection({ profile, key, salt, auth });
    const head = (sequence: number) => {
      const bytes = hex('80600000 0000000a deadbeef');
      bytes.writeUInt16BE(sequence, 2);
      return bytes;
    };

    const sent: [number, number][] = [
      [65_534, 0],
      [65_535, 0],
      [0, 1],
      [1, 1],
    ];
    for (const [sequence, rollover] of sent) {
      const payload = Buffer.from(`payload ${sequence}`);
      expect(other.decrypt(protect(head(sequence), payload, rollover)).subarray(12)).toEqual(payload);
    }
  });

  it('refuses a profile that it does not know', () => {
    const none = Buffer.alloc(16);
    expect(() => srtpProtection({ profile: 2, key: none, salt: none, auth: none })).toThrow('profile 2');
  });
});
