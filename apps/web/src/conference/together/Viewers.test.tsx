// @vitest-environment jsdom

import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { show } from '../../testing/show.tsx';
import { initialsOf } from './initials.ts';
import { Viewers } from './Viewers.tsx';

afterEach(cleanup);

const MISSION = '00000000-0000-4000-8000-000000000001';

it.each([
  ['anna', 'AN'],
  ['Anna Berg', 'AB'],
  ['anna.von.berg', 'AV'],
  ['ö', 'Ö'],
  ['', '?'],
  ['𝒜nna', '𝒜N'],
])('the initials of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

it('shows the initials of the others, and how many more there are', () => {
  const { bus } = show(<Viewers missionId={MISSION} />, { api: fakeApi({}).api });
  expect(screen.queryByRole('list')).toBe(null);
  const reported = (viewers: string[], mission = MISSION) =>
    act(() => bus.emit('missionViewers', { mission, viewers }));

  reported(['Anna Berg', 'birk']);
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['AB', 'BI']);
  reported(['a', 'b', 'c', 'd']);
  expect(screen.getAllByRole('listitem')).toHaveLength(4);
  reported(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(screen.getByRole('img', { name: '3 more' }).textContent).toBe('+3');
  reported(['x'], '00000000-0000-4000-8000-000000000002');
  expect(screen.getAllByRole('listitem')).toHaveLength(4);
  reported([]);
  expect(screen.queryByRole('list')).toBe(null);
});
