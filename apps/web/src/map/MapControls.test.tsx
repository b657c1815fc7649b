// @vitest-environment jsdom
import { Menu, MenuItem } from '@mui/material';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { CentreModeMenu } from './CentreModeMenu.tsx';
import { BorderFields, rectangleOf } from './draw/BorderFields.tsx';
import { LayersMenu } from './LayersMenu.tsx';
import { CENTRE_MODES } from './map-storage.ts';
import type { OverlaySwitch } from './overlay.ts';
import { frameLines } from './overlays/frame-switches.ts';
import { CLOSE_AFTER_MS, useHoverOpen } from './useHoverOpen.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** As on the map: what opens the tools gives way to them. */
function Tools() {
  const { open, element, handlers } = useHoverOpen();
  const [menu, setMenu] = useState(false);
  return (
    <>
      <div role="toolbar" ref={element} {...handlers}>
        {!open && <button type="button">closed</button>}
        {open && (
          <>
            <button type="button" onClick={() => setMenu(true)}>
              open
            </button>
            <Menu anchorEl={document.body} open={menu}>
              <MenuItem>layer</MenuItem>
            </Menu>
          </>
        )}
      </div>
      <p>map</p>
    </>
  );
}
const tools = () => screen.getByRole('toolbar', { hidden: true });
const shown = () => within(tools()).getByRole('button', { hidden: true }).textContent;
const tap = (element: HTMLElement) => {
  const touch = { pointerType: 'touch' };
  fireEvent.pointerEnter(element, touch);
  fireEvent.pointerDown(element, touch);
  fireEvent.pointerUp(element, touch);
  fireEvent.pointerLeave(element, touch);
  fireEvent.click(element);
};

it('opens its tools on hover and closes them a second after the pointer left', async () => {
  vi.useFakeTimers();
  render(<Tools />);

  await act(async () => fireEvent.pointerEnter(tools()));
  expect(shown()).toBe('open');
  fireEvent.pointerLeave(tools());
  act(() => void vi.advanceTimersByTime(CLOSE_AFTER_MS - 1));
  expect(shown()).toBe('open');
  act(() => void vi.advanceTimersByTime(1));

  expect(shown()).toBe('closed');
});

it('opens by a tap, stays open for taps on tools and their menus, and closes by a tap outside', () => {
  vi.useFakeTimers();
  render(<Tools />);

  tap(screen.getByText('closed'));
  act(() => void vi.advanceTimersByTime(CLOSE_AFTER_MS * 2));
  expect(shown()).toBe('open');
  tap(screen.getByText('open'));
  tap(screen.getByText('layer'));
  act(() => void vi.advanceTimersByTime(CLOSE_AFTER_MS * 2));
  expect(shown()).toBe('open');
  tap(screen.getByText('map'));

  expect(shown()).toBe('closed');
});

it('hands the focus on to the tools that it opens, and stays open while one has it', () => {
  vi.useFakeTimers();
  render(<Tools />);

  act(() => screen.getByText('closed').focus());
  expect(document.activeElement?.textContent).toBe('open');
  act(() => void vi.advanceTimersByTime(CLOSE_AFTER_MS * 2));
  expect(shown()).toBe('open');
  act(() => screen.getByText('open').blur());
  act(() => void vi.advanceTimersByTime(CLOSE_AFTER_MS));

  expect(shown()).toBe('closed');
});

it('says in words what the map follows and lets it follow something else', async () => {
  const onChoose = vi.fn();
  render(<CentreModeMenu mode={CENTRE_MODES.frame} onChoose={onChoose} />);

  await userEvent.click(screen.getByRole('button', { name: 'What the map follows: Follows frame' }));
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Follows target' }));

  expect(onChoose).toHaveBeenCalledWith(3);
});

function openMenu(switches: readonly (OverlaySwitch & { shown: boolean })[]) {
  const [onToggle, onValue] = [vi.fn(), vi.fn()];
  const state = {
    switches: switches.map((one) => ({ ...one, busy: false })),
    buttons: [],
    settings: frameLines.settings.map((one) => ({ ...one, value: 20 })),
  };
  render(
    <LayersMenu anchor={document.body} state={state} onToggle={onToggle} onValue={onValue} onClose={() => undefined} />,
  );
  return { onToggle, onValue };
}

it('switches layers and the length of the trail', async () => {
  const { onToggle, onValue } = openMenu([
    ...frameLines.switches.map((one) => ({ ...one, shown: true })),
    { id: 'graticule', title: 'Graticule', group: '', shown: true },
  ]);

  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Graticule' }));
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Trail 5 min' }));

  expect(onToggle).toHaveBeenCalledWith('graticule');
  expect(onValue).toHaveBeenCalledWith('trailSeconds', 300);
  // By keys alone: below the layers, the last before the first.
  await userEvent.keyboard('{Home}{ArrowUp}{ArrowUp}{Enter}');
  expect(onValue).toHaveBeenLastCalledWith('trailSeconds', 60);
});

it('offers the tile sets of the site with their sources, and says which are shown', async () => {
  const chart = (id: string, title: string, shown: boolean) => ({
    ...{ id, title, credit: `Office of ${title}`, shown },
    group: 'Of this site',
  });
  const { onToggle } = openMenu([chart('a', 'Chart', false), chart('b', 'Relief', true)]);

  expect(screen.getAllByText('Of this site')).toHaveLength(1);
  const item = (name: string) => screen.getByRole('menuitemcheckbox', { name });
  expect(item('Relief Office of Relief').getAttribute('aria-checked')).toBe('true');
  expect(item('Chart Office of Chart').getAttribute('aria-checked')).toBe('false');
  await userEvent.click(item('Chart Office of Chart'));

  expect(onToggle).toHaveBeenCalledWith('a');
});

it('takes an area by its borders, without a pointer', async () => {
  const onChange = vi.fn();
  render(<BorderFields value={null} onChange={onChange} />);

  for (const [label, text] of [
    ['West', '24'],
    ['South', '37'],
    ['East', '25'],
    ['North', '38'],
  ] as const) {
    await userEvent.type(screen.getByRole('textbox', { name: label }), text);
  }
  await userEvent.keyboard('{Enter}');

  expect(onChange).toHaveBeenCalledWith(rectangleOf({ west: '24', south: '37', east: '25', north: '38' }));
});

it('refuses borders that leave no area', () => {
  expect(rectangleOf({ west: '24', south: '38', east: '25', north: '37' })).toBeNull();
  expect(rectangleOf({ west: 'x', south: '37', east: '25', north: '38' })).toBeNull();
  expect(rectangleOf({ west: '24', south: '37', east: '200', north: '38' })).toBeNull();
});
