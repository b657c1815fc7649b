import { createCipheriv, createHmac, createSecretKey } from 'node:crypto';

/** Keys of one direction, derived as in RFC 3711 section 4.3 from the DTLS handshake. */
export type SrtpKeys = {
  /** IANA number of the DTLS-SRTP protection profile. */
  profile: number;
  key: Buffer;
  salt: Buffer;
  auth: Buffer;
};

/** Builds an SRTP packet from a header of 12 bytes and its payload. */
export type Protect = (head: Buffer, payload: Buffer, rollover: number) => Buffer;

const AES_128_CM_SHA1_80 = 0x0001;
const AEAD_AES_128_GCM = 0x0007;
const SSRC = 8;
const SEQUENCE = 2;
const CM_TAG = 10;

/**
 * Returns the encryption function of a session. Key objects are created once: if given bytes, Node.js creates one for
 * each packet, which takes five times as long as encrypting the packet.
 */
export function srtpProtection({ profile, key, salt, auth }: SrtpKeys): Protect {
  const secret = createSecretKey(key);
  if (profile === AEAD_AES_128_GCM) return (head, payload, rollover) => gcm(head, payload, ivOf(head, rollover));
  if (profile !== AES_128_CM_SHA1_80) throw new Error(`SRTP profile ${profile} is not known`);
  const authSecret = createSecretKey(auth);
  return (head, payload, rollover) => counterMode(head, payload, rollover);

  /** Computes the AES-GCM initialization vector of an SRTP packet (RFC 7714, section 8.1). */
  function ivOf(head: Buffer, rollover: number): Buffer {
    const iv = Buffer.alloc(12);
    head.copy(iv, 2, SSRC, SSRC + 4);
    iv.writeUInt32BE(rollover, 6);
    head.copy(iv, 10, SEQUENCE, SEQUENCE + 2);
    return masked(iv, 12);
  }

  function gcm(head: Buffer, payload: Buffer, iv: Buffer): Buffer {
    const cipher = createCipheriv('aes-128-gcm', secret, iv);
    cipher.setAAD(head);
    const sealed = cipher.update(payload);
    cipher.final();
    return Buffer.concat([head, sealed, cipher.getAuthTag()]);
  }

  /** Encrypts or decrypts an SRTP payload in AES counter mode (RFC 3711, sections 4.1.1 and 4.2). */
  function counterMode(head: Buffer, payload: Buffer, rollover: number): Buffer {
    const counter = Buffer.alloc(16);
    head.copy(counter, 4, SSRC, SSRC + 4);
    counter.writeUInt32BE(rollover, 8);
    head.copy(counter, 12, SEQUENCE, SEQUENCE + 2);
    const sealed = createCipheriv('aes-128-ctr', secret, masked(counter, 14)).update(payload);
    const round = Buffer.alloc(4);
    round.writeUInt32BE(rollover);
    const tag = createHmac('sha1', authSecret).update(head).update(sealed).update(round).digest();
    return Buffer.concat([head, sealed, tag.subarray(0, CM_TAG)]);
  }

  function masked(bytes: Buffer, length: number): Buffer {
    for (let at = 0; at < length; at++) bytes[at]! ^= salt[at]!;
    return bytes;
  }
}
