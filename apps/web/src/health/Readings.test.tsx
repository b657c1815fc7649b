// @vitest-environment jsdom
import type { KlvHealth } from '@osprey/contract';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { seriousFindings } from '../testing/axe.ts';
import { fakeApi, refusing } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { Readings } from './Readings.tsx';

afterEach(cleanup);

const FILE = '00000000-0000-4000-8000-000000000002';
const CALL = 'PUT /sensors/:id/files/:fileId/reading';
const ADD = 'POST /sensors/:id/files/:fileId/videos';

const choicesOf = (chosen: number, by: 'user' | 'positions'): Partial<KlvHealth> => ({
  choices: [
    {
      fileId: FILE,
      name: 'flight.ts',
      chosen,
      by,
      streams: [
        { pid: 257, program: 1, sets: 75, positions: 0, filled: [10, 26] },
        { pid: 258, program: 1, sets: 75, positions: 75 },
      ],
    },
  ],
});

type Open = {
  fields: Partial<KlvHealth>;
  readings?: KlvHealth['clock']['readings'];
  mayChange?: boolean;
  fails?: boolean;
};

function open({ fields, readings = [], mayChange = true, fails = false }: Open) {
  const clock = { trustworthy: true, reason: null, millisecondsByMistake: 0, duplicates: 0, backwards: 0 };
  const health = { clock: { ...clock, gaps: [], jumps: [], readings }, ...fields } as unknown as KlvHealth;
  const added = { message: 'Sensor EO PID 260 was added.', _id: FILE };
  const fake = fakeApi({
    [ADD]: () => added,
    [CALL]: fails ? refusing('forbidden') : () => ({ message: 'flight.ts is read as chosen.' }),
  });
  const { container } = show(
    <Readings sensorId="00000000-0000-4000-8000-000000000001" health={health} mayChange={mayChange} />,
    { api: fake.api },
  );
  const bodiesOf = (call: string) => () => fake.inputsOf(call).map(({ body }) => body);
  return { container, bodies: bodiesOf(CALL), inputs: bodiesOf(ADD) };
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

it('names each stream, shows another one when asked, and undoes that', async () => {
  const { container, bodies } = open({ fields: choicesOf(258, 'positions') });

  expect(screen.getByText(/PID 258: 75 packets, 75 with a position \(shown: it has positions\)/)).toBeDefined();
  expect(screen.getByText(/PID 257.*\(adds tags 10, 26\)/)).toBeDefined();
  expect(await seriousFindings(container)).toEqual([]);
  await press('Show PID 257');
  expect(bodies()).toEqual([{ klvPid: 257, clock: null }]);
  await press('Undo');
  await waitFor(() =>
    expect(bodies()).toEqual([
      { klvPid: 257, clock: null },
      { klvPid: null, clock: null },
    ]),
  );
});

it('adds a further video as a sensor when asked', async () => {
  const { inputs } = open({ fields: { videos: [{ fileId: FILE, name: 'flight.ts', pids: [260] }] } });

  expect(screen.getByText('flight.ts: one more video, PID 260, is not shown')).toBeDefined();
  await press('Add PID 260 as a sensor');
  expect(inputs()).toEqual([{ pid: 260 }]);
  expect(await screen.findByText('Sensor EO PID 260 was added.')).toBeDefined();
});

it('leaves a stream that a user chose to the rules again', async () => {
  const { bodies } = open({ fields: choicesOf(257, 'user') });

  await press('Leave to the rules');
  expect(bodies()).toEqual([{ klvPid: null, clock: null }]);
});

it('takes the other of two readings of a clock, and keeps the stream', async () => {
  const readings = [{ fileId: FILE, name: 'flight.ts', otherSeconds: -1, isOther: false }];
  const { bodies } = open({ fields: choicesOf(257, 'user'), readings });

  expect(screen.getByText(/The earlier stretch is assumed; by the other, times are 1.000 s earlier/)).toBeDefined();
  await press('Use the other');
  expect(bodies()).toEqual([{ klvPid: 257, clock: 'other' }]);
});

it('offers nothing to who may not change the mission, and says when a choice could not be kept', async () => {
  open({ fields: choicesOf(258, 'positions'), mayChange: false });
  expect(screen.queryByRole('button')).toBeNull();
  cleanup();

  open({ fields: choicesOf(258, 'positions'), fails: true });
  await press('Show PID 257');
  expect(await screen.findByText(/The choice could not be saved/)).toBeDefined();
});

it('offers to join a file whose name continues another, and takes that back', async () => {
  const continuation = { fileId: FILE, name: 'DJI_0002.MP4', before: 'DJI_0001.MP4', gapSeconds: 14, joined: false };
  const { container, bodies } = open({ fields: { continuations: [continuation] } });

  expect(
    screen.getByText(/DJI_0002\.MP4: its name continues DJI_0001\.MP4, and it begins 14(?:\.0)? s after/),
  ).toBeDefined();
  expect(await seriousFindings(container)).toEqual([]);
  await press('Join');
  expect(bodies()).toEqual([{ klvPid: null, clock: null, joined: true }]);
  await press('Undo');
  await waitFor(() => expect(bodies()).toHaveLength(2));
  expect(bodies()[1]).toEqual({ klvPid: null, clock: null });
});
