import { PackageRefused } from './manifest.ts';

/**
 * The part of POSIX ustar that a release needs: files, folders and symbolic links within the tree. Everything else is
 * refused: hard links, devices, pipes, and the extensions that give names in another way.
 */
export type TarEntry = {
  kind: 'file' | 'folder' | 'link';
  /** Relative, with `/` between names. */
  path: string;
  sizeBytes: number;
  isProgram: boolean;
  /** Of a link: where it leads, relative to the folder that holds it. */
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
const MAGIC = 'ustar\x0000';
const PROGRAM_BIT = 0o100;

/** A whole archive: entries in the given order, with no time, account or mode of the machine that made it. */
export async function* tarOf(
  entries: AsyncIterable<TarEntry & { content: AsyncIterable<Uint8Array> | null }>,
): AsyncGenerator<Uint8Array> {
  for await (const entry of entries) {
    yield headerOf(entry);
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

function headerOf({ kind, path, sizeBytes, isProgram, target }: TarEntry): Buffer {
  const header = Buffer.alloc(BLOCK);
  const put = (field: keyof typeof FIELD, text: string) => header.write(text, FIELD[field][0], 'utf8');
  const octal = (field: 'mode' | 'size', value: number) =>
    put(field, value.toString(8).padStart(FIELD[field][1] - 1, '0'));
  const [prefix, name] = splitName(path);
  if (Buffer.byteLength(target) > NAME_BYTES) throw new Error(`The link ${path} leads too far for an archive`);
  put('name', name);
  put('prefix', prefix);
  put('target', target);
  octal('mode', kind === 'folder' || isProgram ? 0o755 : 0o644);
  octal('size', sizeBytes);
  put('type', TYPES[kind]);
  put('magic', MAGIC);
  put('checksum', `${sumOf(header).toString(8).padStart(6, '0')}\0 `);
  return header;
}

/** At a `/`, so that each half fits its field. */
function splitName(path: string): [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= NAME_BYTES) return ['', path];
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(prefix) <= PREFIX_BYTES && Buffer.byteLength(name) <= NAME_BYTES) return [prefix, name];
  }
  throw new Error(`The name ${path} is too long for an archive`);
}

/** Sum of the header's bytes, its own field counted as spaces. */
function sumOf(header: Buffer): number {
  const [at, length] = FIELD.checksum;
  let sum = length * 0x20;
  for (const [index, byte] of header.entries()) if (index < at || index >= at + length) sum += byte;
  return sum;
}

/**
 * Gives each entry to `take`, which reads the content to its end; memory holds one piece of the source.
 *
 * @throws PackageRefused for anything that is not a plain entry within the tree, and for one that comes twice
 */
export async function readTar(
  source: AsyncIterable<Buffer>,
  take: (entry: TarEntry, content: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const bytes = pieces(source);
  const seen = new Set<string>();
  for (;;) {
    const header = await bytes.exactly(BLOCK);
    // Two empty blocks end an archive; the rest of it is empty too.
    if (header.every((byte) => byte === 0)) break;
    const entry = entryOf(header);
    if (seen.has(entry.path)) throw new PackageRefused(`Its archive has ${shown(entry.path)} twice.`);
    seen.add(entry.path);
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
}

/** Reads as many bytes as are asked for. */
function pieces(source: AsyncIterable<Buffer>) {
  const iterator = source[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  async function more(): Promise<boolean> {
    const { done, value } = await iterator.next();
    if (!done) held = held.length === 0 ? value : Buffer.concat([held, value]);
    return !done;
  }
  function cut(length: number): Buffer {
    const piece = held.subarray(0, length);
    held = held.subarray(length);
    return piece;
  }
  const broken = () => new PackageRefused('Its archive ends in the middle.');
  return {
    async exactly(length: number): Promise<Buffer> {
      while (held.length < length) if (!(await more())) throw broken();
      return cut(length);
    },
    async atMost(length: number): Promise<Buffer> {
      while (held.length === 0) if (!(await more())) throw broken();
      return cut(length);
    },
    async *rest(): AsyncGenerator<Buffer> {
      do {
        yield cut(held.length);
      } while (await more());
    },
  };
}

function entryOf(header: Buffer): TarEntry {
  const text = (field: keyof typeof FIELD) => {
    const [at, length] = FIELD[field];
    const bytes = header.subarray(at, at + length);
    const end = bytes.indexOf(0);
    return bytes.subarray(0, end < 0 ? length : end).toString('utf8');
  };
  const octal = (field: 'mode' | 'size' | 'checksum') => {
    const found = /^([0-7]{1,11})[ \0]*$/.exec(text(field).trimEnd());
    if (found === null) throw new PackageRefused('Its archive is not one of a release.');
    return Number.parseInt(found[1]!, 8);
  };
  if (octal('checksum') !== sumOf(header)) throw new PackageRefused('Its archive is not one of a release.');
  const prefix = text('prefix');
  const path = (prefix === '' ? text('name') : `${prefix}/${text('name')}`).replace(/\/$/, '');
  if (!isPlainPath(path)) throw new PackageRefused(`Its archive names ${shown(path)}, which leads out of its folder.`);
  const type = text('type');
  const kind = (['file', 'link', 'folder'] as const).find((one) => TYPES[one] === type);
  if (kind === undefined) {
    throw new PackageRefused(`Its archive holds ${shown(path)}, which is neither a file, a folder nor a plain link.`);
  }
  const target = kind === 'link' ? text('target') : '';
  if (kind === 'link' && !staysInside(path, target)) {
    throw new PackageRefused(`Its archive holds the link ${shown(path)}, which leads out of its folder.`);
  }
  const sizeBytes = kind === 'file' ? octal('size') : 0;
  return { kind, path, sizeBytes, isProgram: (octal('mode') & PROGRAM_BIT) !== 0, target };
}

/** Relative, and made of names alone. */
function isPlainPath(path: string): boolean {
  const isText = !/[\p{Cc}\\\uFFFD]/u.test(path);
  return isText && path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
}

/**
 * Upward first, no further than the tree, then down by names. `..` after a name is refused: where that name is a link
 * too, it leads to another place than it seems to.
 */
function staysInside(path: string, target: string): boolean {
  const [up = '', down = ''] = [/^(?:\.\.\/)*/.exec(target)?.[0], target.replace(/^(?:\.\.\/)*/, '')];
  const depth = path.split('/').length - 1;
  return up.length / 3 <= depth && isPlainPath(down);
}

/** For a message: short, and without characters that would move a terminal. */
const shown = (path: string): string => JSON.stringify(path.slice(0, 80).replace(/\p{Cc}/gu, '?'));
