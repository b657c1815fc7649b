import { PackageRefused } from './manifest.ts';

/**
 * The subset of POSIX ustar that a release needs: files, folders and symbolic links within the tree. Everything else is
 * refused: hard links, devices, pipes and extensions, except for names that are too long for a header (pax records with
 * `path` only).
 */
export type TarEntry = {
  kind: 'file' | 'folder' | 'link';
  /** Relative path with `/` as separator. */
  path: string;
  sizeBytes: number;
  isProgram: boolean;
  /** Target of a link, relative to the folder that contains the link; empty for other entries. */
  target: string;
};

const BLOCK = 512;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;
const FIELD = {
  name: [0, NAME_BYTES],
  mode: [100, 8],
  size: [124, 12],
  checksum: [148, 8],
  type: [156, 1],
  target: [157, NAME_BYTES],
  magic: [257, 8],
  prefix: [345, PREFIX_BYTES],
} as const;
const TYPES = { file: '0', link: '2', folder: '5' } as const;
/** Type of an entry whose content is the name of the following entry. */
const LONG_NAME = 'x';
const LONG_NAME_BYTES = 2048;
const MAGIC = 'ustar\x0000';
const PROGRAM_BIT = 0o100;

/**
 * Writes a complete archive: entries in the given order, without times, accounts and modes of the machine that made it.
 */
export async function* tarOf(
  entries: AsyncIterable<TarEntry & { content: AsyncIterable<Uint8Array> | null }>,
): AsyncGenerator<Uint8Array> {
  for await (const entry of entries) {
    yield* headersOf(entry);
    if (entry.content === null) continue;
    let written = 0;
    for await (const bytes of entry.content) {
      written += bytes.byteLength;
      yield bytes;
    }
    if (written !== entry.sizeBytes) throw new Error(`${entry.path} changed while it was packed`);
    yield Buffer.alloc(padding(written));
  }
  yield Buffer.alloc(2 * BLOCK);
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

function* headersOf(entry: TarEntry): Generator<Buffer> {
  const { kind, path, sizeBytes, target } = entry;
  const names = splitName(path);
  const mode = kind === 'folder' || entry.isProgram ? 0o755 : 0o644;
  const own = { type: TYPES[kind], sizeBytes, target, mode };
  if (Buffer.byteLength(target) > NAME_BYTES) throw new Error(`The link ${path} leads too far for an archive`);
  if (names === null) {
    const record = longNameRecord(path);
    yield headerOf({ type: LONG_NAME, sizeBytes: record.length, target: '', mode: 0o644 }, ['', 'long-name']);
    yield record;
    yield Buffer.alloc(padding(record.length));
  }
  yield headerOf(own, names ?? ['', 'long-name']);
}

/** Creates a pax record such as "30 path=name\n", whose length includes its own digits. */
function longNameRecord(path: string): Buffer {
  const rest = ` path=${path}\n`;
  let length = Buffer.byteLength(rest);
  while (String(length).length + Buffer.byteLength(rest) !== length) length += 1;
  if (length > LONG_NAME_BYTES) throw new Error(`The name ${path} is too long for an archive`);
  return Buffer.from(`${length}${rest}`);
}

type Header = { type: string; sizeBytes: number; target: string; mode: number };

function headerOf({ type, sizeBytes, target, mode }: Header, [prefix, name]: Names): Buffer {
  const header = Buffer.alloc(BLOCK);
  const put = (field: keyof typeof FIELD, text: string) => header.write(text, FIELD[field][0], 'utf8');
  const octal = (field: 'mode' | 'size', value: number) =>
    put(field, value.toString(8).padStart(FIELD[field][1] - 1, '0'));
  put('name', name);
  put('prefix', prefix);
  put('target', target);
  octal('mode', mode);
  octal('size', sizeBytes);
  put('type', type);
  put('magic', MAGIC);
  put('checksum', `${sumOf(header).toString(8).padStart(6, '0')}\0 `);
  return header;
}

type Names = readonly [prefix: string, name: string];

/** Splits a path at a `/` so that both parts fit their header fields; null if that is impossible. */
function splitName(path: string): Names | null {
  if (Buffer.byteLength(path) <= NAME_BYTES) return ['', path];
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(prefix) <= PREFIX_BYTES && Buffer.byteLength(name) <= NAME_BYTES) return [prefix, name];
  }
  return null;
}

/** Returns the checksum: the sum of the header's bytes, with the checksum field counted as spaces. */
function sumOf(header: Buffer): number {
  const [at, length] = FIELD.checksum;
  let sum = length * 0x20;
  for (const [index, byte] of header.entries()) if (index < at || index >= at + length) sum += byte;
  return sum;
}

/**
 * Passes each entry to `take`, which must read the content to its end. Only one piece of the source is kept in memory.
 *
 * @throws PackageRefused for anything but plain entries within the tree, and for a path that occurs twice
 */
export async function readTar(
  source: AsyncIterable<Buffer>,
  take: (entry: TarEntry, content: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const bytes = pieces(source);
  const seen = new Set<string>();
  const links = new Set<string>();
  let longName: string | null = null;
  for (;;) {
    const header = await bytes.exactly(BLOCK);
    // An archive ends with two empty blocks; only empty bytes may follow.
    if (header.every((byte) => byte === 0)) break;
    if (textOf(header, 'type') === LONG_NAME) {
      const size = octalOf(header, 'size');
      if (longName !== null || size > LONG_NAME_BYTES) throw notARelease();
      longName = longNameIn(await bytes.exactly(size));
      await bytes.exactly(padding(size));
      continue;
    }
    const entry = entryOf(header, longName);
    longName = null;
    if (seen.has(entry.path)) throw new PackageRefused(`Its archive has ${shown(entry.path)} twice.`);
    seen.add(entry.path);
    if (entry.kind === 'link') links.add(entry.path);
    let left = entry.sizeBytes;
    async function* content() {
      while (left > 0) {
        const piece = await bytes.atMost(left);
        left -= piece.length;
        yield piece;
      }
    }
    await take(entry, content());
    if (left > 0) throw new Error(`The content of ${entry.path} was not read to its end`);
    await bytes.exactly(padding(entry.sizeBytes));
  }
  for await (const piece of bytes.rest()) {
    if (piece.some((byte) => byte !== 0)) throw new PackageRefused('Its archive goes on after its end.');
  }
  // An entry whose path leads through a link would be created in another folder than its name says, possibly outside of
  // the tree.
  for (const path of seen) {
    if (foldersOf(path).some((folder) => links.has(folder))) {
      throw new PackageRefused(`Its archive puts ${shown(path)} into a link, not into a folder.`);
    }
  }
}

/** Returns the parent folders of a path. */
function foldersOf(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_name, at) => names.slice(0, at + 1).join('/'));
}

/** Returns a reader that reads exactly the requested number of bytes. */
function pieces(source: AsyncIterable<Buffer>) {
  const iterator = source[Symbol.asyncIterator]();
  let pending: Buffer = Buffer.alloc(0);
  async function more(): Promise<boolean> {
    const { done, value } = await iterator.next();
    if (!done) pending = pending.length === 0 ? value : Buffer.concat([pending, value]);
    return !done;
  }
  function cut(length: number): Buffer {
    const piece = pending.subarray(0, length);
    pending = pending.subarray(length);
    return piece;
  }
  const broken = () => new PackageRefused('Its archive ends in the middle.');
  return {
    async exactly(length: number): Promise<Buffer> {
      while (pending.length < length) if (!(await more())) throw broken();
      return cut(length);
    },
    async atMost(length: number): Promise<Buffer> {
      while (pending.length === 0) if (!(await more())) throw broken();
      return cut(length);
    },
    async *rest(): AsyncGenerator<Buffer> {
      do {
        yield cut(pending.length);
      } while (await more());
    },
  };
}

const notARelease = () => new PackageRefused('Its archive is not one of a release.');

function textOf(header: Buffer, field: keyof typeof FIELD): string {
  const [at, length] = FIELD[field];
  const bytes = header.subarray(at, at + length);
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end < 0 ? length : end).toString('utf8');
}

function octalOf(header: Buffer, field: 'mode' | 'size' | 'checksum'): number {
  const found = /^([0-7]{1,11})[ \0]*$/.exec(textOf(header, field).trimEnd());
  if (found === null) throw notARelease();
  return Number.parseInt(found[1]!, 8);
}

/** Parses the only record that is accepted. */
function longNameIn(content: Buffer): string {
  const found = /^(\d{1,4}) path=([^\n]+)\n$/.exec(content.toString('utf8'));
  if (found === null || Number(found[1]) !== content.length) throw notARelease();
  return found[2]!;
}

function entryOf(header: Buffer, longName: string | null): TarEntry {
  if (octalOf(header, 'checksum') !== sumOf(header)) throw notARelease();
  const [prefix, name] = [textOf(header, 'prefix'), textOf(header, 'name')];
  const path = (longName ?? (prefix === '' ? name : `${prefix}/${name}`)).replace(/\/$/, '');
  if (!isSafeRelativePath(path))
    throw new PackageRefused(`Its archive names ${shown(path)}, which leads out of its folder.`);
  const type = textOf(header, 'type');
  const kind = (['file', 'link', 'folder'] as const).find((one) => TYPES[one] === type);
  if (kind === undefined) {
    throw new PackageRefused(`Its archive holds ${shown(path)}, which is neither a file, a folder nor a plain link.`);
  }
  const target = kind === 'link' ? textOf(header, 'target') : '';
  if (kind === 'link' && !staysInside(path, target)) {
    throw new PackageRefused(`Its archive holds the link ${shown(path)}, which leads out of its folder.`);
  }
  const sizeBytes = kind === 'file' ? octalOf(header, 'size') : 0;
  return { kind, path, sizeBytes, isProgram: (octalOf(header, 'mode') & PROGRAM_BIT) !== 0, target };
}

/** Returns whether a path is relative and consists of plain names. */
function isSafeRelativePath(path: string): boolean {
  const isText = !/[\p{Cc}\\\uFFFD]/u.test(path);
  return isText && path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
}

/**
 * Returns whether a link target stays inside the tree: `..` only at the beginning, and no further up than the tree.
 * `..` after a name is refused, since that name may be a link, so that the target would lead elsewhere.
 */
function staysInside(path: string, target: string): boolean {
  const [up = '', down = ''] = [/^(?:\.\.\/)*/.exec(target)?.[0], target.replace(/^(?:\.\.\/)*/, '')];
  const depth = path.split('/').length - 1;
  return up.length / 3 <= depth && isSafeRelativePath(down);
}

/** Formats a path for a message: short, and without control characters, which could affect a terminal. */
const shown = (path: string): string => JSON.stringify(path.slice(0, 80).replace(/\p{Cc}/gu, '?'));
