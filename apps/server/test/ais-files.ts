import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { folderStorage } from '../src/base/storage/folder.ts';
import type { Storage } from '../src/base/storage/storage.ts';
import { aisFiles } from '../src/recorder/ais/ais-files.ts';
import { writeStamped } from '../src/recorder/ais/stamp.ts';
import type { LiveListener, LiveStream } from '../src/recorder/components.ts';
import { aisFolderOf, STAMP_BYTES } from '../src/recorder-wire/ais-files.ts';
import type { FromRecorder } from '../src/recorder-wire/protocol.ts';
import { atEnd } from './cleanup.ts';
import { platformOrder } from './orders.ts';

/** A sentence that no other `n` has. The recorder keeps those with a wrong checksum too. */
export const sentenceOf = (n: number): string => `!AIVDM,1,1,,A,${String(n).padStart(28, '0')},0*00`;

/** Sentences of whole lines of a file of AIS; the rest of a line that a fault left is none. */
export const sentencesIn = (file: Buffer): string[] =>
  file
    .toString('latin1')
    .split('\n')
    .slice(0, -1)
    .map((line) => line.slice(STAMP_BYTES));

/** The files of one receiver as the recorder writes them, with sentences that a test gives and a clock that it sets. */
export async function testAisFiles(wrap: (real: Storage) => Storage = (real) => real) {
  const root = await mkdtemp(join(tmpdir(), 'osprey-ais-files-'));
  atEnd(() => rm(root, { recursive: true, force: true }));
  const platform = platformOrder({ n: 0, sensors: 1, url: () => 'udp://127.0.0.1:10110' });
  const order = { ...platform.sensors[0]!, name: 'AIS', type: 'ais' as const };
  const clock = { aheadUs: 0 };
  const nowUs = () => Math.round(Date.now() * 1000 + clock.aheadUs);
  const messages: FromRecorder[] = [];
  let listener: LiveListener | null = null;
  const stream: LiveStream = {
    sensorId: order.sensorId,
    order: () => order,
    platform: () => platform,
    isOnline: () => true,
    facts: () => null,
    listen(one) {
      listener = one;
      return () => undefined;
    },
    keep: () => () => undefined,
  };
  const real = folderStorage({ root });
  const files = aisFiles({
    streams: {
      find: () => stream,
      each(add) {
        add(stream);
      },
    },
    storage: wrap(real),
    send: (message) => messages.push(structuredClone(message)),
    missionOf: () => null,
    isOn: true,
    log: pino({ level: 'silent' }),
    nowUs,
    nowMs: () => performance.now(),
  });
  files.start();
  let isLeft = false;
  atEnd(() => (isLeft ? undefined : files.close()));

  return {
    clock,
    close: files.close,
    /** Ends it as a kill does: it does not wait for a disk that does not answer. */
    abandon() {
      isLeft = true;
      void files.close();
    },
    /** Receives the sentences from one number up to another. */
    receive(from: number, to: number) {
      for (let n = from; n < to; n += 1) {
        const sentence = Buffer.from(sentenceOf(n));
        const line = Buffer.alloc(STAMP_BYTES + sentence.length + 1);
        writeStamped(line, sentence, nowUs());
        listener!.packets(line, nowUs());
      }
    },
    errors: () => messages.flatMap((message) => (message.kind === 'error' ? message.info : [])),
    /** Files by the messages about them, in their order. */
    said: () => messages.flatMap((message) => (message.kind === 'ais' ? message.file : [])),
    /** The files on the disk, in the order of their names, by what they hold. */
    async stored(): Promise<string[][]> {
      const keys: string[] = [];
      for await (const { key } of real.list(aisFolderOf(order.sensorId))) keys.push(key);
      return Promise.all(
        keys.sort().map(async (key) => sentencesIn(Buffer.concat(await real.read(key, { start: 0 }).toArray()))),
      );
    },
  };
}

/** The sentences from one number up to another. */
export const sentences = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, n) => sentenceOf(from + n));
