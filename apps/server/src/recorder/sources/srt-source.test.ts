import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { openedSource } from '../../../test/live-source.ts';

const hasSrt = existsSync('/usr/bin/srt-live-transmit');
if (!hasSrt) process.stderr.write('Skipped: SRT needs srt-live-transmit (apt-get install srt-tools)\n');

const PORT = 21_000 + (process.pid % 500);
const CHUNK = 1316;
const SECRET = '&passphrase=a-long-secret';

const sample = () => readFileSync(testData('ts/kwiver/h264_klv.ts')).subarray(0, CHUNK * 80);

/** Sends the sample round and round; what it reads before it is connected it drops. */
function srtSender(parameters: string) {
  const address = `srt://127.0.0.1:${PORT}?${parameters}`;
  const child = spawn('srt-live-transmit', ['-q', '-ll:fatal', `-chunk:${CHUNK}`, 'file://con', address], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  const bytes = sample();
  let at = 0;
  const clock = setInterval(() => {
    if (child.stdin.writableLength > CHUNK) return;
    child.stdin.write(bytes.subarray(at, at + CHUNK));
    at = (at + CHUNK) % bytes.length;
  }, 5);
  const stop = () => {
    clearInterval(clock);
    child.kill('SIGKILL');
  };
  atEnd(stop);
  return { stop };
}

/** Whether it is one piece of the sample that goes round and round. */
function isUnbroken(received: Buffer): boolean {
  const round = sample();
  const begin = Buffer.concat([round, round]).indexOf(received.subarray(0, 3 * CHUNK));
  if (begin < 0) return false;
  const rounds = Math.ceil((begin + received.length) / round.length);
  const complete = Buffer.concat(Array.from({ length: rounds }, () => round));
  return complete.subarray(begin, begin + received.length).equals(received);
}

describe.skipIf(!hasSrt)('an SRT source', () => {
  itWithData.each(['', `${SECRET}&pbkeylen=32`])('listens, and takes the bytes as they are: %s', async (secret) => {
    const source = await openedSource(`srt://127.0.0.1:${PORT}?mode=listener${secret}`);

    const first = srtSender(`mode=caller${secret}`);
    await source.until(CHUNK * 100);
    first.stop();

    expect(isUnbroken(source.bytes())).toBe(true);
    const before = source.size();
    // The next sender is taken without opening the source again.
    srtSender(`mode=caller${secret}`);
    await source.until(before + CHUNK * 20, 20_000);
  });

  itWithData('calls, and says when nothing comes', { tags: 'long' }, async () => {
    const url = `srt://127.0.0.1:${PORT}?mode=caller${SECRET}`;
    const source = await openedSource(url, { allowed: ['127.0.0.1'] });
    await expect
      .poll(() => source.problems)
      .toEqual([`Nothing comes over SRT from 127.0.0.1, port ${PORT}: nobody answers, or the passphrase is wrong`]);

    srtSender(`mode=listener${SECRET}`);

    await source.until(CHUNK * 100, 20_000);
    expect(isUnbroken(source.bytes())).toBe(true);
    expect(source.problems.at(-1)).toBe(null);
  });

  itWithData(
    'takes listed senders alone, and the bytes of those as they are',
    async () => {
      const url = `srt://127.0.0.1:${PORT}?mode=listener${SECRET}`;
      const closed = await openedSource(url, { senders: ['10.0.0.0/8'] });

      const sender = srtSender(`mode=caller${SECRET}`);
      await expect.poll(() => closed.counts().refused).toBeGreaterThan(3);
      await expect
        .poll(() => closed.problems)
        .toEqual([`Nobody who may sends over SRT to 127.0.0.1, port ${PORT}, or with another passphrase`]);
      expect(closed.size()).toBe(0);
      await closed.close();
      sender.stop();
      const open = await openedSource(url, { senders: ['127.0.0.0/8'] });
      const first = srtSender(`mode=caller${SECRET}`);
      await open.until(CHUNK * 100, 40_000);
      first.stop();

      expect(isUnbroken(open.bytes())).toBe(true);
      expect(open.counts().refused).toBe(0);
      const before = open.size();
      srtSender(`mode=caller${SECRET}`);
      await open.until(before + CHUNK * 20, 40_000);
    },
    120_000,
  );

  itWithData(
    'takes nothing from a sender with another passphrase, and then from the right one',
    { tags: 'long' },
    async () => {
      const source = await openedSource(`srt://127.0.0.1:${PORT}?mode=listener${SECRET}`);

      const wrong = srtSender('mode=caller&passphrase=another-secret');
      await expect.poll(() => source.problems).toHaveLength(1);
      wrong.stop();

      expect(source.size()).toBe(0);
      srtSender(`mode=caller${SECRET}`);
      await source.until(CHUNK * 20, 20_000);
    },
  );
});
