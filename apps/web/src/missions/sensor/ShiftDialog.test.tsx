// @vitest-environment jsdom
import type { Sensor } from '@osprey/contract';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { seriousFindings } from '../../testing/axe.ts';
import { type Answers, fakeApi, missionOf, refusing, sensorOf } from '../../testing/fake-api.ts';
import { show } from '../../testing/show.tsx';
import { ShiftDialog } from './ShiftDialog.tsx';

// Shows the dialog missions/sensor/ShiftDialog.tsx FormDialog

afterEach(cleanup);

/** 2023-11-14T22:13:20 Z. */
const START = 1_700_000_000_000_000;

async function open(fields: Partial<Sensor> = {}, answers: Answers = {}) {
  const sensor = sensorOf({ name: 'EO', ...fields });
  const onClose = vi.fn();
  const fake = fakeApi({ 'POST /sensors/:id/shift': () => ({ message: 'Sensor EO shifted.' }), ...answers });
  const mission = missionOf({ securityClassification: 'SECRET', sensors: [sensor] });
  show(<ShiftDialog mission={mission} sensor={sensor} onClose={onClose} />, { api: fake.api });
  const dialog = await screen.findByRole('dialog', { name: 'Shift the time of EO' });
  return { dialog, onClose, sensor, shifts: () => fake.inputsOf('POST /sensors/:id/shift') };
}

const type = async (text: string) => {
  const field = screen.getByLabelText('Seconds');
  await userEvent.clear(field);
  await userEvent.type(field, text);
};
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;

it('says where the times come from and previews the new start while the seconds are typed', async () => {
  const { dialog } = await open({ timeShift: 3_000_000, startTime: START + 3_000_000 });

  expect(screen.getByText('SECRET')).toBeDefined();
  expect(fact('Times come from')).toBe('the clock in the telemetry');
  expect(fact('Start by that source')).toBe('Nov 14 2023, 22:13:20.000 Z');
  expect(fact('Shift now')).toBe('+3 s');
  expect(fact('New start')).toBe('Nov 14 2023, 22:13:23.000 Z');
  expect(await seriousFindings(dialog)).toEqual([]);
  await type('-1,25');

  expect(fact('New start')).toBe('Nov 14 2023, 22:13:18.750 Z');
});

it('shifts by what was typed, and undoes it by the shift that was there before', async () => {
  const { onClose, sensor, shifts } = await open({ timeShift: 3_000_000, startTime: START + 3_000_000 });

  await type('-2.5');
  await press('Shift');

  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(await screen.findByText('Sensor EO is shifted by −2.5 s.')).toBeDefined();
  // The dialog of this test stays open, and hides the page below it.
  await userEvent.click(screen.getByRole('button', { name: 'Undo', hidden: true }));
  await waitFor(() => expect(shifts()).toHaveLength(2));
  expect(shifts()).toEqual([-2_500_000, 3_000_000].map((shift) => ({ params: { id: sensor._id }, body: { shift } })));
});

it('takes a shift away', async () => {
  const { shifts, sensor } = await open({ timeShift: 3_000_000, startTime: START + 3_000_000 });

  await press('Remove the shift');
  expect(fact('New start')).toBe('Nov 14 2023, 22:13:20.000 Z');
  await press('Shift');

  expect(await screen.findByText('Sensor EO is no longer shifted.')).toBeDefined();
  expect(shifts()).toEqual([{ params: { id: sensor._id }, body: { shift: 0 } }]);
});

it('refuses what is no number of seconds, and keeps it', async () => {
  const { shifts } = await open();

  await type('1h');

  expect(screen.getByText('Please give seconds such as 2.5 or −2.5, with six decimals at most')).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Shift' }).disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Remove the shift' })).toBeNull();
  expect(shifts()).toEqual([]);
});

it('stays open with what was typed when the server refuses', async () => {
  const { onClose } = await open({}, { 'POST /sensors/:id/shift': refusing('forbidden') });

  await type('5');
  await press('Shift');

  expect(await screen.findByText(/^Error shifting sensor EO: /)).toBeDefined();
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByLabelText<HTMLInputElement>('Seconds').value).toBe('5');
});
