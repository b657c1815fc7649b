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

const form = (more: { submitLabel: string | null; canSubmit?: boolean }) => {
  const [onClose, onSubmit] = [vi.fn(), vi.fn()];
  render(
    <FormDialog title="New group" dirty onClose={onClose} onSubmit={onSubmit} aside={<i>Two members</i>} {...more}>
      <p>Fields</p>
    </FormDialog>,
  );
  return { onClose, onSubmit, button: (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }) };
};

it('ends in a row that cancels without asking, or sends', () => {
  const { onClose, onSubmit, button } = form({ submitLabel: 'Create' });
  screen.getByText('Two members');

  fireEvent.click(button('Cancel'));
  expect([onClose.mock.calls.length, screen.queryByText('Discard your entries?')]).toEqual([1, null]);
  fireEvent.click(button('Create'));

  expect(onSubmit).toHaveBeenCalledOnce();
});

it('sends nothing while it may not, and offers to close alone where nothing can be sent', () => {
  const { onSubmit, button } = form({ submitLabel: 'Create', canSubmit: false });
  fireEvent.click(button('Create'));
  expect([onSubmit.mock.calls.length, button('Create').disabled]).toEqual([0, true]);
  cleanup();

  form({ submitLabel: null });
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).not.toContain('Cancel');
});

it('gives the focus to its first field, not to the dialog, and leaves it where a field has it', () => {
  const show = (chosen: boolean) =>
    render(
      <FormDialog title="New group" dirty={false} onClose={vi.fn()} onSubmit={vi.fn()} submitLabel="Create">
        <input aria-label="Fixed" disabled />
        <input aria-label="Name" />
        {/* biome-ignore lint/a11y/noAutofocus: as forms do it that begin further down */}
        <input aria-label="Reason" autoFocus={chosen} />
      </FormDialog>,
    );
  show(false);
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
  cleanup();

  show(true);
  expect(document.activeElement).toBe(screen.getByLabelText('Reason'));
});
