// @vitest-environment jsdom
import type { Readers } from '@osprey/contract';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Answer, fakeApi, newId, refusing } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import type { ShareFields } from '../ui/fields/sharing.ts';
import { VisibleTo } from '../ui/fields/VisibleTo.tsx';
import { useReaders } from './useReaders.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const READERS = 'POST /sharing/readers';
const [patrol, coast] = [newId(), newId()];
const form: ShareFields = { label: 'SECRET', everyone: false, usergroups: [patrol] };

/** A server's answer: as many people as groups. */
const counting: Answer = ({ body }) => {
  const { usergroups } = body as unknown as { usergroups: string[] };
  const groups = usergroups.map((_id) => ({
    _id,
    name: _id === patrol ? 'Patrol' : 'Coast',
    ceiling: 'SECRET' as const,
    shows: true,
  }));
  return { everyone: false, guests: false, people: groups.length + 1, groups } satisfies Readers;
};

function Shared({ fields }: { fields: ShareFields }) {
  return (
    <VisibleTo {...useReaders('mission', fields)}>
      <p>Groups</p>
    </VisibleTo>
  );
}

function open(answer: Answer) {
  const fake = fakeApi({ [READERS]: answer });
  const shown = show(<Shared fields={form} />, { api: fake.api });
  const line = () => shown.container.querySelector('[data-part="readers"]')!;
  const change = (fields: Partial<ShareFields>) => shown.rerender(<Shared fields={{ ...form, ...fields }} />);
  return { ...fake, line, change };
}

it('keeps the place of the line until the server answers, and then says it politely', async () => {
  const answered = Promise.withResolvers<unknown>();
  const { line, inputsOf } = open(() => answered.promise);
  await waitFor(() => expect(inputsOf(READERS)).toHaveLength(1));
  expect(line().textContent).toBe('');
  expect(line().querySelector('p .MuiSkeleton-root')).not.toBeNull();

  answered.resolve(counting({ body: { usergroups: [patrol] } as never }));

  await screen.findByText('Visible to 2 people: Patrol, and super admins');
  expect(line().getAttribute('aria-live')).toBe('polite');
  expect(line().querySelector('.MuiSkeleton-root')).toBeNull();
});

it('asks once the choice rests, says nothing old meanwhile, and remembers earlier answers', async () => {
  const { line, change, inputsOf } = open(counting);
  await screen.findByText('Visible to 2 people: Patrol, and super admins');

  change({ usergroups: [] });
  change({ usergroups: [patrol, coast] });
  expect(line().textContent).toBe('');
  expect(inputsOf(READERS)).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(300));
  await screen.findByText('Visible to 3 people: Patrol and Coast, and super admins');
  expect(inputsOf(READERS)).toHaveLength(2);

  change({ usergroups: [patrol] });
  expect(line().textContent).toBe('Visible to 2 people: Patrol, and super admins');
});

it('sends everyone without the groups that were ticked before', async () => {
  const { change, inputsOf } = open(counting);
  change({ everyone: true });
  await act(() => vi.advanceTimersByTimeAsync(300));
  await waitFor(() => expect(inputsOf(READERS)).toHaveLength(2));
  expect(inputsOf(READERS)[1]).toEqual({
    body: { item: 'mission', securityClassification: 'SECRET', audience: 'everyone', usergroups: [] },
  });
});

it('says that it is not known where the server cannot be asked', async () => {
  const { line } = open(refusing('unavailable'));
  await screen.findByText('The server could not say who will see this');
  expect(line().textContent).not.toContain('Visible');
});
