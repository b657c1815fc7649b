import { FormatError } from '@osprey/bytes';
import { createDemuxer } from '@osprey/mpegts';
import { describe, expect, it } from 'vitest';
import { audio, command, flv, greeting, second, video } from '../../../../test/rtmp-publisher.ts';
import { flvRemuxer } from './flv-remuxer.ts';
import { type PublishAnswer, rtmpSession } from './session.ts';

function opened(answer: PublishAnswer = 'taken') {
  const sent: Buffer[] = [];
  const asked: string[] = [];
  const session = rtmpSession({
    send: (bytes) => sent.push(bytes),
    publish(path) {
      asked.push(path);
      return answer;
    },
  });
  const said = () => Buffer.concat(sent).toString('latin1');
  return { ...session, sent, asked, said };
}

function remuxed() {
  const parts: Buffer[] = [];
  const problems: string[] = [];
  const remuxer = flvRemuxer({
    write: (bytes) => parts.push(Buffer.from(bytes)),
    problem: (text) => problems.push(text),
  });
  return { ...remuxer, problems, bytes: () => Buffer.concat(parts) };
}

function contents(bytes: Buffer) {
  const pictures: (number | null)[] = [];
  const seen = {
    sounds: 0,
    faults: [] as string[],
    versions: [] as number[],
    runs: new Set<number>(),
    sizes: [] as string[],
  };
  const demuxer = createDemuxer({
    accessUnit({ kind, ptsTicks, run }) {
      if (kind === 'h264') pictures.push(ptsTicks);
      seen.runs.add(run);
    },
    video: (_pid, { width, height }) => seen.sizes.push(`${width}x${height}`),
    program: ({ version, streams }) => seen.versions.push(version * 10 + streams.length),
    fault: ({ kind }) => seen.faults.push(kind),
  });
  demuxer.push(bytes);
  demuxer.end();
  const sounds = bytes.toString('latin1').split('\xff\xf1\x50').length - 1;
  return { ...seen, sounds, pictures };
}

describe('a session of RTMP', () => {
  it.each([1, 1537, 1e6])('asks for app and key before it takes a picture, from pieces of %i bytes', (piece) => {
    const session = opened();
    const bytes = Buffer.concat([greeting('live', 'the-key'), second()]);

    const tags = [];
    for (let at = 0; at < bytes.length; at += piece) tags.push(...session.read(bytes.subarray(at, at + piece)));

    expect(session.asked).toEqual(['live/the-key']);
    expect(tags).toHaveLength(22);
    expect(session.sent[0]).toHaveLength(1 + 2 * 1536);
    expect(session.said()).toContain('NetConnection.Connect.Success');
    expect(session.said()).toContain('NetStream.Publish.Start');
  });

  it.each([
    ['denied', 'NetStream.Publish.Denied'],
    ['inUse', 'NetStream.Publish.BadName'],
  ] as const)('gives nothing on of whoever is %s, and says so', (answer, code) => {
    const session = opened(answer);

    const tags = [...session.read(Buffer.concat([greeting('live', 'the-key'), second()]))];

    expect(tags).toEqual([]);
    expect(session.hasEnded()).toBe(true);
    expect(session.said()).toContain(code);
    expect(session.said()).not.toContain('the-key');
  });

  it('gives nothing on of pictures before a key', () => {
    const session = opened();
    const hello = greeting('live', 'the-key');
    const stranger = Buffer.concat([hello.subarray(0, 1 + 2 * 1536), command('connect', 1, { app: 'live' }), second()]);

    expect([...session.read(stranger)]).toEqual([]);
    expect(session.asked).toEqual([]);
  });

  it('ends with the stream, and plays nothing to anybody', () => {
    const publisher = opened();
    const viewer = opened();
    const hello = greeting('live', 'the-key');

    const tags = [...publisher.read(Buffer.concat([hello, command('deleteStream', 4, null, 1), second()]))];
    viewer.read(Buffer.concat([hello.subarray(0, 1 + 2 * 1536), command('play', 4, null, 'the-key')])).next();

    expect(tags).toEqual([]);
    expect([publisher.hasEnded(), viewer.hasEnded()]).toEqual([true, true]);
    expect(viewer.said()).toContain('NetStream.Play.StreamNotFound');
  });

  it.each([
    ['another protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a second connect', Buffer.concat([greeting('live', 'k'), command('connect', 5, { app: 'live' })])],
    ['a second publish', Buffer.concat([greeting('live', 'k'), command('publish', 5, null, 'k', 'live')])],
    [
      'commands without end',
      Buffer.concat([greeting('live', 'k'), ...Array.from({ length: 99 }, () => command('x', 0))]),
    ],
    [
      'long messages of a stranger',
      Buffer.concat([greeting('', '').subarray(0, 1 + 2 * 1536), video(Buffer.alloc(20_000))]),
    ],
  ])('refuses %s', (_what, bytes) => {
    expect(() => [...opened().read(bytes)]).toThrow(FormatError);
  });
});

describe('what is made of pushed pictures', () => {
  function push(remuxer: ReturnType<typeof remuxed>, bytes: Buffer): void {
    const session = opened();
    remuxer.begin();
    for (const tag of session.read(Buffer.concat([greeting('live', 'k'), bytes]))) remuxer.take(tag);
  }

  it('is a transport stream with the times, parameter sets and sounds that were sent', () => {
    const remuxer = remuxed();

    push(remuxer, second(2000));

    const { pictures, sounds, faults, versions, runs, sizes } = contents(remuxer.bytes());
    expect(pictures).toEqual(Array.from({ length: 10 }, (_, n) => 90 * (10_000 + 2000 + n * 100)));
    expect({ sounds, faults, versions, sizes, runs: runs.size }).toEqual({
      ...{ sounds: 10, faults: [], versions: [2], sizes: ['320x240'], runs: 1 },
    });
  });

  it('goes on with its counters when the encoder comes back with sound, and says that the clock jumped', () => {
    const remuxer = remuxed();
    const silent = [
      video(flv.avcHeader, 50_000),
      video(flv.picture(1, true), 50_000),
      video(flv.picture(2, false), 50_040),
    ];

    push(remuxer, Buffer.concat(silent));
    push(remuxer, second(0));

    const { pictures, faults, versions, runs } = contents(remuxer.bytes());
    expect(pictures).toHaveLength(12);
    expect({ faults, versions, runs: runs.size }).toEqual({ faults: ['clockJumps'], versions: [1, 12], runs: 2 });
  });

  it('begins with a key frame, and shows no picture before it is read', () => {
    const remuxer = remuxed();
    const pictures = [false, true, false].map((isKey, n) => video(flv.picture(n, isKey, n === 2 ? -500 : 80), n * 40));

    push(remuxer, Buffer.concat([video(flv.avcHeader), ...pictures]));

    expect(contents(remuxer.bytes()).pictures).toEqual([90 * (10_000 + 40 + 80), 90 * (10_000 + 80)]);
  });

  it('counts what is no picture and goes on', () => {
    const remuxer = remuxed();
    const cut = flv.picture(3, true).subarray(0, -2);

    push(remuxer, Buffer.concat([second(), video(cut, 1000), audio(Buffer.of(0xaf, 0, 0x12)), second(1100)]));

    expect(remuxer.refused()).toBe(2);
    expect(contents(remuxer.bytes()).pictures).toHaveLength(20);
  });

  it.each([
    ['another coding', Buffer.of(0x12, 1, 2, 3)],
    ['HEVC', Buffer.from('\x90hvc1', 'latin1')],
    ['AV1', Buffer.from('\x90av01', 'latin1')],
    ['another coding', Buffer.from('\x90hv', 'latin1')],
    ['another coding', Buffer.of()],
  ])('is nothing where pictures come in %s, and the operator reads so once, with what to do', (what, tag) => {
    const remuxer = remuxed();

    push(remuxer, Buffer.concat([video(tag), video(tag)]));

    expect(remuxer.bytes()).toHaveLength(0);
    expect(remuxer.problems).toEqual([
      `The encoder pushes ${what}, and over RTMP only H.264 is taken: set it to H.264, or let it send by SRT, RTSP or UDP`,
    ]);
  });
});

describe('hostile bytes', () => {
  /** Numbers that are the same in every run. */
  function seeded(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  }

  function damaged(bytes: Buffer, random: (below: number) => number): Buffer {
    const copy = Buffer.from(bytes);
    const from = random(2) === 0 ? 1 + 2 * 1536 : 0;
    for (let left = 1 + random(12); left > 0; left -= 1) {
      const at = from + random(copy.length - from);
      copy[at] = [0, 0xff, random(256), copy[at]! ^ (1 << random(8))][random(4)]!;
    }
    const cut = random(copy.length);
    return random(4) === 0 ? Buffer.concat([copy.subarray(0, cut), copy.subarray(random(cut + 1))]) : copy;
  }

  it('end a session by its own error alone, and make little of little', { tags: 'long' }, () => {
    const random = seeded(4);
    const good = Buffer.concat([greeting('live', 'the-key'), second(), second(1000)]);
    const ends = { calm: 0, refused: 0 };

    for (let round = 0; round < 3000; round += 1) {
      const session = opened();
      const remuxer = remuxed();
      const bytes = damaged(good, random);
      try {
        for (const tag of session.read(bytes)) remuxer.take(tag);
        ends.calm += 1;
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        ends.refused += 1;
      }
      // Clock packets fill at most ten seconds before each of the 44 pictures and sounds.
      expect(remuxer.bytes().length).toBeLessThan(50 * 188 * 260);
    }

    expect(ends.calm).toBeGreaterThan(300);
    expect(ends.refused).toBeGreaterThan(300);
  });
});
