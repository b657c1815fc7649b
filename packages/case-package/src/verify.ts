import { type Hashing, hex } from './hashing.ts';
import {
  AUDIT_PATH,
  auditProof,
  BLOCK_BYTES,
  type CaseManifest,
  caseManifest,
  KEY_PATH,
  type ListedFile,
  MANIFEST_MAX_BYTES,
  MANIFEST_PATH,
  SIGNATURE_PATH,
  SUMS_PATH,
} from './manifest.ts';
import { faultOfProof, isSignedBy, keyOfPem, type VerifyingKey } from './signature.ts';
import { type Found, NotAPackage, type PackedFile } from './source.ts';

export type FaultKind = 'changed' | 'missing' | 'added' | 'manifest' | 'signature' | 'audit' | 'zip';

export type Fault = {
  kind: FaultKind;
  /** Path of the file; null if the fault concerns no single file. */
  path: string | null;
  /** Number of the first block of 1 MiB that differs in a changed file, counted from 1. */
  block: number | null;
  /** Description as a complete sentence. */
  text: string;
};

export type Verdict = {
  /** Everything is as it was signed; `signer` states whose signature it is. */
  holds: boolean;
  /**
   * `known`: signed by the given key. `unknown`: signed by the key contained in the package, which proves nothing by
   * itself.
   */
  signer: 'known' | 'unknown' | 'nobody';
  /** Fingerprint of the signing key, or of the one in the package. */
  fingerprint: string | null;
  /** Null if the manifest cannot be read. */
  manifest: CaseManifest | null;
  files: number;
  bytes: number;
  faults: Fault[];
};

export type VerifyOptions = {
  hashing: Hashing;
  /** Key obtained independently, in PEM. Without one, the key in the package is used and reported as unknown. */
  keyPem?: string | null;
  progress?: (doneBytes: number, totalBytes: number) => void;
  signal?: AbortSignal;
};

/** Maximum number of faults that are listed. */
const FAULTS_MAX = 200;
const SMALL_FILE_BYTES = 1024 * 1024;

/**
 * Compares the files of a package with its manifest, and the manifest with its signature. Files are read in slices, so
 * that memory does not grow with their size.
 *
 * @throws NotAPackage if there is no manifest; RangeError if the given key is invalid
 */
export async function verifyPackage(found: Found, options: VerifyOptions): Promise<Verdict> {
  const files = new Map(found.files.map((file) => [file.path, file]));
  const faults: Fault[] = found.faults.map((text) => fault('zip', null, text));
  const duplicates = found.files.filter((file) => files.get(file.path) !== file);
  for (const { path } of duplicates) faults.push(fault('added', path, `${path} is there twice.`));

  const manifestFile = files.get(MANIFEST_PATH);
  if (manifestFile === undefined) {
    throw new NotAPackage('There is no manifest.json: this is no package of a case, or its manifest was taken away.');
  }
  const manifestBytes = await whole(manifestFile, MANIFEST_MAX_BYTES);
  if (manifestBytes === null) throw new NotAPackage('The manifest is longer than one of a package of a case can be.');
  const signed = await signerOf(files, manifestBytes, options.keyPem ?? null);
  if (signed.text !== null) faults.push(fault('signature', SIGNATURE_PATH, signed.text));
  const manifest = readJson(manifestBytes, caseManifest);
  const sum = { files: 0, bytes: 0 };
  if (manifest === null) {
    faults.push(fault('manifest', MANIFEST_PATH, 'The manifest was changed: it is no list of files any more.'));
  } else {
    await compare(manifest);
    await checkAudit(manifest);
  }
  return {
    ...{ holds: faults.length === 0, signer: signed.signer, fingerprint: signed.key?.fingerprint ?? null },
    ...{ manifest, ...sum, faults: faults.slice(0, FAULTS_MAX) },
  };

  async function compare({ files: listed }: CaseManifest): Promise<void> {
    const names = new Set([MANIFEST_PATH, SIGNATURE_PATH, ...listed.map(({ path }) => path)]);
    for (const { path } of found.files) {
      if (!names.has(path)) faults.push(fault('added', path, `${path} was added: the manifest does not name it.`));
    }
    const totalBytes = listed.reduce((all, { sizeBytes }) => all + sizeBytes, 0);
    let doneBytes = 0;
    const read = (bytes: number) => {
      doneBytes += bytes;
      options.progress?.(doneBytes, totalBytes);
    };
    for (const one of listed) {
      options.signal?.throwIfAborted();
      const file = files.get(one.path);
      if (file === undefined) faults.push(fault('missing', one.path, `${one.path} is missing.`));
      else {
        const difference = await differenceOf(file, one, options, read);
        if (difference !== null) faults.push(difference);
        sum.files += 1;
        sum.bytes += file.sizeBytes;
      }
    }
  }

  async function checkAudit(known: CaseManifest): Promise<void> {
    const file = files.get(AUDIT_PATH);
    const isListed = known.files.some(({ path }) => path === AUDIT_PATH);
    // A missing file has been reported already.
    if (file === undefined && isListed) return;
    const bytes = file && (await whole(file, SMALL_FILE_BYTES));
    const proof = bytes ? readJson(bytes, auditProof) : null;
    const sumsSha256 = known.files.find(({ path }) => path === SUMS_PATH)?.sha256 ?? null;
    const text =
      proof === null || signed.key === null
        ? 'The package brings no proof of its row in the audit that could be checked.'
        : faultOfProof(proof, signed.key, { caseId: known.case.id, sumsSha256 });
    if (text !== null) faults.push(fault('audit', AUDIT_PATH, text));
  }
}

type Signed = { signer: Verdict['signer']; key: VerifyingKey | null; text: string | null };

async function signerOf(
  files: ReadonlyMap<string, PackedFile>,
  manifest: Uint8Array,
  keyPem: string | null,
): Promise<Signed> {
  const given = keyPem === null ? null : keyOfPem(keyPem);
  if (keyPem !== null && given === null) throw new RangeError('The given key is no Ed25519 public key in PEM.');
  const enclosed = await enclosedKey(files);
  const signatureFile = files.get(SIGNATURE_PATH);
  const signature = signatureFile === undefined ? null : await whole(signatureFile, SMALL_FILE_BYTES);
  if (signature === null) {
    return {
      signer: 'nobody',
      key: given ?? enclosed,
      text: 'The manifest has no signature: manifest.sig is missing.',
    };
  }
  if (given !== null && isSignedBy(given, signature, manifest)) return { signer: 'known', key: given, text: null };
  if (enclosed !== null && isSignedBy(enclosed, signature, manifest)) {
    const text = given && 'The manifest is signed by another key than the one given.';
    return { signer: 'unknown', key: enclosed, text };
  }
  const text = 'The manifest was changed after it was signed, or its signature was: they do not fit each other.';
  return { signer: 'nobody', key: given ?? enclosed, text };
}

async function enclosedKey(files: ReadonlyMap<string, PackedFile>): Promise<VerifyingKey | null> {
  const file = files.get(KEY_PATH);
  const bytes = file === undefined ? null : await whole(file, SMALL_FILE_BYTES);
  return bytes === null ? null : keyOfPem(new TextDecoder().decode(bytes));
}

/** Returns the fault with the first block that differs; null if the file is as it was signed. */
async function differenceOf(
  file: PackedFile,
  listed: ListedFile,
  { hashing, signal }: VerifyOptions,
  read: (bytes: number) => void,
): Promise<Fault | null> {
  const { path, sizeBytes, blocks } = listed;
  const isLong = file.sizeBytes !== sizeBytes;
  const running = hashing.begin?.() ?? null;
  let first: number | null = null;
  let coming = sliceOf(file, 0);
  for (let at = 0, index = 0; at < file.sizeBytes; at += BLOCK_BYTES, index += 1) {
    signal?.throwIfAborted();
    const bytes = await coming;
    // The next block is read while this one is hashed.
    coming = sliceOf(file, at + BLOCK_BYTES);
    // The loop may end early without awaiting this promise.
    coming.catch(() => undefined);
    const sum = hashing.of(bytes);
    if (first === null) running?.update(bytes);
    if (hex(await sum) !== blocks[index]) first ??= index;
    read(Math.max(0, Math.min(bytes.length, sizeBytes - at)));
    if (first !== null) break;
  }
  await coming.catch(() => undefined);
  read(Math.max(0, sizeBytes - Math.ceil(((first ?? blocks.length) + 1) * BLOCK_BYTES)));
  if (first !== null && first < blocks.length) {
    const from = first * BLOCK_BYTES;
    const to = Math.min(from + BLOCK_BYTES, sizeBytes) - 1;
    const text = `${path} was changed: block ${first + 1} of ${blocks.length} (bytes ${from} to ${to}) differs.`;
    return { kind: 'changed', path, block: first + 1, text };
  }
  if (isLong) {
    const text = `${path} was changed: it has ${file.sizeBytes} bytes and had ${sizeBytes}.`;
    return { kind: 'changed', path, block: Math.floor(Math.min(file.sizeBytes, sizeBytes) / BLOCK_BYTES) + 1, text };
  }
  if (running === null || hex(running.digest()) === listed.sha256) return null;
  return fault('manifest', path, `The manifest contradicts itself about ${path}: its SHA-256 is another one.`);
}

async function sliceOf(file: PackedFile, at: number): Promise<Uint8Array> {
  return at < file.sizeBytes ? file.read(at, Math.min(at + BLOCK_BYTES, file.sizeBytes)) : new Uint8Array();
}

const whole = async (file: PackedFile, max: number): Promise<Uint8Array | null> =>
  file.sizeBytes > max ? null : file.read(0, file.sizeBytes);

const fault = (kind: FaultKind, path: string | null, text: string): Fault => ({ kind, path, block: null, text });

type Schema<T> = { safeParse: (value: unknown) => { success: true; data: T } | { success: false } };

function readJson<T>(bytes: Uint8Array, schema: Schema<T>): T | null {
  try {
    const parsed = schema.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
