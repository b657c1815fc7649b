import { pino } from 'pino';
import { expect, it } from 'vitest';
import { platformOrder } from '../../../test/orders.ts';
import { receptionOf, STAMP_BYTES } from '../../recorder-wire/ais-files.ts';
import type { SourceSink } from '../components.ts';
import { aisStream } from './ais-stream.ts';

const SENTENCE = '!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C';

async function stream() {
  const clock = { ms: 0 };
  let sink: SourceSink | null = null;
  const platform = platformOrder({ n: 0, sensors: 1, url: () => 'udp://127.0.0.1:10110' });
  const order = { ...platform.sensors[0]!, type: 'ais' as const, on: true };
  const lines: Buffer[] = [];
  const changes: string[] = [];
  const made = aisStream(
    { order, platform },
    {
      open: () => Promise.reject(new Error('no video')),
      openAis: (_source, given) => {
        sink = given;
        return {
          counts: () => ({ lost: 0, reordered: 0, refused: 0, jitterMs: null }),
          ended: new Promise<void>(() => undefined),
          close: async () => undefined,
        };
      },
      address: ({ url }) => url,
      onChange: (one) => changes.push(one.described().state),
      onKlv: () => undefined,
      onFailed: (error) => {
        throw error;
      },
      onMark: () => undefined,
      onReleased: () => undefined,
      reading: { of: (_sensorId, read) => read },
      log: pino({ level: 'silent' }),
      nowUs: () => clock.ms * 1000,
      nowMs: () => clock.ms,
    },
  );
  made.listen({ unit: () => undefined, packets: (bytes) => lines.push(Buffer.from(bytes)) });
  made.ordered(order, platform);
  await expect.poll(() => sink).not.toBeNull();
  const send = (line: string, times = 1) => {
    for (let n = 0; n < times; n += 1) sink!.packets(Buffer.from(line), clock.ms * 1000);
  };
  return { made, clock, send, lines, changes };
}

it('T-092 of 50,000 sentences a second 5,000 are taken, and the others dropped and counted', async () => {
  const { made, clock, send, lines } = await stream();
  // The second that may come at once.
  send(SENTENCE, 5000);
  for (let ms = 0; ms < 2000; ms += 10) {
    clock.ms += 10;
    send(SENTENCE, 500);
  }
  expect(made.described().ais).toMatchObject({ sentences: 15_000, dropped: 90_000 });
  expect(lines).toHaveLength(15_000);
});

it('A line is kept as it came, after the time of its reception; what is no sentence is not, and a wrong checksum is counted', async () => {
  const { made, clock, send, lines } = await stream();
  clock.ms = 1_700_000_000_123;
  send(SENTENCE);
  send('$GPRMC,no,ais');
  send(SENTENCE.replace('*5C', '*5D'));
  expect(lines).toHaveLength(2);
  expect(lines[0]!.subarray(STAMP_BYTES).toString()).toBe(`${SENTENCE}\n`);
  expect(receptionOf(lines[0]!)).toBe(1_700_000_000_123_000);
  expect(made.described().ais).toMatchObject({ sentences: 2, checksumFaults: 1, otherLines: 1 });
});

it('A receiver that hears nothing for 60 s is lost, and online with its next sentence', async () => {
  const { made, clock, send, changes } = await stream();
  send(SENTENCE);
  expect(made.described().state).toBe('online');
  clock.ms += 59_000;
  made.tick();
  expect(made.described().state).toBe('online');
  clock.ms += 2000;
  made.tick();
  expect(made.described().state).toBe('lost');
  send(SENTENCE);
  expect(changes.at(-1)).toBe('online');
});

it('Only data that are no AIS are reported', async () => {
  const { made, send } = await stream();
  send('GET / HTTP/1.1', 20);
  expect(made.described().error).toBe('Data arrive, but they are not AIS sentences (NMEA 0183, !AIVDM)');
  send(SENTENCE);
  expect(made.described().error).toBeNull();
});
