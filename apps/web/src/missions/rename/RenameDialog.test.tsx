// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { seriousFindings } from '../../testing/axe.ts';
import { type Answers, fakeApi, missionOf, refusing } from '../../testing/fake-api.ts';
import { show } from '../../testing/show.tsx';
import { RenameDialog } from './RenameDialog.tsx';

afterEach(cleanup);

const CALL = 'PUT /missions/:mission/name';

async function open(answers: Answers = {}) {
  const mission = missionOf({ name: 'Kea', securityClassification: 'SECRET', revision: 7 });
  const onClose = vi.fn();
  const fake = fakeApi({ [CALL]: () => ({ ...mission, name: 'Syros' }), ...answers });
  show(<RenameDialog mission={mission} onClose={onClose} />, { api: fake.api });
  const dialog = await screen.findByRole('dialog', { name: 'Rename Kea' });
  return { dialog, mission, onClose, sent: () => fake.inputsOf(CALL) };
}

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^New name/ });
const type = async (text: string) => {
  await userEvent.clear(field());
  if (text !== '') await userEvent.type(field(), text);
};
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Rename' });

it('renames by id and revision, and says so', async () => {
  const { dialog, mission, onClose, sent } = await open();

  expect(screen.getByText('SECRET')).toBeDefined();
  expect(field().value).toBe('Kea');
  expect(await seriousFindings(dialog)).toEqual([]);
  await type('Syros');
  await userEvent.click(button());

  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent()).toEqual([{ params: { mission: mission._id }, body: { name: 'Syros', revision: 7 } }]);
  expect(await screen.findByText('Mission Kea is now Syros.')).toBeDefined();
});

it.each([
  ['', 'Empty Mission name'],
  ['two words', 'Spaces are not allowed'],
  ['a/b', 'Slashes, commas and control characters are not allowed'],
  ['..', 'This name is not allowed'],
  ['x'.repeat(65), 'Mission name is longer than 64 characters'],
])('refuses the name "%s" before it is sent', async (name, text) => {
  const { sent } = await open();

  await userEvent.clear(field());
  if (name !== '') await userEvent.paste(name);

  expect(screen.getByText(text)).toBeDefined();
  expect(button().disabled).toBe(true);
  expect(sent()).toEqual([]);
});

it('keeps what was typed where the name is taken, and takes another', async () => {
  const { onClose } = await open({ [CALL]: refusing('missionNameTaken', { name: 'Syros' }) });

  await type('Syros');
  await userEvent.click(button());

  expect(await screen.findByText('Mission name Syros already exists')).toBeDefined();
  expect(field().value).toBe('Syros');
  expect(button().disabled).toBe(true);
  await type('Syros-2');
  expect(screen.queryByText('Mission name Syros already exists')).toBeNull();
  expect(button().disabled).toBe(false);
  expect(onClose).not.toHaveBeenCalled();
});

it('says why a mission keeps its name for now', async () => {
  const reason = 'Kea is being recorded. Please rename it when the recording has ended.';
  const { onClose } = await open({ [CALL]: refusing('ruleRefused', { reason }) });

  await type('Syros');
  await userEvent.click(button());

  expect(await screen.findByText(`Error renaming mission Kea: ${reason}`)).toBeDefined();
  expect(onClose).not.toHaveBeenCalled();
});

it('makes a dash of a space that is typed, and none of one that is pasted', async () => {
  await open();

  await type('night ferry');
  expect(field().value).toBe('night-ferry');
  await userEvent.type(field(), ' ', { initialSelectionStart: 2, initialSelectionEnd: 2 });
  expect(field().value).toBe('ni-ght-ferry');
  expect(field().selectionStart).toBe(3);
  await userEvent.clear(field());
  await userEvent.paste('night ferry');

  expect(field().value).toBe('night ferry');
  expect(screen.getByText('Spaces are not allowed')).toBeDefined();
});
