/** Bytes that are read in slices, never as a whole. */
export type Slices = {
  sizeBytes: number;
  /** Returns exactly the bytes from `start` to `end`. Throws if they cannot be read. */
  read: (start: number, end: number) => Promise<Uint8Array>;
};

/** A file of a package. */
export type PackedFile = Slices & { path: string };

/** Files found in a zip or a folder. */
export type Found = {
  files: PackedFile[];
  /** Faults of the zip itself, as sentences. */
  faults: string[];
};

/** Error for input that is not a package at all; the message says what to do. */
export class NotAPackage extends Error {
  override name = 'NotAPackage';
}

export const partOf = (slices: Slices, start: number, end: number): Slices => ({
  sizeBytes: end - start,
  read: (from, to) => slices.read(start + from, start + to),
});
