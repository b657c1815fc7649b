import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '@osprey/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { zipOf } from '../../../test/zip-writer.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { inspectArchive, planArchive, readRun, timesOf } from './archive.ts';
import { openZip } from './zip.ts';

/** Heap that an inspection may take, MiB: a process that needs more ends. */
const HEAP_MB = 192;
const execute = promisify(execFile);

let root: string;
let storage: Storage;
let count = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'osprey-archive-'));
  storage = folderStorage({ root });
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function put(bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<string> {
  count += 1;
  const key = `uploads/${count}.zip`;
  await storage.put(key, bytes);
  return key;
}

/** Everything that can be known of an archive, its data included. */
async function unpackAll(key: string): Promise<Buffer[]> {
  const zip = await openZip(storage, key);
  try {
    const { runs } = await planArchive(zip);
    const unpacked: Buffer[] = [];
    for (const run of runs) {
      const parts: Uint8Array[] = [];
      for await (const bytes of readRun(zip, run, () => {})) parts.push(bytes);
      unpacked.push(Buffer.concat(parts));
    }
    return unpacked;
  } finally {
    await zip.close();
  }
}

const reasonOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => new Error('nothing was refused'),
    (failure: unknown) => failure,
  );
  if (!(error instanceof AppError)) throw error;
  expect(error.code).toBe('badArchive');
  return error.values.reason ?? '';
};

const playlist = (...lines: string[]) => ['#EXTM3U', '#EXT-X-TARGETDURATION:1', ...lines].join('\n');
const hls = (lines: string[], segments: Record<string, string>) =>
  zipOf([
    { name: 'v/index.m3u8', data: Buffer.from(playlist(...lines)) },
    ...Object.entries(segments).map(([name, data]) => ({ name, data: Buffer.from(data) })),
  ]);

describe('an archive', () => {
  it('packed by macOS is taken by its playlist, not by the attributes that macOS adds', async () => {
    const attributes = Buffer.from([0, 5, 0x16, 7, 0, 2, 0, 0, 0xff]);
    const key = await put([
      zipOf([
        { name: 'v/index.m3u8', data: Buffer.from(playlist('#EXTINF:1,', 'a.ts')) },
        { name: 'v/._index.m3u8', data: attributes },
        { name: 'v/a.ts', data: Buffer.from('segment') },
        { name: '__MACOSX/v/._index.m3u8', data: attributes },
      ]),
    ]);

    expect(await unpackAll(key)).toEqual([Buffer.from('segment')]);
  });

  itWithData(
    'T-055 of the bad ones is refused, each for its own reason, and no name of a folder of ours is told',
    async () => {
      const reasons: Record<string, string> = {};
      for (const file of readdirSync(testData('bad/zip'))) {
        if (file === 'good_hls.zip' || file === 'text_named.zip') continue;
        const key = await put(createReadStream(testData(`bad/zip/${file}`)));
        reasons[file] = await reasonOf(unpackAll(key));
      }

      expect(reasons).toEqual({
        'absolute.zip': 'the name of an entry leads out of it',
        'absolute_windows.zip': 'the name of an entry holds characters that are not allowed',
        'bomb_1000.zip': 'an entry would unpack to far more than its size',
        'bomb_nested.zip': 'it holds no HLS playlist and no recording',
        'case_clash.zip': 'two of its entries have the same name',
        'data_damaged.zip': 'the data of an entry is damaged',
        'declared_4gb.zip': 'an entry would unpack to far more than its size',
        'declared_too_small.zip': 'its directory and its entries do not agree',
        'device_and_fifo.zip': 'it holds a link or a device',
        'dotdot.zip': 'the name of an entry leads out of it',
        'dotdot_backslash.zip': 'the name of an entry holds characters that are not allowed',
        'dotdot_inside.zip': 'the name of an entry leads out of it',
        'duplicate_names.zip': 'two of its entries have the same name',
        'empty.zip': 'it is empty',
        'encrypted_flag.zip': 'encrypted archives are not accepted',
        'hls_climbs.zip': 'its playlist names something outside of it',
        'hls_file_url.zip': 'its playlist names something outside of it',
        'hls_http_loopback.zip': 'its playlist names something outside of it',
        'hls_key_uri.zip': 'its playlist asks for a key',
        'hls_map_byterange.zip': 'its playlist names bytes after the end of a segment',
        'hls_missing_segment.zip': 'its playlist names "seg0.ts", which is not in it',
        'hls_self_reference.zip': 'its master playlist names a master playlist',
        'many_entries.zip': 'it has more than 10000 entries, and some of them are empty',
        'names_odd.zip': 'two of its entries have the same name',
        'names_reserved.zip': 'the name of an entry leads out of it',
        'symlink_passwd.zip': 'it holds a link or a device',
        'symlink_then_through.zip': 'it holds a link or a device',
        'truncated.zip': 'it is damaged or cut off',
      });
    },
  );

  itWithData('of the good kind gives the very bytes of its segment', async () => {
    const key = await put(createReadStream(testData('bad/zip/good_hls.zip')));

    const plan = await inspectArchive(storage, key);
    const [bytes] = await unpackAll(key);

    expect(plan).toMatchObject({ runs: [{ durationSeconds: 1, timeUs: null }], remark: null });
    expect(plan.runs).toHaveLength(1);
    const original = readFileSync(testData('ts/kwiver/h264_klv.ts'));
    expect(createHash('sha256').update(bytes!).digest('hex')).toBe(createHash('sha256').update(original).digest('hex'));
  });

  it('T-056 of 200,000 entries is refused before its directory is read', async () => {
    const data = Buffer.alloc(0);
    const key = await put([zipOf(Array.from({ length: 200_000 }, (_none, n) => ({ name: `${n}.ts`, data })))]);
    const begun = process.cpuUsage();

    await expect(openZip(storage, key)).rejects.toThrow('it has more than 101000 entries');

    const { user, system } = process.cpuUsage(begun);
    // 2 s of a core are allowed.
    expect((user + system) / 1e6).toBeLessThan(2);
  });

  it('of many playlists is refused before they fill the memory', async () => {
    const named = Buffer.from(playlist(...Array.from({ length: 40_000 }, () => 's.ts')));
    const long = Buffer.from(playlist('#'.repeat(1024 * 1024)));
    const of = (count: number, data: Buffer) =>
      put([zipOf(Array.from({ length: count }, (_none, n) => ({ name: `${n}.m3u8`, data })))]);

    expect(await reasonOf(inspectArchive(storage, await of(6, named)))).toBe(
      'its playlists name more than 200000 files',
    );
    expect(await reasonOf(inspectArchive(storage, await of(24, long)))).toBe('its playlists are too long');
  });

  it('of one endless address is refused at once', async () => {
    const begun = process.cpuUsage();
    const key = await put([hls([`${'?'.repeat(1024 * 1024)}\u2028x`], {})]);

    await reasonOf(inspectArchive(storage, key));

    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1e6).toBeLessThan(5);
  });

  it('joins segments in the order of the playlist and parts them at discontinuities, with their times', async () => {
    const key = await put([
      hls(
        [
          '#EXTINF:2,',
          'b.ts',
          '#EXT-X-PROGRAM-DATE-TIME:2020-01-01T00:00:02Z',
          '#EXTINF:1,',
          './sub/../a%20a.ts',
          '#EXT-X-DISCONTINUITY',
          '#EXTINF:3,',
          '../top.ts',
        ],
        { 'v/a a.ts': 'AA', 'v/b.ts': 'B', 'top.ts': 'CCC', 'v/unused.bin': 'x' },
      ),
    ]);

    expect((await unpackAll(key)).map(String)).toEqual(['BAA', 'CCC']);
    const { runs, remark } = await inspectArchive(storage, key);
    expect(remark).toBeNull();
    expect(runs.map(({ timeUs, durationSeconds }) => [timeUs, durationSeconds])).toEqual([
      [1_577_836_800_000_000, 3],
      [null, 3],
    ]);
  });

  it('says which files its playlist does not name, and which sound is left out', async () => {
    const text = (...lines: string[]) => Buffer.from(playlist(...lines));
    const master = (audio: string) =>
      text(
        `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en"${audio}`,
        '#EXT-X-STREAM-INF:BANDWIDTH=9,AUDIO="a"',
        'v.m3u8',
      );
    const remarkOf = async (...entries: [name: string, data: Buffer][]) =>
      (await inspectArchive(storage, await put([zipOf(entries.map(([name, data]) => ({ name, data })))]))).remark;
    const list: [string, Buffer] = ['v.m3u8', text('#EXTINF:1,', 'a.ts')];
    const sound: [string, Buffer] = ['s.m3u8', text('#EXTINF:1,', 's.aac')];
    const stream = (name: string): [string, Buffer] => [name, Buffer.from('x')];
    const streams = [stream('a.ts')];

    expect(await remarkOf(list, ...streams, stream('._a.ts'), stream('notes.txt'))).toBeNull();
    expect(await remarkOf(list, ...streams, stream('of/b.TS'))).toBe(
      'The archive holds "b.TS", which its playlist does not name: it was left out.',
    );
    expect(await remarkOf(list, ...streams, stream('b.ts'), stream('track.gpx'))).toBe(
      'The archive holds 2 files that its playlist does not name, "b.ts" the first: they were left out.',
    );
    expect(await remarkOf(['m.m3u8', master('')], list, ...streams)).toBeNull();
    expect(await remarkOf(['m.m3u8', master(',URI="s.m3u8"')], list, sound, ...streams, stream('s.aac'))).toBe(
      'The archive holds the sound in a playlist of its own: it was left out.',
    );
  });

  it.each([
    ['2020-01-01T00:00:00', 1_577_836_800_000_000],
    ['2020-01-01T00:00:00.000+0000', 1_577_836_800_000_000],
    ['1970-01-01T00:00:05Z', null],
  ])('dated %s is of that time in UTC, or undated where its encoder did not know the time', async (time, timeUs) => {
    const key = await put([hls([`#EXT-X-PROGRAM-DATE-TIME:${time}`, '#EXTINF:1,', 'a.ts'], { 'v/a.ts': 'A' })]);

    expect(await inspectArchive(storage, key)).toMatchObject({ runs: [{ timeUs }] });
  });

  it('takes byte ranges, those without an offset too', async () => {
    const key = await put([
      hls(
        [
          '#EXTINF:1,',
          '#EXT-X-BYTERANGE:3@2',
          'x.ts',
          '#EXTINF:1,',
          '#EXT-X-BYTERANGE:2',
          'x.ts',
          '#EXTINF:1,',
          'y.ts',
        ],
        { 'v/x.ts': '0123456789', 'v/y.ts': 'Y' },
      ),
    ]);

    expect((await unpackAll(key)).map(String)).toEqual(['23456Y']);
  });

  it('takes fragmented MP4: the map of each run comes first', async () => {
    const key = await put([
      hls(
        [
          '#EXT-X-MAP:URI="init.mp4"',
          '#EXTINF:1,',
          '1.m4s',
          '#EXTINF:1,',
          '2.m4s',
          '#EXT-X-DISCONTINUITY',
          '#EXT-X-MAP:URI="both.mp4",BYTERANGE="2@0"',
          '#EXTINF:1,',
          '#EXT-X-BYTERANGE:3@2',
          'both.mp4',
        ],
        { 'v/init.mp4': 'I', 'v/1.m4s': 'A', 'v/2.m4s': 'B', 'v/both.mp4': 'JJCCC' },
      ),
    ]);

    expect((await unpackAll(key)).map(String)).toEqual(['IAB', 'JJCCC']);
  });

  it('takes a playlist with comments before its first line', async () => {
    const list = Buffer.from(`\ufeff# made by a camera\n\n${playlist('#EXTINF:1,', 'a.ts')}`);
    const key = await put([
      zipOf([
        { name: 'i.m3u8', data: list },
        { name: 'a.ts', data: Buffer.from('A') },
      ]),
    ]);

    expect((await unpackAll(key)).map(String)).toEqual(['A']);
    const other = Buffer.from(`a.ts\n${playlist('#EXTINF:1,', 'a.ts')}`);
    expect(await reasonOf(inspectArchive(storage, await put([zipOf([{ name: 'i.m3u8', data: other }])])))).toBe(
      'its playlist is not valid',
    );
  });

  it('says where in its bytes the times of segments lie', async () => {
    const at = (seconds: number) => `#EXT-X-PROGRAM-DATE-TIME:2020-01-01T00:00:0${seconds}Z`;
    const key = await put([
      hls([at(0), '#EXTINF:2,', 'a.ts', '#EXTINF:2,', 'b.ts', at(5), '#EXTINF:2,', 'c.ts'], {
        'v/a.ts': 'AAA',
        'v/b.ts': 'BB',
        'v/c.ts': 'C',
      }),
    ]);
    const zip = await openZip(storage, key);
    const { runs } = await planArchive(zip);

    expect(timesOf(zip, runs[0]!)).toEqual([
      [0, 1_577_836_800_000_000],
      [5, 1_577_836_805_000_000],
    ]);
    await zip.close();
  });

  it('of 100,000 segments is taken where its playlist names each, in bounded memory and time', async () => {
    const names = Array.from({ length: 100_000 }, (_none, n) => `seg-${n}.ts`);
    const lines = names.flatMap((name) => ['#EXTINF:2.0,', name]);
    const files = names.map((name) => ({ name, data: Buffer.from('x') }));
    const list = { name: 'i.m3u8', data: Buffer.from(['#EXTM3U', ...lines].join('\n')) };
    const complete = await put([zipOf([list, ...files])]);
    const other = await put([zipOf([list, ...files, { name: 'other.bin', data: Buffer.from('x') }])]);
    // In a process of its own: here the heap of other tests decides when garbage is collected, and so how far this one grows.
    const script = `
      import { folderStorage } from ${JSON.stringify(join(import.meta.dirname, '../../base/storage/folder.ts'))};
      import { inspectArchive } from ${JSON.stringify(join(import.meta.dirname, 'archive.ts'))};
      const begun = process.cpuUsage();
      const { runs } = await inspectArchive(folderStorage({ root: ${JSON.stringify(root)} }), ${JSON.stringify(complete)});
      const { user, system } = process.cpuUsage(begun);
      const seconds = (user + system) / 1e6;
      process.stdout.write(JSON.stringify({ segments: runs.map((run) => run.segments.length), seconds }));
    `;
    const options = [`--max-old-space-size=${HEAP_MB}`, '--disable-warning=ExperimentalWarning', '--input-type=module'];
    const { stdout } = await execute(process.execPath, [...options, '--eval', script]);

    const { segments, seconds } = JSON.parse(stdout) as { segments: number[]; seconds: number };
    expect(segments).toEqual([100_000]);
    expect(seconds).toBeLessThan(20);
    expect(await reasonOf(inspectArchive(storage, other))).toBe(
      'it has more than 10000 entries, and its playlist does not name each',
    );
  });

  it('without a playlist gives its recordings and their telemetry, each alone', async () => {
    const file = (name: string) => ({ name, data: Buffer.from(name) });
    const key = await put([
      zipOf([
        file('DCIM/DJI_0001.MP4'),
        file('DCIM/DJI_0001.SRT'),
        file('flight.ts'),
        file('notes.txt'),
        file('track.klv'),
      ]),
    ]);

    const { runs, remark } = await inspectArchive(storage, key);

    expect(runs.map(({ name }) => name)).toEqual(['DJI_0001.MP4', 'DJI_0001.SRT', 'flight.ts']);
    expect((await unpackAll(key)).map(String)).toEqual(['DCIM/DJI_0001.MP4', 'DCIM/DJI_0001.SRT', 'flight.ts']);
    expect(remark).toBe('The archive holds "track.klv", which is no recording: it was left out.');
    expect(await reasonOf(inspectArchive(storage, await put([zipOf([file('a.srt')])])))).toBe(
      'it holds no HLS playlist and no recording',
    );
  });

  it.each([
    ['a sign that ends addresses', 'flight#1.ts', 'flight#1.ts'],
    ['a percent sign', 'cover 50%.ts', 'cover 50%.ts'],
    ['an escape that was saved with it', 'a%20b.ts', 'a%20b.ts'],
    ['a query that was saved with it', 'a.ts?token=1', 'a.ts?token=1'],
    ['a query that was not', 'a.ts?token=1', 'a.ts'],
  ])('takes a segment whose name holds %s', async (_what, written, name) => {
    const key = await put([hls(['#EXTINF:1,', written], { [`v/${name}`]: 'S' })]);

    expect((await unpackAll(key)).map(String)).toEqual(['S']);
  });

  it.each(['flüg.ts', 'flu\u0308g.ts'])(
    'packed by macOS, which does not say that names are UTF-8, has %s',
    async (name) => {
      const zip = hls(['#EXTINF:1,', 'fl%C3%BCg.ts'], { [`v/${name}`]: 'S' });
      const unsaid = (signature: string, flags: number) => {
        for (let at = zip.indexOf(signature); at >= 0; at = zip.indexOf(signature, at + 1))
          zip.writeUInt16LE(0, at + flags);
      };
      unsaid('PK\x03\x04', 6);
      unsaid('PK\x01\x02', 8);

      expect((await unpackAll(await put([zip]))).map(String)).toEqual(['S']);
    },
  );

  it.each(['', ' '])('takes the best variant of a master playlist, its attributes parted by ",%s"', async (space) => {
    const inf = (bandwidth: number) => `#EXT-X-STREAM-INF:PROGRAM-ID=1,${space}BANDWIDTH=${bandwidth}`;
    const master = playlist(inf(1), 'low.m3u8', inf(9), 'high.m3u8');
    const key = await put([
      zipOf([
        { name: 'master.m3u8', data: Buffer.from(master) },
        { name: 'low.m3u8', data: Buffer.from(playlist('#EXTINF:1,', 'low.ts')) },
        { name: 'high.m3u8', data: Buffer.from(playlist('#EXTINF:1,', 'high.ts')) },
        { name: 'low.ts', data: Buffer.from('L') },
        { name: 'high.ts', data: Buffer.from('H') },
      ]),
    ]);

    expect((await unpackAll(key)).map(String)).toEqual(['H']);
  });

  const segment = { name: 's.ts', data: Buffer.from('x') };
  const inner = { name: 'u.ts', data: Buffer.from('y') };
  it.each([
    ['a name with NUL', [{ ...segment, name: 'a\0.ts' }], 'the name of an entry holds characters that are not allowed'],
    [
      'a header that names another file',
      [{ ...segment, localName: 't.ts' }],
      'its directory and its entries do not agree',
    ],
    ['a header with another size', [{ ...segment, localSize: 7 }], 'its directory and its entries do not agree'],
    [
      'overlapping entries',
      [
        { ...segment, data: zipOf([inner]) },
        { ...inner, offset: 34 },
      ],
      'its entries overlap',
    ],
    ['an unknown packing', [{ ...segment, method: 12 }], 'its compression method is not supported'],
    ['a name that is too long', [{ ...segment, name: 'x'.repeat(256) }], 'the name of an entry is empty or too long'],
    ['a checksum that is wrong', [{ ...segment, crc: 1 }], 'the data of an entry is damaged'],
  ])('T-055 with %s is refused', async (_what, entries, reason) => {
    const list = { name: 'i.m3u8', data: Buffer.from(playlist('#EXTINF:1,', 's.ts')) };
    const key = await put([zipOf([...entries, list])]);

    expect(await reasonOf(unpackAll(key))).toContain(reason);
  });

  it.each([
    ['a map that is not there', ['#EXT-X-MAP:URI="init.mp4"', '#EXTINF:1,', 's.ts']],
    ['a map without an address', ['#EXT-X-MAP:BYTERANGE="1@0"', '#EXTINF:1,', 's.ts']],
    ['a map elsewhere', ['#EXT-X-MAP:URI="http://127.0.0.1:9/init.mp4"', '#EXTINF:1,', 's.ts']],
    ['a map that ends past its entry', ['#EXT-X-MAP:URI="s.ts",BYTERANGE="9@1"', '#EXTINF:1,', 's.ts']],
    ['an absolute path', ['#EXTINF:1,', '/etc/passwd']],
    ['an address without scheme', ['#EXTINF:1,', '//127.0.0.1:9/x.ts']],
    ['inline data', ['#EXTINF:1,', 'data:video/mp2t;base64,AAAA']],
    ['a percent-encoded climb', ['#EXTINF:1,', '%2e%2e/%2e%2e/%2e%2e/etc/passwd']],
    ['an address in an attribute', ['#EXT-X-MEDIA:TYPE=AUDIO,URI="http://127.0.0.1:9/a.m3u8"', '#EXTINF:1,', 's.ts']],
    ['a range without a beginning', ['#EXTINF:1,', '#EXT-X-BYTERANGE:1', 's.ts']],
    ['no segment at all', ['#EXT-X-ENDLIST']],
  ])('T-054 whose playlist holds %s is refused', async (_what, lines) => {
    const key = await put([hls(lines, { 'v/s.ts': 'x' })]);

    expect(await reasonOf(unpackAll(key))).toMatch(/playlist|segments/);
  });
});
