import { FILES_MAX } from './manifest.ts';
import { type Found, NotAPackage, type PackedFile, partOf, type Slices } from './source.ts';

/** Signatures and lengths of zip structures according to APPNOTE.TXT 6.3.10, sections 4.3 and 4.5.3. */
const LOCAL = { signature: 0x04034b50, bytes: 30 };
const CENTRAL = { signature: 0x02014b50, bytes: 46 };
const END = { signature: 0x06054b50, bytes: 22, commentMax: 65_535 };
const END64 = { signature: 0x06064b50, bytes: 56 };
const LOCATOR64 = { signature: 0x07064b50, bytes: 20 };
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const EXTRA64 = 1;
/** Possible lengths of a data descriptor: with and without signature, with sizes of 4 or 8 bytes. */
const DESCRIPTOR_LENGTHS = new Set([12, 16, 20, 24]);
const FLAG_ENCRYPTED = 1;
const DIRECTORY_MAX_BYTES = FILES_MAX * 2 * 512;
const UNSET32 = 0xffffffff;

type Entry = { path: string; offset: number; sizeBytes: number };
/** `isTight`: from the directory's first byte to the end of the zip there is nothing but the zip's tables. */
type Directory = { offset: number; sizeBytes: number; count: number; isTight: boolean };

/**
 * Returns the files of a zip without compression. Every byte must belong to a file or to the zip's own tables, since
 * bytes in between could be anything.
 *
 * @throws NotAPackage if it is not a zip, or was repacked
 */
export async function readZip(zip: Slices): Promise<Found> {
  const directory = await findDirectory(zip);
  const entries = await readEntries(zip, directory);
  const faults: string[] = [];
  const files: PackedFile[] = [];
  let end = 0;
  for (const entry of entries.sort((a, b) => a.offset - b.offset)) {
    const { path, sizeBytes } = entry;
    const start = await dataStart(zip, entry, directory.offset);
    if (start === null) {
      faults.push(`The zip says of ${path} two different things.`);
      continue;
    }
    if (!(await isBetween(zip, end, entry.offset))) faults.push(`Before ${path} lie bytes that belong to no file.`);
    files.push({ path, ...partOf(zip, start, start + sizeBytes) });
    end = start + sizeBytes;
  }
  if (!(await isBetween(zip, end, directory.offset)))
    faults.push('After the last file lie bytes that belong to no file.');
  if (!directory.isTight) faults.push('In the tables of the zip, or after them, lie more bytes.');
  return { files, faults };
}

async function findDirectory(zip: Slices): Promise<Directory> {
  const tailStart = Math.max(0, zip.sizeBytes - END.bytes - END.commentMax - LOCATOR64.bytes);
  const tail = viewOf(await zip.read(tailStart, zip.sizeBytes));
  for (let at = tail.byteLength - END.bytes; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== END.signature) continue;
    if (tailStart + at + END.bytes + tail.getUint16(at + 20, true) > zip.sizeBytes) continue;
    const plain = {
      ...{ count: tail.getUint16(at + 10, true), sizeBytes: tail.getUint32(at + 12, true) },
      offset: tail.getUint32(at + 16, true),
    };
    const locator = at - LOCATOR64.bytes;
    const isLarge = locator >= 0 && tail.getUint32(locator, true) === LOCATOR64.signature;
    const directory = isLarge ? await large(zip, long(tail, locator + 8)) : plain;
    const ends = directory.offset + directory.sizeBytes;
    if (ends > tailStart + at) continue;
    const tables = END.bytes + (isLarge ? END64.bytes + LOCATOR64.bytes : 0);
    return { ...directory, isTight: ends + tables === zip.sizeBytes };
  }
  throw new NotAPackage('This is no whole zip: its end is missing. Copy it again from where you got it.');
}

async function large(zip: Slices, at: number): Promise<Omit<Directory, 'isTight'>> {
  const view = at + END64.bytes <= zip.sizeBytes ? viewOf(await zip.read(at, at + END64.bytes)) : null;
  if (view?.getUint32(0, true) !== END64.signature) throw new NotAPackage('The tables of this zip are damaged.');
  return { count: long(view, 32), sizeBytes: long(view, 40), offset: long(view, 48) };
}

async function readEntries(zip: Slices, { offset, sizeBytes, count }: Directory): Promise<Entry[]> {
  if (sizeBytes > DIRECTORY_MAX_BYTES)
    throw new NotAPackage('This zip holds more files than a package of a case does.');
  const bytes = await zip.read(offset, offset + sizeBytes);
  const view = viewOf(bytes);
  const entries: Entry[] = [];
  let at = 0;
  while (at < sizeBytes) {
    if (at + CENTRAL.bytes > sizeBytes || view.getUint32(at, true) !== CENTRAL.signature) break;
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => view.getUint16(at + place, true)) as [
      number,
      number,
      number,
    ];
    const end = at + CENTRAL.bytes + nameLength + extraLength + commentLength;
    if (end > sizeBytes) break;
    const path = new TextDecoder().decode(bytes.subarray(at + CENTRAL.bytes, at + CENTRAL.bytes + nameLength));
    const flags = view.getUint16(at + 8, true);
    const isStored = view.getUint16(at + 10, true) === 0 && (flags & FLAG_ENCRYPTED) === 0;
    if (!isStored) {
      throw new NotAPackage('This zip was packed again by another program. Unpack it and choose the folder instead.');
    }
    const extra = new DataView(bytes.buffer, bytes.byteOffset + at + CENTRAL.bytes + nameLength, extraLength);
    const [size, packed, place] = lengths(view, at, extra);
    if (size !== packed) throw new NotAPackage('The tables of this zip are damaged.');
    // Entries for folders are skipped.
    if (!(path.endsWith('/') && size === 0)) entries.push({ path, offset: place, sizeBytes: size });
    at = end;
  }
  if (at !== sizeBytes || entries.length > count) throw new NotAPackage('The tables of this zip are damaged.');
  return entries;
}

/** Returns size, packed size and offset of an entry. A value too large for its field is stored in an extra field. */
function lengths(view: DataView, at: number, extra: DataView): [number, number, number] {
  const plain = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)];
  let from = extraOf(extra);
  const found = plain.map((value) => {
    if (value !== UNSET32) return value;
    if (from === null || from + 8 > extra.byteLength) throw new NotAPackage('The tables of this zip are damaged.');
    from += 8;
    return long(extra, from - 8);
  });
  return found as [number, number, number];
}

function extraOf(extra: DataView): number | null {
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    if (extra.getUint16(at, true) === EXTRA64) return at + 4;
  }
  return null;
}

/** Returns the position of an entry's data; null if its local header differs from the directory. */
async function dataStart(zip: Slices, { path, offset, sizeBytes }: Entry, limit: number): Promise<number | null> {
  const name = new TextEncoder().encode(path);
  const nameEnd = offset + LOCAL.bytes + name.length;
  if (nameEnd > limit) return null;
  const head = await zip.read(offset, nameEnd);
  const view = viewOf(head);
  const isSame =
    view.getUint32(0, true) === LOCAL.signature &&
    view.getUint16(8, true) === 0 &&
    view.getUint16(26, true) === name.length &&
    name.every((byte, at) => head[LOCAL.bytes + at] === byte);
  const start = nameEnd + view.getUint16(28, true);
  return isSame && start + sizeBytes <= limit ? start : null;
}

/** Returns whether there is nothing between two positions, or only a data descriptor. */
async function isBetween(zip: Slices, from: number, to: number): Promise<boolean> {
  if (from === to) return true;
  if (!DESCRIPTOR_LENGTHS.has(to - from)) return false;
  const view = viewOf(await zip.read(from, to));
  const isSigned = view.getUint32(0, true) === DESCRIPTOR_SIGNATURE;
  return isSigned === (to - from === 16 || to - from === 24);
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function long(view: DataView, at: number): number {
  const value = Number(view.getBigUint64(at, true));
  if (!Number.isSafeInteger(value)) throw new NotAPackage('The tables of this zip are damaged.');
  return value;
}
