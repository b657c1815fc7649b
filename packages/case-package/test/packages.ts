import { getPublicKey, sign } from '@noble/ed25519';
import { sha256 } from '@noble/hashes/sha2.js';
import { fileHasher, hex, plainHashing } from '../src/hashing.ts';
import {
  AUDIT_PATH,
  BLOCK_BYTES,
  type CaseManifest,
  KEY_PATH,
  MANIFEST_PATH,
  SIGNATURE_PATH,
  SUMS_PATH,
} from '../src/manifest.ts';
import { checkpointBytes, SPKI_HEAD } from '../src/signature.ts';
import type { Found } from '../src/source.ts';

/** Small packages in memory for tests, with the structure that the server produces. */
export type TestPackage = Map<string, Uint8Array>;

const CASE_ID = '6a1f2c3d-0000-4000-8000-000000000001';
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** Returns a test key by its number, with its public key in PEM. */
export function testKey(number = 1) {
  const secret = new Uint8Array(32).fill(number);
  const der = Uint8Array.from([...SPKI_HEAD, ...getPublicKey(secret)]);
  const pem = `-----BEGIN PUBLIC KEY-----\n${btoa(String.fromCharCode(...der))}\n-----END PUBLIC KEY-----\n`;
  return { secret, pem, fingerprint: hex(sha256(der)) };
}

const listed = (path: string, bytes: Uint8Array) => {
  const hasher = fileHasher(plainHashing);
  hasher.update(bytes);
  return { path, ...hasher.end() };
};

/** Returns a complete and signed package of these files. */
export function testPackage(files: Readonly<Record<string, Uint8Array>>, key = testKey()): TestPackage {
  const made: TestPackage = new Map(Object.entries(files));
  made.set(KEY_PATH, text(key.pem));
  const sums = [...made].map(([path, bytes]) => `${listed(path, bytes).sha256}  ${path}\n`).join('');
  made.set(SUMS_PATH, text(sums));
  made.set(AUDIT_PATH, text(proofOf(hex(sha256(text(sums))), key)));
  const manifest: CaseManifest = {
    ...{ format: 'osprey-case', formatVersion: 1 },
    case: { id: CASE_ID, number: 7, name: 'Kea', version: 2 },
    ...{ label: 'RESTRICTED', maker: 'kea', releasedBy: null, made: '2026-06-01T09:00:00.000Z' },
    ...{ server: { name: 'Test', version: '0' }, keyFingerprint: key.fingerprint, blockBytes: BLOCK_BYTES },
    files: [...made].map(([path, bytes]) => listed(path, bytes)),
  };
  return signed(made, manifest, key);
}

/** Returns the package with another manifest and its new signature. */
export function signed(files: TestPackage, manifest: unknown, key = testKey()): TestPackage {
  const bytes = text(JSON.stringify(manifest));
  return new Map([...files, [MANIFEST_PATH, bytes], [SIGNATURE_PATH, sign(bytes, key.secret)]]);
}

export const manifestIn = (files: TestPackage): CaseManifest =>
  JSON.parse(new TextDecoder().decode(files.get(MANIFEST_PATH)));

function proofOf(sumsSha256: string, key: ReturnType<typeof testKey>): string {
  const columns = ['node', 'seq', 'action', 'item_id', 'result', 'reason'];
  const row = {
    ...{ node: 'cases', seq: 1, action: 'case.exported', item_id: CASE_ID, result: 'version 2' },
    reason: `SHA-256 of SHA256SUMS ${sumsSha256}`,
    previous_hash: '0'.repeat(64),
  };
  const canonical = text(JSON.stringify(columns.map((column) => row[column as keyof typeof row])));
  const hash = hex(sha256.create().update(new Uint8Array(32)).update(canonical).digest());
  const unsigned = { number: 1, time: 1, chains: [{ node: 'cases', seq: 1, hash }], key: key.fingerprint.slice(0, 16) };
  const signature = btoa(String.fromCharCode(...sign(checkpointBytes(unsigned), key.secret)));
  return JSON.stringify({ columns, row: { ...row, hash }, checkpoint: { ...unsigned, signature } });
}

/** Returns the package as files of a folder. */
export const foundIn = (files: TestPackage): Found => ({
  files: [...files].map(([path, bytes]) => ({
    path,
    sizeBytes: bytes.length,
    read: async (start, end) => bytes.slice(start, end),
  })),
  faults: [],
});

/** Returns a zip of the files without compression; `between` is inserted before the tables at its end. */
export function zipOf(files: TestPackage, between: Uint8Array = new Uint8Array()): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [path, bytes] of files) {
    const name = text(path);
    const shared = numbers(
      [20, 2],
      [0x800, 2],
      [0, 2],
      [0, 4],
      [crc32(bytes), 4],
      [bytes.length, 4],
      [bytes.length, 4],
    );
    const local = [numbers([0x04034b50, 4]), shared, numbers([name.length, 2], [0, 2]), name, bytes];
    const fields = numbers([name.length, 2], [0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]);
    directory.push(numbers([0x02014b50, 4], [20, 2]), shared, fields, name);
    parts.push(...local);
    offset += local.reduce((sum, { length }) => sum + length, 0);
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  const counts: [number, number][] = [
    [files.size, 2],
    [files.size, 2],
  ];
  const end = numbers([0x06054b50, 4], [0, 4], ...counts, [length, 4], [offset + between.length, 4], [0, 2]);
  return joined([...parts, between, ...directory, end]);
}

/** Encodes values with their widths in bytes, least significant byte first. */
const numbers = (...fields: [value: number, width: number][]): Uint8Array =>
  Uint8Array.from(
    fields.flatMap(([value, width]) => Array.from({ length: width }, (_, at) => (value / 256 ** at) & 255)),
  );

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
