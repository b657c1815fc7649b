/** Bytes that are read in slices, never as a whole. */
export type Slices = {
  sizeBytes: number;
  /** Exactly the bytes from `start` to `end`. Throws where they cannot be read. */
  read: (start: number, end: number) => Promise<Uint8Array>;
};

/** A file of a package. */
export type PackedFile = Slices & { path: string };

/** Files of a zip or a folder, as found. */
export type Found = {
  files: PackedFile[];
  /** Faults of the zip itself, as sentences. */
  faults: string[];
};

/** Not a package at all: the text says what to do. */
export class NotAPackage extends Error {
  override name = 'NotAPackage';
}

export const partOf = (slices: Slices, start: number, end: number): Slices => ({
  sizeBytes: end - start,
  read: (from, to) => slices.read(start + from, start + to),
});
