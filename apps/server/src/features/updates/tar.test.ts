import { expect, it } from 'vitest';
import { readTar, type TarEntry, tarOf } from './tar.ts';

const plain = { kind: 'file', sizeBytes: 0, isProgram: false, target: '' } as const;
type Given = Partial<TarEntry> & { path: string; text?: string };

/** Archive of these entries. */
async function archive(...entries: Given[]): Promise<Buffer> {
  async function* given() {
    for (const { text = '', ...entry } of entries) {
      const content = (async function* () {
        yield Buffer.from(text);
      })();
      yield { ...plain, sizeBytes: text.length, ...entry, content: text === '' ? null : content };
    }
  }
  return readAll(tarOf(given()));
}

async function readAll(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Entries that are read, with their content. */
async function read(bytes: Buffer, size = 700): Promise<string[]> {
  const found: string[] = [];
  await readTar(inPieces(bytes, size), async ({ kind, path, target, isProgram }, content) => {
    const text = (await readAll(content)).toString();
    found.push([kind, path, target || text, ...(isProgram ? ['program'] : [])].join(' '));
  });
  return found;
}

/** The header of the first entry with other bytes, and the checksum that they ask for. */
function changed(bytes: Buffer, at: number, text: string): Buffer {
  const copy = Buffer.from(bytes);
  copy.write(text, at, 'latin1');
  copy.fill(0x20, 148, 156);
  const sum = copy.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  copy.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return copy;
}

it('reads what it wrote, in pieces of any size', async () => {
  const long = `${'folder/'.repeat(20)}${'x'.repeat(90)}`;
  const bytes = await archive(
    { path: 'a', text: 'x'.repeat(1500) },
    { path: 'bin/run', text: '#!', isProgram: true },
    { path: 'bin', kind: 'folder' },
    { path: 'bin/link', kind: 'link', target: '../a' },
    { path: long, text: 'far' },
    { path: `assets/${'é'.repeat(80)}.css`, text: 'longer than a header' },
  );

  for (const size of [1, 511, 512, 100_000]) {
    expect(await read(bytes, size)).toEqual([
      `file a ${'x'.repeat(1500)}`,
      'file bin/run #! program',
      'folder bin  program',
      'link bin/link ../a',
      `file ${long} far`,
      `file assets/${'é'.repeat(80)}.css longer than a header`,
    ]);
  }
});

it.each<[string, Given]>([
  ['a name that leads up', { path: '../evil', text: 'x' }],
  ['a name that leads up in its middle', { path: 'a/../../evil', text: 'x' }],
  ['a long name that leads up', { path: `${'a'.repeat(200)}/../../evil`, text: 'x' }],
  ['an absolute name', { path: '/etc/evil', text: 'x' }],
  ['an empty part of a name', { path: 'a//b', text: 'x' }],
  ['a control character', { path: 'a\nb', text: 'x' }],
  ['a backslash', { path: 'a\\..\\b', text: 'x' }],
  ['a link up and out', { path: 'a/link', kind: 'link', target: '../../evil' }],
  ['a link up after a name', { path: 'a/link', kind: 'link', target: 'b/../../../evil' }],
  ['an absolute link', { path: 'link', kind: 'link', target: '/etc/passwd' }],
  ['a link to nothing', { path: 'link', kind: 'link', target: '' }],
])('T-112 refuses %s', async (_what, entry) => {
  await expect(archive(entry).then((bytes) => read(bytes))).rejects.toThrow('leads out of its folder');
});

it.each<[string, Given]>([
  ['a link', { path: 'a/b/c/up/out', kind: 'link', target: '../../../../top' }],
  ['a file', { path: 'a/b/c/up/file', text: 'x' }],
])('T-112 refuses %s in a folder that is a link, before it or after it', async (_what, entry) => {
  const link: Given = { path: 'a/b/c/up', kind: 'link', target: '../../../top' };

  await expect(archive(link, entry).then((bytes) => read(bytes))).rejects.toThrow('into a link, not into a folder');
  await expect(archive(entry, link).then((bytes) => read(bytes))).rejects.toThrow('into a link, not into a folder');
});

it.each([
  ['hard link', '1'],
  ['character device', '3'],
  ['block device', '4'],
  ['pipe', '6'],
  ['record for all entries (pax)', 'g'],
  ['long name (GNU)', 'L'],
])('T-112 refuses a %s', async (_what, type) => {
  const bytes = changed(await archive({ path: 'a' }), 156, type);

  await expect(read(bytes)).rejects.toThrow('neither a file, a folder nor a plain link');
});

it('takes no other record in place of a long name', async () => {
  const name = 'a'.repeat(120);
  const bytes = await archive({ path: name, text: 'x' });
  const other = Buffer.from(bytes.toString('latin1').replace(' path=', ' size='), 'latin1');

  expect(await read(bytes)).toEqual([`file ${name} x`]);
  await expect(read(other)).rejects.toThrow('not one of a release');
});

it('refuses an archive that is cut, damaged, goes on after its end, or names an entry twice', async () => {
  const bytes = await archive({ path: 'a', text: 'content' });
  const wrong = Buffer.from(bytes);
  wrong[0] = 0x62;

  await expect(read(bytes.subarray(0, 700))).rejects.toThrow('ends in the middle');
  await expect(read(wrong)).rejects.toThrow('not one of a release');
  await expect(read(changed(bytes, 124, '99999999999'))).rejects.toThrow('not one of a release');
  await expect(read(Buffer.concat([bytes, Buffer.from('more')]))).rejects.toThrow('goes on after its end');
  await expect(archive({ path: 'a' }, { path: 'a' }).then((twice) => read(twice))).rejects.toThrow('has "a" twice');
});
