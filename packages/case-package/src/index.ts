export { fastestHashing, fileHasher, type Hashed, type Hashing, hex, plainHashing } from './hashing.ts';
export {
  AUDIT_PATH,
  AUDIT_SUMS_PATH,
  type AuditProof,
  BLOCK_BYTES,
  type CaseManifest,
  FILES_MAX,
  isSafeRelativePath,
  KEY_PATH,
  type ListedFile,
  MANIFEST_PATH,
  SIGNATURE_PATH,
  SUMS_PATH,
} from './manifest.ts';
export { keyOfPem } from './signature.ts';
export { type Found, NotAPackage, type PackedFile, type Slices } from './source.ts';
export { type Fault, type Verdict, type VerifyOptions, verifyPackage } from './verify.ts';
export { readZip } from './zip.ts';
