// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, onTestFinished, vi } from 'vitest';
import { seriousFindings } from '../testing/axe.ts';
import { SECOND, show, track, withLayout } from '../testing/timeline.tsx';
import { sensorRow } from '../testing/view-services.ts';
import type { Selection, TimelineMark } from './marks.ts';

withLayout();

const markAt = (seconds: number, fields: Partial<TimelineMark> = {}): TimelineMark => ({
  id: `m${seconds}`,
  timeUs: seconds * SECOND,
  ink: 'gold',
  icon: 'M0 0h24v24z',
  label: `Mark ${seconds}`,
  ...fields,
});

const pins = () => screen.getAllByRole('button', { name: / Z$/ }).filter((one) => one.closest('[data-part="pins"]'));
const pin = (name: string | RegExp) => screen.getByRole('button', { name });

it('shows neither pins nor a selection where there are none', () => {
  const { again } = show();
  const before = document.body.innerHTML;

  again({ marks: [], selection: { inUs: null, outUs: null, onChange: () => undefined } });

  expect(document.body.innerHTML).toBe(before);
  expect(screen.queryByText('Pins')).toBeNull();
  expect(screen.queryByRole('slider', { name: 'In' })).toBeNull();
});

it('has a row of pins with their number and labels, and a click on one seeks', async () => {
  const { clock } = show({ marks: [markAt(600, { label: 'Take-off' }), markAt(1800, { endUs: 1860 * SECOND })] });

  expect(screen.getByText('Pins').nextSibling?.textContent).toBe('2');
  expect(pin('Take-off, 00:10:00 Z').textContent).toBe('Take-off');
  expect(document.querySelector('[data-part="pins"] path[stroke="gold"]')?.getAttribute('d')).toBe('M500 0H517');
  await userEvent.click(pin('Mark 1800, 00:30:00 to 00:31:00 Z'));

  expect(clock.timeUs()).toBe(1800 * SECOND);
  // The keys of the view stay with the view.
  expect(document.activeElement).toBe(document.body);
});

it('makes one pin with a count of those that would overlap, which part in a closer view', async () => {
  const { clock } = show({ marks: [markAt(1800), markAt(1802), markAt(1804), markAt(3000)] });

  expect(pins()).toHaveLength(2);
  expect(pin('3 pins from 00:30:00 to 00:30:04 Z').textContent).toBe('3');
  expect(pin(/^3 pins/).title).toContain('Mark 1802, 00:30:02 Z');
  await userEvent.click(pin(/^3 pins/));
  expect(clock.timeUs()).toBe(1800 * SECOND);
  // The wheel works over a pin too.
  fireEvent.wheel(pin(/^3 pins/), { deltaY: -3000, clientX: 500 });

  expect(pins().map(({ textContent }) => textContent)).toEqual(['Mark 1800', 'Mark 1802', 'Mark 1804']);
});

it('has one pin in the tab order, and arrows go to the next and the previous', async () => {
  const { clock } = show({ marks: [markAt(600), markAt(1800), markAt(3000)] });
  expect(pins().map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1]);

  act(() => pins()[0]!.focus());
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{ArrowLeft}{Enter}');

  expect(document.activeElement).toBe(pins()[1]);
  expect(pins().map(({ tabIndex }) => tabIndex)).toEqual([-1, 0, -1]);
  expect(clock.timeUs()).toBe(1800 * SECOND);
});

it('names the sensor of a mark where there are several, and shows words of others as they are', () => {
  const marks = [markAt(600, { sensorId: 'ir', label: '<b>bold</b>\u202e' })];
  show({ marks, sensors: [sensorRow({ _id: 'eo', name: 'EO' }), sensorRow({ _id: 'ir', name: 'IR' })] });

  expect(pins()[0]?.getAttribute('aria-label')).toBe('<b>bold</b>\\u202E, IR, 00:10:00 Z');
});

it('shows pins of a phone without making targets of them', () => {
  const { clock } = show({ marks: [markAt(600), markAt(1800)], compact: true });

  expect(document.querySelectorAll('[data-part="pins"] i')).toHaveLength(2);
  expect(document.querySelectorAll('[data-part="pins"] button')).toHaveLength(0);
  fireEvent.pointerDown(track(), { clientX: 500, clientY: 55, button: 0 });
  expect(clock.timeUs()).toBe(1800 * SECOND);
});

it('reads 10,000 marks once: panning and pointing draw from what was read, with no more pins than fit', () => {
  let reads = 0;
  const marks = Array.from({ length: 10_000 }, (_none, index) => {
    const mark = markAt((index * 7919) % 3600, { id: `m${index}` });
    return Object.defineProperty(mark, 'timeUs', {
      get: () => {
        reads += 1;
        return ((index * 7919) % 3600) * SECOND;
      },
    });
  });
  show({ marks });
  expect(pins().length).toBeLessThanOrEqual(Math.ceil(1000 / 28) + 1);

  reads = 0;
  for (let x = 0; x < 1000; x += 10) fireEvent.pointerMove(track(), { clientX: x, clientY: 40, pointerType: 'mouse' });
  expect(reads).toBe(0);

  fireEvent.wheel(track(), { deltaY: -1000, clientX: 500 });
  reads = 0;
  for (let turn = 0; turn < 10; turn += 1) fireEvent.wheel(track(), { deltaX: 5 });
  // Only the marks with a hint on screen were read.
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThan(10 * 40 * 20);
});

const end = (name: 'In' | 'Out') => screen.getByRole('slider', { name });

/** The selection of a page that takes each change. */
function showSelection(first: Selection) {
  const changes: Selection[] = [];
  const control = (selection: Selection) => ({
    selection: {
      ...selection,
      onChange: (next: Selection) => {
        changes.push(next);
        again(control(next));
      },
    },
  });
  const { again, clock } = show(control(first));
  return { changes, clock };
}

it('shows In and Out with the time between them, and clears them', async () => {
  const { changes } = showSelection({ inUs: 600 * SECOND, outUs: 1105 * SECOND });

  const group = screen.getByRole('group', { name: 'Selection' });
  expect(group.textContent).toBe('In 00:10:00Out 00:18:25Length 8:25');
  const part = document.querySelector('[data-part="selection"]');
  expect(Number(part?.getAttribute('x'))).toBeCloseTo(166.7, 1);
  expect(end('In').getAttribute('aria-valuetext')).toBe('00:10:00 Z');
  await userEvent.click(screen.getByRole('button', { name: 'Clear the selection' }));

  expect(changes).toEqual([{ inUs: null, outUs: null }]);
  expect(screen.queryByRole('group', { name: 'Selection' })).toBeNull();
});

it('has the selection of a phone below the transport', () => {
  show({ selection: { inUs: 600 * SECOND, outUs: 1105 * SECOND, onChange: () => undefined }, compact: true });

  const transport = screen.getByRole('toolbar', { name: 'Playback' });
  expect(transport.nextElementSibling).toBe(screen.getByRole('group', { name: 'Selection' }));
});

it('shows one end alone until the other is set', () => {
  showSelection({ inUs: 600 * SECOND, outUs: null });

  expect(screen.getByRole('group', { name: 'Selection' }).textContent).toBe('In 00:10:00');
  expect(screen.queryByRole('slider', { name: 'Out' })).toBeNull();
  expect(document.querySelector('[data-part="selection"]')).toBeNull();
});

it('is dragged by its ends, which neither pass each other nor seek', () => {
  const { changes, clock } = showSelection({ inUs: 720 * SECOND, outUs: 1800 * SECOND });

  // Held 3 px away from the line.
  fireEvent.pointerDown(end('In'), { clientX: 197, button: 0, pointerId: 1 });
  fireEvent.pointerMove(end('In'), { clientX: 247, pointerId: 1 });
  expect(changes.at(-1)).toEqual({ inUs: 900 * SECOND, outUs: 1800 * SECOND });
  fireEvent.pointerMove(end('In'), { clientX: 900, pointerId: 1 });
  expect(changes.at(-1)).toEqual({ inUs: 1800 * SECOND, outUs: 1800 * SECOND });
  fireEvent.lostPointerCapture(end('In'), { pointerId: 1 });
  fireEvent.pointerMove(end('In'), { clientX: 100, pointerId: 1 });
  expect(changes).toHaveLength(2);

  fireEvent.pointerDown(end('Out'), { clientX: 500, button: 0, pointerId: 1 });
  fireEvent.pointerMove(end('Out'), { clientX: 3000, pointerId: 1 });
  expect(changes.at(-1)?.outUs).toBe(3600 * SECOND);
  expect(clock.timeUs()).toBe(0);
});

it('is made by dragging over the rows with Shift held, either way, without panning or seeking', () => {
  const { changes, clock } = showSelection({ inUs: null, outUs: null });

  fireEvent.pointerDown(track(), { clientX: 500, clientY: 40, button: 0, pointerId: 1, shiftKey: true });
  fireEvent.pointerMove(track(), { clientX: 750, clientY: 40, pointerId: 1, shiftKey: true });
  expect(changes.at(-1)).toEqual({ inUs: 1800 * SECOND, outUs: 2700 * SECOND });
  fireEvent.pointerMove(track(), { clientX: 250, clientY: 40, pointerId: 1, shiftKey: true });
  expect(changes.at(-1)).toEqual({ inUs: 900 * SECOND, outUs: 1800 * SECOND });
  fireEvent.pointerUp(track(), { clientX: 250, clientY: 40, pointerId: 1 });

  expect(clock.timeUs()).toBe(0);
  expect(screen.getByRole('group', { name: 'Selection' }).textContent).toBe('In 00:15:00Out 00:30:00Length 15:00');
});

it('is moved and taken away by keys, also out of the view, and leaves other keys to the view', async () => {
  const { changes } = showSelection({ inUs: 600 * SECOND, outUs: 1800 * SECOND });
  const others = vi.fn();
  const listener = (event: KeyboardEvent) => event.defaultPrevented || others(event.key);
  document.addEventListener('keydown', listener);
  onTestFinished(() => document.removeEventListener('keydown', listener));

  act(() => end('Out').focus());
  await userEvent.keyboard('{ArrowRight}{Shift>}{ArrowLeft}{/Shift}{PageUp}');
  expect(changes.map(({ outUs }) => (outUs ?? 0) / SECOND)).toEqual([1801, 1791, 1851]);
  await userEvent.keyboard('m');
  expect(others.mock.calls.map(([key]) => key)).toEqual(['Shift', 'm']);

  // About 900 s in view.
  fireEvent.wheel(track(), { deltaY: -771, clientX: 514 });
  for (let press = 0; press < 12; press += 1) await userEvent.keyboard('{PageUp}');
  expect(changes.at(-1)?.outUs).toBe((1851 + 720) * SECOND);
  expect(document.activeElement).toBe(end('Out'));

  // Elsewhere: the focus brings it back.
  act(() => end('Out').blur());
  fireEvent.wheel(track(), { deltaX: -9000 });
  expect(Number.parseFloat(end('Out').style.left)).toBeGreaterThan(1000);
  act(() => end('Out').focus());
  expect(Number.parseFloat(end('Out').style.left)).toBeLessThan(1000);

  await userEvent.keyboard('{Delete}');
  expect(changes.at(-1)).toEqual({ inUs: 600 * SECOND, outUs: null });
});

it('has no serious accessibility finding', async () => {
  const selection = { inUs: 600 * SECOND, outUs: 1105 * SECOND, onChange: () => undefined };
  show({ marks: [markAt(600), markAt(601), markAt(3000)], selection });

  expect(await seriousFindings(document.body)).toEqual([]);
});
