import { AppError } from '@osprey/contract';

/** tus 1.0: https://tus.io/protocols/resumable-upload */
export const TUS_VERSION = '1.0.0';
export const TUS_EXTENSIONS = 'creation,expiration,checksum,termination';
export const CHECKSUM_ALGORITHMS = ['sha1', 'sha256'] as const;
export const OFFSET_TYPE = 'application/offset+octet-stream';
const METADATA_MAX = 8192;

type Headers = Record<string, string | string[] | undefined>;

const single = (headers: Headers, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
};

/** @throws AppError uploadProtocol when the client sends another version of the protocol, or none */
export function checkVersion(headers: Headers): void {
  if (single(headers, 'tus-resumable') !== TUS_VERSION) throw new AppError('uploadProtocol');
}

/** Reads a number of bytes from a header. @throws AppError invalid */
export function readCount(headers: Headers, name: string): number {
  const text = single(headers, name.toLowerCase()) ?? '';
  const value = Number(text);
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(value)) {
    throw new AppError('invalid', { [name]: 'Must be a number of bytes' });
  }
  return value;
}

/** Parses Upload-Metadata: comma-separated pairs of a key and a base64 value in UTF-8. @throws AppError invalid */
export function readMetadata(headers: Headers): Map<string, string> {
  const text = single(headers, 'upload-metadata') ?? '';
  if (text.length > METADATA_MAX) throw new AppError('invalid', { 'Upload-Metadata': 'Too long' });
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return new Map(
    pairs.map((pair) => {
      const [key = '', value = ''] = pair.trim().split(' ');
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(value)) {
        throw new AppError('invalid', { 'Upload-Metadata': 'Values must be base64' });
      }
      return [key, Buffer.from(value, 'base64').toString('utf8')] as const;
    }),
  );
}

export type Checksum = { algorithm: (typeof CHECKSUM_ALGORITHMS)[number]; digest: Buffer };

/**
 * Parses the Upload-Checksum of one PATCH request; null if there is none. @throws AppError invalid for an unsupported
 * algorithm
 */
export function readChecksum(headers: Headers): Checksum | null {
  const text = single(headers, 'upload-checksum');
  if (text === undefined) return null;
  const [name = '', value = ''] = text.trim().split(' ');
  const algorithm = CHECKSUM_ALGORITHMS.find((known) => known === name);
  const digest = Buffer.from(value, 'base64');
  if (algorithm === undefined || digest.byteLength !== (algorithm === 'sha1' ? 20 : 32)) {
    throw new AppError('invalid', { 'Upload-Checksum': `Use ${CHECKSUM_ALGORITHMS.join(' or ')} in base64` });
  }
  return { algorithm, digest };
}
