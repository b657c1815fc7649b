// @vitest-environment jsdom
import type { Asset } from '@osprey/contract';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { seriousFindings } from '../../testing/axe.ts';
import { type Answers, fakeApi, missionOf, newId, refusing, sensorOf } from '../../testing/fake-api.ts';
import { show } from '../../testing/show.tsx';
import { AisTimesDialog } from './AisTimesDialog.tsx';
import { datedText } from './dated-text.ts';

// Shows the dialog missions/sensor/AisTimesDialog.tsx FormDialog

afterEach(cleanup);

const CALL = 'PUT /sensors/:id/files/:fileId/reading';
/** 2023-11-14T22:13:20 Z. */
const START = 1_700_000_000_000_000;
const undated: Asset = {
  ...{ _id: newId(), path: '/api/media/x/y.nmea', name: 'harbour.txt', sizeBytes: 12_000, sha256: null, kind: 'ais' },
  ...{ startTime: null, endTime: null, state: 'ready', message: null },
};

async function open(fields: Partial<Asset> = {}, answers: Answers = {}) {
  const file = { ...undated, ...fields };
  const sensor = sensorOf({ name: 'AIS', assets: [file] });
  const onClose = vi.fn();
  const fake = fakeApi({ [CALL]: () => ({ message: 'harbour.txt is read as chosen.' }), ...answers });
  const mission = missionOf({ securityClassification: 'SECRET', sensors: [sensor] });
  show(<AisTimesDialog mission={mission} sensor={sensor} file={file} onClose={onClose} />, { api: fake.api });
  const dialog = await screen.findByRole('dialog', { name: 'Set the times of harbour.txt' });
  const params = { id: sensor._id, fileId: file._id };
  return { dialog, onClose, params, sent: () => fake.inputsOf(CALL) };
}

async function type(label: string, text: string) {
  await userEvent.clear(screen.getByLabelText(label));
  await userEvent.type(screen.getByLabelText(label), text);
}
const setButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Set' });

it('sets the first moment, in UTC, and the rate', async () => {
  const { dialog, onClose, params, sent } = await open();
  expect(screen.getByText('SECRET')).toBeDefined();
  expect(await seriousFindings(dialog)).toEqual([]);
  expect(setButton().disabled).toBe(true);

  await type('First sentence, UTC', '2023-11-14 22:13:20');
  await type('Sentences per second', '0,5');
  await userEvent.click(setButton());

  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent()).toEqual([{ params, body: { klvPid: null, clock: null, ais: { start: START, perSecond: 0.5 } } }]);
  expect(await screen.findByText('harbour.txt is read with the times that you gave.')).toBeDefined();
});

it('takes times away that were set', async () => {
  const { params, sent } = await open({ startTime: START, aisTimes: { start: START, perSecond: 2 } });
  expect(screen.getByLabelText<HTMLInputElement>('First sentence, UTC').value).toBe('2023-11-14 22:13:20');
  expect(screen.getByLabelText<HTMLInputElement>('Sentences per second').value).toBe('2');

  await userEvent.click(screen.getByRole('button', { name: 'Remove the times' }));

  await waitFor(() => expect(sent()).toEqual([{ params, body: { klvPid: null, clock: null, ais: null } }]));
});

it('says what is no moment and no rate, and keeps what was typed where the server refuses', async () => {
  const { onClose } = await open({}, { [CALL]: refusing('forbidden') });

  await type('First sentence, UTC', 'noon');
  await type('Sentences per second', '0');
  expect(screen.getByText('Please give a moment such as 2026-11-04 14:52:07')).toBeDefined();
  expect(screen.getByText('Please give a number from 0.001 to 100000')).toBeDefined();
  expect(setButton().disabled).toBe(true);

  await type('First sentence, UTC', '2023-11-14 22:13');
  await type('Sentences per second', '4');
  await userEvent.click(setButton());
  expect(await screen.findByText(/^Error setting times of harbour.txt: /)).toBeDefined();
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByLabelText<HTMLInputElement>('Sentences per second').value).toBe('4');
});

it('says by which rules a file is dated, and what has no time', () => {
  const none = { tagBlock: 0, line: 0, baseStation: 0, hand: 0, reception: 0, none: 0 };
  const said = (aisDated?: typeof none, message: string | null = null) =>
    datedText({ message, ...(aisDated && { aisDated }) });
  expect(said()).toBe('');
  expect(said({ ...none, tagBlock: 204, baseStation: 3 })).toBe('Dated by tag blocks (204), base stations (3).');
  expect(said({ ...none, line: 2, none: 1 })).toBe(
    'Dated by times next to the sentences (2). 1 message has no time and was left out.',
  );
  expect(said({ ...none, hand: 4 })).toBe('Dated by the times that were set (4).');
  expect(said({ ...none, reception: 5 })).toBe('Dated by reception by this server (5).');
  expect(said({ ...none, none: 5 }, 'Its sentences carry no time')).toBe('');
});
