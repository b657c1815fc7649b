/** Types of the part of yauzl 3 that is used here, since the package contains none. */
declare module 'yauzl' {
  import type { Readable } from 'node:stream';

  export type Entry = {
    versionMadeBy: number;
    generalPurposeBitFlag: number;
    compressionMethod: number;
    crc32: number;
    compressedSize: number;
    uncompressedSize: number;
    externalFileAttributes: number;
    relativeOffsetOfLocalHeader: number;
    /** Undecoded bytes, because of the option `decodeStrings: false`. */
    fileName: Buffer;
    fileNameRaw: Buffer;
    extraFields: { id: number; data: Buffer }[];
  };

  export type LocalFileHeader = {
    fileDataStart: number;
    generalPurposeBitFlag: number;
    compressionMethod: number;
    crc32: number;
    compressedSize: number;
    uncompressedSize: number;
    fileName: Buffer;
  };

  export type ZipFile = {
    entryCount: number;
    eachEntry: () => AsyncIterable<Entry>;
    readLocalFileHeaderPromise: (entry: Entry) => Promise<LocalFileHeader>;
    openReadStreamPromise: (entry: Entry) => Promise<Readable>;
    close: () => void;
  };

  export class RandomAccessReader {
    /** `end` is exclusive. */
    _readStreamForRange(start: number, end: number): Readable;
    read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null, bytesRead?: number) => void,
    ): void;
    close(callback: (error?: Error | null) => void): void;
  }

  export type Options = { autoClose?: boolean; decodeStrings?: boolean; validateEntrySizes?: boolean };

  const yauzl: {
    RandomAccessReader: typeof RandomAccessReader;
    fromRandomAccessReaderPromise: (reader: RandomAccessReader, size: number, options: Options) => Promise<ZipFile>;
    getFileNameLowLevel: (
      flags: number,
      name: Buffer,
      extraFields: Entry['extraFields'],
      strictFileNames: boolean,
    ) => string;
  };
  export default yauzl;
}
