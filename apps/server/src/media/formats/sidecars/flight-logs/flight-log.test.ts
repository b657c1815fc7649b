import { describe, expect, it } from 'vitest';
import {
  dataflashFile,
  type LogContent,
  type LogMoment,
  tlogFile,
  ULOG_HEAD,
  ulogFile,
  ulogFlags,
  ulogMessage,
} from '../../../../../test/flight-logs.ts';
import { rowsOf } from '../../../../../test/sidecar-rows.ts';
import { flightLogFormat, readFlightLog } from './flight-log.ts';

const START_MS = Date.UTC(2024, 4, 6, 7, 8, 9);
const START_US = START_MS * 1000;

const moment = (seconds: number, changed: Partial<LogMoment> = {}): LogMoment => ({
  ...{ seconds, latitude: 47.5 + seconds / 1000, longitude: -8.25, altitude: 432.5, speed: 12.5, fix: 3 },
  ...{ roll: 3, pitch: -4, yaw: -90.5 + 360 },
  ...changed,
});

const flight = (moments: readonly LogMoment[], startMs: number | null = START_MS): LogContent => ({ startMs, moments });

const WRITERS: readonly (readonly [name: string, format: string, write: (content: LogContent) => Buffer])[] = [
  ['PX4', 'ulog', ulogFile],
  ['PX4 before 1.14', 'ulog', (content) => ulogFile(content, { isOld: true })],
  ['ArduPilot', 'dataflash', dataflashFile],
  ['MAVLink 1', 'tlog', (content) => tlogFile(content, { version: 1 })],
  ['MAVLink 2', 'tlog', tlogFile],
];

const near = (value: number) => expect.closeTo(value, 4);

describe.each(WRITERS)('a log of %s', (_, format, write) => {
  it('gives position, attitude and UTC', async () => {
    const { rows, clock, damage, ...sidecar } = await rowsOf(write(flight([moment(0), moment(1)])));

    expect([sidecar.format, clock, sidecar.isStartAssumed, damage?.()]).toEqual([format, 'utc', false, null]);
    expect(rows).toEqual(
      [0, 1].flatMap((seconds) => [
        {
          timeUs: START_US + seconds * 1e6,
          values: { 13: near(47.5 + seconds / 1000), 14: near(-8.25), 15: near(432.5), 56: near(12.5) },
        },
        { timeUs: START_US + seconds * 1e6, values: { 5: near(269.5), 90: near(-4), 91: near(3) } },
      ]),
    );
  });

  it('has no position without a fix, and no height with a fix in two dimensions', async () => {
    const { rows } = await rowsOf(write(flight([moment(0, { fix: 1 }), moment(1, { fix: 2 }), moment(2)])));
    const positions = rows.filter(({ values }) => 13 in values);

    expect(positions.map(({ timeUs, values }) => [timeUs - START_US, 15 in values])).toEqual([
      [1e6, false],
      [2e6, true],
    ]);
    expect(rows).toHaveLength(5);
  });

  it('has no position where the receiver says 0, 0 or a place off the earth', async () => {
    const moments = [moment(0, { latitude: 0, longitude: 0 }), moment(1, { latitude: 95 }), moment(2)];

    const { rows } = await rowsOf(write(flight(moments)));

    expect(rows.filter(({ values }) => 13 in values || 14 in values)).toHaveLength(1);
  });

  it('gives what was read of a log that ends within a record, and says so', async () => {
    const complete = write(flight([moment(0), moment(1)]));

    const { rows, damage } = await rowsOf(complete.subarray(0, -3));

    expect(rows).toHaveLength(3);
    expect(damage?.()).toBe('it ends within a record; what could be read is shown');
  });

  it('is refused without a record that can be read', async () => {
    // Angles that are no numbers, and no fix.
    const nothing = moment(0, { fix: 0, roll: 500, pitch: 500, yaw: Number.NaN });
    const bytes = format === 'dataflash' ? dataflashFile(flight([])) : write(flight([nothing]));

    await expect(rowsOf(bytes)).rejects.toThrow('it holds no position with a fix and no attitude that can be read');
  });

  it('keeps ten records of a kind in a second', async () => {
    const { rows } = await rowsOf(write(flight(Array.from({ length: 400 }, (_, n) => moment(n / 100)))));

    expect(rows.filter(({ values }) => 13 in values)).toHaveLength(40);
    expect(rows.filter(({ values }) => 5 in values)).toHaveLength(40);
  });
});

describe('a flight log', () => {
  it.each([
    ['PX4', ulogFile],
    ['ArduPilot', dataflashFile],
  ] as const)('of %s that never knew the date counts from its first record', async (_, write) => {
    const { rows, clock, isStartAssumed } = await rowsOf(write(flight([moment(3), moment(4)], null)));

    expect([clock, isStartAssumed]).toEqual(['video', true]);
    expect(rows.map(({ timeUs }) => timeUs)).toEqual([0, 0, 1e6, 1e6]);
  });

  it.each([
    ['PX4', ulogFile],
    ['ArduPilot', dataflashFile],
  ] as const)('of %s has the time that most of its records agree on', async (_, write) => {
    const complete = write(flight(Array.from({ length: 9 }, (_, n) => moment(n))));
    const wrong = write(flight([moment(0)], START_MS - 18_000));
    const head = write(flight([])).length;

    const { rows } = await rowsOf(
      Buffer.concat([complete.subarray(0, head), wrong.subarray(head), complete.subarray(head)]),
    );

    expect(rows.map(({ timeUs }) => timeUs - START_US)).toEqual([
      0,
      0,
      ...Array.from({ length: 16 }, (_, n) => (1 + (n >> 1)) * 1e6),
    ]);
  });

  it('of a ground station whose clock is wrong has the time of the vehicle', async () => {
    const { rows } = await rowsOf(tlogFile(flight([moment(0)]), { aheadMs: 90_000 }));

    expect(rows[0]!.timeUs).toBe(START_US);
  });

  it('of a ground station has its time where the vehicle has none', async () => {
    const { rows, clock } = await rowsOf(tlogFile(flight([moment(0)], null), { groundMs: START_MS }));

    expect([clock, rows[0]!.timeUs]).toEqual(['utc', START_US]);
  });

  it('of two vehicles shows the one with more positions, and says what is left out', async () => {
    const one = tlogFile(flight([moment(0), moment(1)]), { system: 1 });
    const other = tlogFile(flight([moment(2, { latitude: 10 })]), { system: 2 });

    const { rows, damage } = await rowsOf(Buffer.concat([one, other]));

    expect(rows.filter(({ values }) => 13 in values).map(({ values }) => values[13])).toEqual([
      near(47.5),
      near(47.501),
    ]);
    expect(damage?.()).toBe('1 positions of a second receiver or vehicle are left out');
  });

  it.each([
    [Date.UTC(2016, 11, 31, 23, 59), 17],
    [Date.UTC(2017, 0, 1, 0, 1), 18],
    [Date.UTC(2015, 5, 30, 12), 16],
  ])('of ArduPilot at %i has the leap seconds of its day', async (startMs, leap) => {
    const { rows } = await rowsOf(dataflashFile(flight([moment(0)], startMs), { leap }));

    expect(rows[0]!.timeUs).toBe(startMs * 1000);
  });

  it.each([
    ['ArduPilot', dataflashFile],
    ['MAVLink', tlogFile],
  ] as const)('of %s goes on after damage, and counts it', async (_, write) => {
    const complete = write(flight([moment(0), moment(1), moment(2)]));
    const at = write(flight([moment(0)])).length;
    const hurt = Buffer.concat([complete.subarray(0, at), Buffer.alloc(500, 0x77), complete.subarray(at)]);

    const { rows, damage } = await rowsOf(hurt);

    expect(rows).toHaveLength(6);
    expect(damage?.()).toBe('500 bytes in it belong to no record; what could be read is shown');
  });

  it('of MAVLink leaves out a packet whose check sum is wrong', async () => {
    const complete = tlogFile(flight([moment(0), moment(1)]));
    const first = tlogFile(flight([moment(0)])).length;
    // A byte of the first ATTITUDE, the last packet before the second moment.
    complete[first - 5]! ^= 1;

    const { rows, damage } = await rowsOf(complete);

    expect(rows).toHaveLength(3);
    expect(damage?.()).toMatch(/1 of its records are damaged/);
  });

  it('of PX4 goes on with what was appended after the power failed', async () => {
    const complete = ulogFile(flight([moment(0), moment(1)]));
    const firstEnd = ulogFile(flight([moment(0)])).length;
    const flags = ulogFlags(0, 0).length;
    const beginning = complete.subarray(ULOG_HEAD.length + flags, firstEnd);
    const brokenOff = ulogMessage('D', Buffer.alloc(300)).subarray(0, 20);
    const appendedAt = firstEnd + brokenOff.length;
    const bytes = Buffer.concat([
      ULOG_HEAD,
      ulogFlags(1, appendedAt),
      beginning,
      brokenOff,
      complete.subarray(firstEnd),
    ]);

    const { rows, damage } = await rowsOf(bytes);

    expect(rows).toHaveLength(4);
    expect(damage?.()).toBe('20 bytes in it belong to no record; what could be read is shown');
  });

  it('of a later form of PX4 is refused by that reason', async () => {
    const bytes = Buffer.concat([ULOG_HEAD, ulogFlags(2, 0)]);

    await expect(rowsOf(bytes)).rejects.toThrow('it is a PX4 log of a later form, which is not read');
  });

  it('that is given up is closed', async () => {
    let [opened, closed] = [0, 0];
    async function* open() {
      opened += 1;
      try {
        yield Buffer.concat([ulogFile(flight([moment(0)])), Buffer.alloc(3), Buffer.alloc(1000)]);
        yield Buffer.alloc(1000);
      } finally {
        closed += 1;
      }
    }

    const { rows, damage } = await readFlightLog('ulog', open);
    for await (const _row of rows);

    expect([opened, closed]).toEqual([2, 2]);
    expect(damage()).toBe('1 of its records are damaged; what could be read is shown');
  });

  it('is known by its content alone', () => {
    const content = flight([moment(0)]);

    expect(WRITERS.map(([, , write]) => flightLogFormat(write(content)))).toEqual(WRITERS.map(([, format]) => format));
    expect(flightLogFormat(tlogFile(content).subarray(0, 12))).toBeNull();
    expect(flightLogFormat(Buffer.from('ULog\x01\x12', 'latin1'))).toBeNull();
    expect(flightLogFormat(Buffer.alloc(0))).toBeNull();
  });
});
