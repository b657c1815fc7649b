// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { FormDialog } from './FormDialog.tsx';

afterEach(cleanup);

/** A click outside the dialog; a browser counts in `detail` which one of a row it is. */
function clickBeside(detail: number) {
  const beside = screen.getByRole('dialog').parentElement!;
  fireEvent.mouseDown(beside, { detail });
  fireEvent.click(beside, { detail });
}

it('is closed by a click outside it, but not by the second half of the double click that opened it', () => {
  const onClose = vi.fn();
  render(
    <FormDialog title="New group" dirty={false} onClose={onClose} onSubmit={() => undefined} actions={null}>
      <p>Fields</p>
    </FormDialog>,
  );

  clickBeside(2);
  expect(onClose).not.toHaveBeenCalled();
  clickBeside(1);

  expect(onClose).toHaveBeenCalledOnce();
});
