// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { TopSection } from './TopSection.tsx';

const usualHeight = window.innerHeight;
afterEach(() => {
  cleanup();
  localStorage.clear();
  window.innerHeight = usualHeight;
});

const isOpen = () => screen.getByRole('button').getAttribute('aria-expanded') === 'true';

function open(heightPx: number) {
  window.innerHeight = heightPx;
  render(<TopSection count={3}>Map</TopSection>);
}

it.each([
  [900, true],
  // A phone in landscape.
  [390, false],
])('leaves room for the table at first: in a window of %i px the map is open: %s', (heightPx, expected) => {
  open(heightPx);

  expect(isOpen()).toBe(expected);
});

it('keeps the choice of the user in a low window too', async () => {
  open(390);
  await userEvent.click(screen.getByRole('button'));
  cleanup();

  open(390);

  expect(isOpen()).toBe(true);
});
