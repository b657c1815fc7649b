// @vitest-environment jsdom
import type { KlvHealth } from '@osprey/contract';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { seriousFindings } from '../testing/axe.ts';
import { type Answers, fakeApi, missionOf, refusing, sensorOf } from '../testing/fake-api.ts';
import { admin, sessionOf, show } from '../testing/show.tsx';
import type { Sidecar } from './line-up.ts';
import { Sidecars } from './Sidecars.tsx';

// Shows the dialog health/LineUpDialog.tsx FormDialog

afterEach(cleanup);

/** 2026-11-28T12:00:00Z, and three seconds of video. */
const START = Date.UTC(2026, 10, 28, 12) * 1000;
const END = START + 3_000_000;
const CALL = 'POST /sensors/:id/files/:fileId/sidecar';

const sidecarOf = (fields: Partial<Sidecar> = {}): Sidecar => ({
  fileId: '00000000-0000-4000-8000-0000000000f1',
  name: 'flight.srt',
  records: 15,
  startTime: START,
  endTime: START + 14_000_000,
  withinVideo: 4,
  offset: 0,
  startAssumed: false,
  order: null,
  ...fields,
});

function open(
  sidecar: Sidecar,
  { answers = {}, role = admin.role }: { answers?: Answers; role?: typeof admin.role } = {},
) {
  const fake = fakeApi({ [CALL]: () => ({ message: 'Done.' }), ...answers });
  const sensor = sensorOf({ startTime: START, endTime: END });
  const health = { sidecars: [sidecar] } as KlvHealth;
  const mission = missionOf({ sensors: [sensor] });
  const session = sessionOf({ actor: { ...admin, role } });
  const { container } = show(<Sidecars mission={mission} sensor={sensor} health={health} />, {
    api: fake.api,
    session,
  });
  const params = { id: sensor._id, fileId: sidecar.fileId };
  return { container, params, asked: () => fake.inputsOf(CALL) };
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name, hidden: true }));
const type = async (text: string) => {
  const field = screen.getByLabelText('Begins, seconds from the first picture');
  await userEvent.clear(field);
  await userEvent.type(field, text);
};

it('says of a file how many records are within the video, and offers a change only to those who may make it', async () => {
  const { container } = open(sidecarOf({ order: { first: 'latitudeFirst', basis: 'unit', exchanged: false } }), {
    role: 'user',
  });

  expect(screen.getByText('15 records, 4 of them within the video')).toBeDefined();
  expect(screen.getByText('Latitude first by the unit of its altitude')).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
  expect(await seriousFindings(container)).toEqual([]);
});

it('a file that misses the video is offered to begin with it; what was typed is added to what the file says', async () => {
  // The telemetry file is a day before the video, and was moved by an hour already.
  const before = { startTime: START - 86_400_000_000, endTime: START - 86_386_000_000, offset: 3_600_000_000 };
  const { params, asked } = open(sidecarOf({ ...before, withinVideo: 0 }));

  await press('Line up flight.srt with the video');
  const dialog = await screen.findByRole('dialog', { name: 'Line up flight.srt' });
  expect(await seriousFindings(dialog)).toEqual([]);
  expect(screen.getByLabelText<HTMLInputElement>('Begins, seconds from the first picture').value).toBe('0');
  expect(screen.getByText('Added to the times of the file: +90000 s')).toBeDefined();

  await type('-1,25');
  await press('Line up');

  await waitFor(() => expect(asked()).toEqual([{ params, body: { offset: 89_998_750_000 } }]));
  await press('Undo');
  await waitFor(() => expect(asked()).toHaveLength(2));
  expect(asked()[1]).toEqual({ params, body: { offset: 3_600_000_000, exchanged: false } });
});

it('the slider runs from where the file ends with the first picture to where it begins with the last', async () => {
  const { params, asked } = open(sidecarOf());
  await press('Line up flight.srt with the video');
  const slider = await screen.findByRole('slider');

  expect([slider.getAttribute('min'), slider.getAttribute('max')]).toEqual(['-14', '3']);
  slider.focus();
  await userEvent.keyboard('{End}');
  expect(screen.getByLabelText<HTMLInputElement>('Begins, seconds from the first picture').value).toBe('+3');
  await userEvent.keyboard('{ArrowLeft}');
  await press('Line up');

  await waitFor(() => expect(asked()).toEqual([{ params, body: { offset: 2_900_000 } }]));
});

it('warns of a place where no record would lie within the video, and takes no words for seconds', async () => {
  open(sidecarOf());
  await press('Line up flight.srt with the video');
  await screen.findByRole('dialog');

  await type('3.5');
  expect(screen.getByText('No record would lie within the video.')).toBeDefined();
  await type('soon');
  expect(screen.getByText(/Please give seconds such as/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Line up' }).hasAttribute('disabled')).toBe(true);
});

it('one button exchanges coordinates whose order is assumed, and back', async () => {
  const order = { first: 'longitudeFirst', basis: 'assumed', exchanged: false } as const;
  const { params, asked } = open(sidecarOf({ order }));

  expect(screen.getByText('Longitude first as published for this form (assumed)')).toBeDefined();
  await press('Exchange latitude and longitude of flight.srt');
  expect(await screen.findByText(/Latitude and longitude of flight.srt are exchanged/)).toBeDefined();
  await press('Undo');

  await waitFor(() => expect(asked()).toHaveLength(2));
  expect(asked()).toEqual([
    { params, body: { exchanged: true } },
    { params, body: { offset: 0, exchanged: false } },
  ]);
});

it('coordinates that leave no doubt have no such button, nor is there anything to line up without a video', () => {
  open(sidecarOf({ withinVideo: null, order: { first: 'longitudeFirst', basis: 'plausibility', exchanged: false } }));

  expect(screen.queryByRole('button')).toBeNull();
});

it('says why the server refused', async () => {
  const order = { first: 'longitudeFirst', basis: 'assumed', exchanged: false } as const;
  open(sidecarOf({ order }), { answers: { [CALL]: refusing('forbidden') } });

  await press('Exchange latitude and longitude of flight.srt');

  expect(await screen.findByText(/^Error changing flight.srt:/)).toBeDefined();
});
