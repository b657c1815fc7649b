// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { MovableContent, MovablePlace, useMovable } from './Movable.tsx';

afterEach(cleanup);

function Page({ at }: { at: 'above' | 'below' | 'nowhere' }) {
  const movable = useMovable();
  return (
    <>
      <MovableContent movable={movable}>
        <button type="button">Row</button>
      </MovableContent>
      <header>{at === 'above' && <MovablePlace movable={movable} />}</header>
      <input aria-label="Search" />
      <footer>{at === 'below' && <MovablePlace movable={movable} />}</footer>
      {at !== 'nowhere' && movable.places === 0 && <MovablePlace movable={movable} fallback />}
    </>
  );
}

const row = () => screen.getByText('Row');

it('keeps the focus on what moves to another place', () => {
  const { rerender } = render(<Page at="above" />);
  row().focus();

  rerender(<Page at="below" />);

  expect(row().closest('footer')).not.toBeNull();
  expect(document.activeElement).toBe(row());
});

it('takes the focus from nothing else when it comes back', () => {
  const { rerender } = render(<Page at="above" />);
  row().focus();

  rerender(<Page at="nowhere" />);
  screen.getByLabelText('Search').focus();
  rerender(<Page at="below" />);

  expect(document.activeElement).toBe(screen.getByLabelText('Search'));
});

it('stays when its own place appears together with the one that replaces it', () => {
  const { rerender } = render(<Page at="nowhere" />);

  rerender(<Page at="below" />);

  expect(row().closest('footer')).not.toBeNull();
});
