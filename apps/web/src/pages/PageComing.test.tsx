// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { PageComing } from './PageComing.tsx';

afterEach(() => {
  cleanup();
  delete document.documentElement.dataset.frame;
});

it.each([
  ['places', 2],
  ['view', 2],
  ['mission', 2],
  ['map', 1],
  ['cards', 6],
  ['table', 1],
])('holds the layout of the page that comes: %s', (frame, panels) => {
  document.documentElement.dataset.frame = frame;
  show(<PageComing />, { api: fakeApi({}).api });

  expect(screen.getByRole('status').children).toHaveLength(panels);
});
