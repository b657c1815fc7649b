// @vitest-environment jsdom
import { AppError } from '@osprey/contract';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clipOf } from '../testing/clips.ts';
import { type Answers, fakeApi, missionOf, newId, sensorOf } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import * as address from './address.ts';
import { ExportDialog } from './ExportDialog.tsx';

const START = Date.UTC(2026, 5, 1, 9) * 1000;
const sensor = sensorOf({ name: 'EO/IR' });
const mission = missionOf({ name: 'Kea', securityClassification: 'SECRET', startTime: START, endTime: START + 60e6 });
const plan = {
  ...{ fileName: 'osprey_SECRET_Kea', sizeBytes: 12_400_000, startTime: START + 4e6, endTime: START + 20e6 },
  ...{ files: 1, gapSeconds: 0, converted: false, video: 'h264' as const, sound: ['mpegAudio' as const] },
};

const madeId = newId();

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function open(
  answer: Answers[string] = () => plan,
  span = { inUs: (START + 5.5e6) as number | null, outUs: (START + 20e6) as number | null },
  sensors = [sensor],
) {
  const started = vi.spyOn(address, 'startDownload').mockReturnValue();
  const made: unknown[] = [];
  const { api, inputsOf } = fakeApi({
    'POST /sensors/exportVideo/:mission/:sensor': () => ({ id: madeId }),
    'GET /sensors/clipPlan/:mission/:sensor': answer,
    'POST /clips': ({ body }) => {
      made.push(body);
      return { ...clipOf(), message: 'Clip Hand-over saved.' };
    },
  });
  const [onClose, onOrdered] = [vi.fn(), vi.fn()];
  const said = { mission, sensors, sensorId: sensor._id, endUs: START + 60e6, ...span };
  show(<ExportDialog {...said} onOrdered={onOrdered} onClose={onClose} />, { api });
  return { started, onClose, onOrdered, made, inputsOf };
}

const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Export' });

it('says length, size and where the clip begins, and hands the download to the browser', async () => {
  const { started, onClose } = open();

  expect(await screen.findByText(/^12.* MB$/)).toBeTruthy();
  expect(screen.getByText('Starts at the key frame 09:00:04.000, 1.50 s before In.')).toBeTruthy();
  expect(screen.getByText('SECRET')).toBeTruthy();
  fireEvent.click(submit());

  await expect.poll(() => started.mock.calls.length).toBe(1);
  expect(started).toHaveBeenCalledExactlyOnceWith(
    `/api/sensors/exportVideo/${mission._id}/${sensor._id}?markIn=2026-06-01T09%3A00%3A05.500000Z&markOut=2026-06-01T09%3A00%3A20.000000Z&sidecar=true`,
  );
  expect(await screen.findByText('Exporting clip osprey_SECRET_Kea.zip...')).toBeTruthy();
  expect(onClose).toHaveBeenCalledOnce();
});

it('says that the pictures are those of a converted stream', async () => {
  open(() => ({ ...plan, converted: true }));
  await screen.findByText(/^The clip is cut from the converted stream, /);
});

it('takes typed times, and says what is wrong with them', async () => {
  const { started } = open();
  await screen.findByText(/^12.* MB$/);
  const field = screen.getByLabelText('In');

  fireEvent.change(field, { target: { value: 'soon' } });
  expect(screen.getByText('Not a time: use hours, minutes and seconds, such as 09:00:12.5')).toBeTruthy();
  expect(submit().disabled).toBe(true);
  fireEvent.change(field, { target: { value: '09:00:30' } });
  expect(screen.getByText('Out must come after In')).toBeTruthy();
  expect(submit().disabled).toBe(true);
  fireEvent.change(field, { target: { value: '09:00:07.25' } });
  await expect.poll(() => submit().disabled).toBe(false);
  fireEvent.click(submit());

  await expect.poll(() => started.mock.calls[0]?.[0]).toContain('markIn=2026-06-01T09%3A00%3A07.250000Z');
});

it('exports the telemetry of the span in a chosen format', async () => {
  const { started } = open(() => {
    throw new AppError('ruleRefused', { reason: 'Sensor EO/IR recorded nothing between In and Out.' });
  });

  fireEvent.mouseDown(screen.getByRole('combobox', { name: 'What to export' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Telemetry: track (GPX)' }));
  expect(screen.queryByText('Estimated size')).toBeNull();
  expect(screen.queryByRole('checkbox', { name: /verification file/ })).toBeNull();
  fireEvent.click(submit());

  await expect
    .poll(() => started.mock.calls[0]?.[0])
    .toMatch(/^\/api\/sensors\/exportTelemetry\/.*\?format=gpx&markIn=/);
  expect(await screen.findByText('Exporting telemetry of EO/IR as GPX...')).toBeTruthy();
});

it('exports an MP4, and says which players open it', async () => {
  const { started } = open();
  await screen.findByText(/^12.* MB$/);

  fireEvent.mouseDown(screen.getByRole('combobox', { name: 'What to export' }));
  fireEvent.click(await screen.findByRole('option', { name: 'MP4 for any player' }));
  expect(await screen.findByText(/^H\.264: every browser .* Its sound is MPEG audio/)).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /verification file/ }).checked).toBe(false);
  await expect.poll(() => submit().disabled).toBe(false);
  fireEvent.click(submit());

  await expect.poll(() => started.mock.calls[0]?.[0]).toMatch(/&format=mp4$/);
  expect(await screen.findByText('Exporting clip osprey_SECRET_Kea.mp4...')).toBeTruthy();
});

it('exports all sensors in the background where the mission has several', async () => {
  const { started, onOrdered, onClose, inputsOf } = open(undefined, undefined, [sensor, sensorOf({ name: 'IR' })]);
  await screen.findByText(/^12.* MB$/);

  fireEvent.click(screen.getByRole('checkbox', { name: 'All sensors of the mission (zip)' }));
  fireEvent.click(submit());

  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(onOrdered).toHaveBeenCalledExactlyOnceWith(madeId);
  expect(inputsOf('POST /sensors/exportVideo/:mission/:sensor')).toMatchObject([{ body: { allSensors: true } }]);
  expect(await screen.findByText(/^Exporting clip osprey_SECRET_Kea in the background/)).toBeTruthy();
  expect(started).not.toHaveBeenCalled();
});

it('exports a zip above 2 GiB in the background', async () => {
  const { onOrdered } = open(() => ({ ...plan, sizeBytes: 3 * 2 ** 30 }));
  await screen.findByText(/GB$/);

  fireEvent.click(submit());

  await expect.poll(() => onOrdered.mock.calls).toEqual([[madeId]]);
});

it('keeps the span as a clip of the mission, with or without the export', async () => {
  const { started, onClose, made } = open();
  await screen.findByText(/^12.* MB$/);

  fireEvent.click(screen.getByRole('checkbox', { name: 'Keep it as a clip of the mission' }));
  // A title from mission and time, as other marks have it.
  expect(screen.getByLabelText<HTMLInputElement>(/^Title/).value).toMatch(/^Kea \d\d:\d\d:\d\d$/);
  fireEvent.change(screen.getByLabelText(/^Title/), { target: { value: '' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save only' }));
  expect(await screen.findByText('Empty title')).toBeTruthy();
  fireEvent.change(screen.getByLabelText(/^Title/), { target: { value: 'Hand-over' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save only' }));

  expect(await screen.findByText('Clip Hand-over saved.')).toBeTruthy();
  expect(made).toMatchObject([{ missionIdOrName: mission._id, sensors: [sensor._id], title: 'Hand-over' }]);
  expect(onClose).toHaveBeenCalledOnce();
  expect(started).not.toHaveBeenCalled();
});

it('leads a clip that is kept on into a case', async () => {
  const { onClose } = open();
  await screen.findByText(/^12.* MB$/);
  fireEvent.click(screen.getByRole('checkbox', { name: 'Keep it as a clip of the mission' }));
  fireEvent.change(screen.getByLabelText(/^Title/), { target: { value: 'Hand-over' } });
  fireEvent.click(screen.getByRole('checkbox', { name: 'Then choose a case for it' }));
  fireEvent.click(screen.getByRole('button', { name: 'Save only' }));

  const adding = await screen.findByRole('dialog', { name: 'Add to case' });
  expect(adding.textContent).toContain('Hand-over');
  expect(screen.queryByRole('dialog', { name: 'Export clip' })).toBeNull();
  fireEvent.click(within(adding).getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledOnce();
});

it('offers the whole mission where nothing is selected', async () => {
  open(undefined, { inUs: null, outUs: null });

  await screen.findByText(/^12.* MB$/);
  expect([
    screen.getByLabelText<HTMLInputElement>('In').value,
    screen.getByLabelText<HTMLInputElement>('Out').value,
  ]).toEqual(['09:00:00.000', '09:01:00.000']);
});

it('says why a span cannot be exported', async () => {
  const reason = 'Sensor EO/IR recorded nothing between In and Out.';
  open(() => {
    throw new AppError('ruleRefused', { reason });
  });

  expect(await screen.findByText(reason)).toBeTruthy();
  expect(submit().disabled).toBe(true);
});
