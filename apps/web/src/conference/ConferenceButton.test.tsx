// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { admin, info, show } from '../testing/show.tsx';
import { ConferenceButton } from './ConferenceButton.tsx';

afterEach(cleanup);

it.each([
  ['a user where there are conferences', true, 'user', 1],
  ['a user of an installation without', false, 'user', 0],
  ['a guest', true, 'guest', 0],
] as const)('is there for %s', (_who, useConference, role, count) => {
  const session = { actor: { ...admin, role }, info: { ...info, useConference } };
  show(<ConferenceButton />, { api: fakeApi({ 'GET /conference/rooms': () => [] }).api, session });

  expect(screen.queryAllByRole('button', { name: /^Conference/ })).toHaveLength(count); // S2-445
});
