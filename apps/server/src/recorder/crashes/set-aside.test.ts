import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { platformOrder } from '../../../test/orders.ts';
import { setAside } from './set-aside.ts';

const [first, second] = platformOrder({ n: 0, sensors: 2, url: () => 'udp://127.0.0.1:5000' }).sensors;
const [a, b] = [first!.sensorId, second!.sensorId];

/** Recorders that follow each other in one folder, by a clock that the test moves. */
async function recorders() {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-aside-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const clock = { seconds: 1_800_000_000 };
  const start = (wasCrash = false) => {
    const made = setAside({ folder, wasCrash, log: pino({ level: 'silent' }), nowUs: () => clock.seconds * 1e6 });
    atEnd(made.close);
    return made;
  };
  /** A recorder that ends by what it reads of the sensor. */
  function crash(sensorId: string): void {
    const recorder = start();
    const fault = new Error('broken');
    const read = recorder.reading.of(sensorId, () => {
      throw fault;
    });
    expect(read).toThrow(fault);
    recorder.crashed(fault);
  }
  return { folder, clock, start, crash };
}

it('sets a sensor aside after the second crash within 60 s while its bytes were read, and no other', async () => {
  const { start, crash, clock } = await recorders();
  crash(a);
  expect(start().of(a)).toBeNull();
  clock.seconds += 59;
  crash(b);
  crash(a);

  const now = start();
  expect(now.of(b)).toBeNull();
  expect(now.of(a)).toEqual({ sensorId: a, sinceUs: clock.seconds * 1e6, untilUs: (clock.seconds + 600) * 1e6 });
  expect(now.order({ ...first!, on: true })).toMatchObject({ on: false, refused: expect.stringMatching(/^Set aside/) });
  expect(now.order({ ...second!, on: true }).on).toBe(true);
});

it('counts no crashes that are farther apart, and none with another cause', async () => {
  const { start, crash, clock } = await recorders();
  crash(a);
  clock.seconds += 61;
  crash(a);
  clock.seconds += 30;
  start().crashed(new Error('of something else'));
  expect(start().of(a)).toBeNull();
});

it('tries it again after 10 minutes, by hand, and when its source was switched off', async () => {
  const { start, crash, clock } = await recorders();
  const aside = () => {
    crash(a);
    crash(a);
    return start();
  };
  const waiting = aside();
  clock.seconds += 599;
  expect(waiting.isDue()).toBe(false);
  clock.seconds += 1;
  expect(waiting.isDue()).toBe(true);
  expect(start().of(a)).toBeNull();

  expect(aside().retry(a)).toBe(true);
  expect(start().retry(a)).toBe(false);

  expect(aside().order({ ...first!, on: false })).toEqual({ ...first!, on: false });
  expect(start().of(a)).toBeNull();
});

it('names the sensor of a crash that throws nothing from the second one on, by a mark', async () => {
  const { folder, start } = await recorders();
  start();
  const watched = start(true);
  expect(watched.of(a)).toBeNull();
  const read = watched.reading.of(a, () => undefined);
  read();
  expect((await readFile(join(folder, 'reading'), 'utf8')).trim()).toBe('');
  // The file that is left if the process ends in the middle of it.
  await writeFile(join(folder, 'reading'), a);
  expect(start(true).of(a)).not.toBeNull();
  // Once: the next crash is another one.
  expect(start(true).of(b)).toBeNull();
});

it('reads its kept file whatever the content', async () => {
  const { folder, start, clock } = await recorders();
  await writeFile(join(folder, 'crashes.json'), '{"crashes": 5}');
  expect(start().of(a)).toBeNull();
  const ahead = { sensorId: a, sinceUs: (clock.seconds + 3600) * 1e6, untilUs: (clock.seconds + 4200) * 1e6 };
  await writeFile(join(folder, 'crashes.json'), JSON.stringify({ crashes: [], aside: [ahead] }));
  expect(start().of(a)).toBeNull();
  expect(start().of(randomUUID())).toBeNull();
});
