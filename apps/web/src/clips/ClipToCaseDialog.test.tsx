// @vitest-environment jsdom
import { AppError } from '@osprey/contract';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { seriousFindings } from '../testing/axe.ts';
import { caseOf, casePartOf } from '../testing/cases.ts';
import { clipOf } from '../testing/clips.ts';
import { type Answers, fakeApi, missionOf, refusing, sensorOf, usergroupOf } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { ClipToCaseDialog } from './ClipToCaseDialog.tsx';

const START = Date.UTC(2026, 5, 1, 9) * 1000;
const sensor = sensorOf({ name: 'EO' });
const other = sensorOf({ name: 'IR' });
const mission = missionOf({ name: 'Kea', securityClassification: 'SECRET', startTime: START, endTime: START + 60e6 });
const [mine, theirs] = [caseOf({ number: 3, name: 'Slick' }), caseOf({ number: 4, name: 'Theirs', editable: false })];
const clip = clipOf({ title: 'Kea 09:00:05' });

beforeEach(() => localStorage.clear());
afterEach(cleanup);

function open(answers: Answers = {}, sensors = [sensor]) {
  const fake = fakeApi({
    'GET /cases': () => [mine, theirs],
    'POST /clips': () => ({ ...clip, message: 'Clip Kea 09:00:05 saved.' }),
    'POST /cases/:id/parts': () => [casePartOf()],
    ...answers,
  });
  const onClose = vi.fn();
  const span = { inUs: START + 5.5e6, outUs: START + 20e6, endUs: START + 60e6 };
  const shown = show(<ClipToCaseDialog {...{ mission, sensors, sensorId: sensor._id, ...span, onClose }} />, {
    api: fake.api,
  });
  return { ...fake, ...shown, onClose };
}

const dialog = () => screen.findByRole('dialog', { name: 'Clip to case' });
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const add = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Add' });

async function choose(name = /^Case 3, Slick/) {
  await userEvent.type(await screen.findByRole('combobox', { name: 'Case' }), 'sl');
  await userEvent.click(await screen.findByRole('option', { name }));
}

it('keeps the span as a clip named after mission and time, and adds it to the case, by keys alone', async () => {
  const { inputsOf, onClose } = open();
  expect(within(await dialog()).getByText('SECRET')).toBeDefined();
  expect(field('In').value).toBe('09:00:05.500');
  expect(field('Out').value).toBe('09:00:20.000');
  expect(field('Title').value).toBe('Kea 09:00:05');
  await screen.findByRole('option', { name: /^Case 3, Slick/ });
  expect(screen.queryByRole('option', { name: /Theirs/ })).toBeNull();

  await userEvent.keyboard('{ArrowDown}{Enter}{Enter}');

  await screen.findByText('Added to case 3.');
  expect(inputsOf('POST /clips')).toMatchObject([
    {
      body: {
        ...{ missionIdOrName: mission._id, sensors: [sensor._id], title: 'Kea 09:00:05' },
        ...{ markIn: '2026-06-01T09:00:05.500000Z', markOut: '2026-06-01T09:00:20.000000Z' },
      },
    },
  ]);
  expect(inputsOf('POST /cases/:id/parts')).toEqual([
    { params: { id: mine._id }, body: { parts: [{ kind: 'clip', clipId: clip._id }] } },
  ]);
  expect(onClose).toHaveBeenCalledOnce();
});

it('makes the title again with In until one is typed', async () => {
  const { inputsOf } = open();
  await dialog();
  fireEvent.change(field('In'), { target: { value: '09:00:07' } });
  expect(field('Title').value).toBe('Kea 09:00:07');
  fireEvent.change(field('Title'), { target: { value: 'Hand-over' } });
  fireEvent.change(field('In'), { target: { value: '09:00:08' } });
  await choose();

  await userEvent.click(add());

  await screen.findByText('Added to case 3.');
  expect(inputsOf('POST /clips')).toMatchObject([{ body: { title: 'Hand-over' } }]);
});

it('says what is wrong with a time, and adds nothing before a case is chosen', async () => {
  const { inputsOf } = open();
  await dialog();
  expect(add().disabled).toBe(true);
  await choose();
  expect(add().disabled).toBe(false);

  fireEvent.change(field('Out'), { target: { value: '09:00:01' } });
  expect(screen.getByText('Out must come after In')).toBeDefined();
  expect(add().disabled).toBe(true);
  fireEvent.change(field('Out'), { target: { value: 'soon' } });
  expect(screen.getByText(/^Not a time/)).toBeDefined();
  fireEvent.change(field('Title'), { target: { value: ' ' } });
  expect(screen.getByText('Empty title')).toBeDefined();
  expect(inputsOf('POST /clips')).toEqual([]);
});

it('takes another sensor of the mission', async () => {
  const { inputsOf } = open({}, [sensor, other]);
  await choose();
  await userEvent.click(screen.getByRole('combobox', { name: 'Sensor' }));
  await userEvent.click(await screen.findByRole('option', { name: 'IR' }));
  await userEvent.click(add());

  await screen.findByText('Added to case 3.');
  expect(inputsOf('POST /clips')).toMatchObject([{ body: { sensors: [other._id] } }]);
});

it('does not keep the clip twice where readers would be locked out, or the case fails at first', async () => {
  const { inputsOf, onClose } = open({
    'POST /cases/:id/parts': ({ body }) => {
      if ((body as unknown as { lockOut?: true }).lockOut) return [casePartOf()];
      throw new AppError('wouldLockOut', { label: 'SECRET', count: '3' });
    },
  });
  await choose();
  await userEvent.click(add());
  const question = await screen.findByRole('alertdialog', { name: 'Raise case 3 to SECRET?' });
  await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.click(add());
  await userEvent.click(await screen.findByRole('button', { name: 'Add and raise' }));

  await screen.findByText('Added to case 3.');
  expect(inputsOf('POST /clips')).toHaveLength(1);
  expect(onClose).toHaveBeenCalledOnce();
});

it('stays open with the reason when the clip cannot be kept', async () => {
  const { inputsOf, onClose } = open({ 'POST /clips': refusing('forbidden') });
  await choose();
  await userEvent.click(add());

  await screen.findByText('Error saving the clip: You do not have the rights for this.');
  expect(inputsOf('POST /cases/:id/parts')).toEqual([]);
  expect(onClose).not.toHaveBeenCalled();
});

it('begins a new case with the clip', async () => {
  const { inputsOf } = open({
    'GET /usergroups': () => [usergroupOf()],
    'POST /sharing/readers': () => ({ everyone: false, guests: false, people: null, groups: [] }),
  });
  await dialog();
  await userEvent.click(screen.getByRole('button', { name: 'New case' }));

  const form = await screen.findByRole('dialog', { name: 'New case' });
  expect(within(form).getByText('It begins with Kea 09:00:05.')).toBeDefined();
  expect(inputsOf('POST /clips')).toHaveLength(1);
});

it('has no serious accessibility finding', async () => {
  const { baseElement } = open();
  await dialog();
  expect(await seriousFindings(baseElement)).toEqual([]);
});
