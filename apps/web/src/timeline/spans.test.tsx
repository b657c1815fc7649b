// @vitest-environment jsdom
import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { seriousFindings } from '../testing/axe.ts';
import { SECOND, show, withLayout } from '../testing/timeline.tsx';
import type { TimelineSpans } from './marks.ts';

withLayout();

const spanAt = (id: string, from: number, to: number, fields = {}) => ({
  ...{
    id,
    timeUs: from * SECOND,
    endUs: to * SECOND,
    label: id,
    hint: `${id} is in frame`,
    chosen: false,
    faded: false,
  },
  ...fields,
});
const rowOf = (spans: TimelineSpans['spans'], onChoose = (_id: string) => undefined): TimelineSpans => ({
  ...{ label: 'In frame', icon: 'M0 0h24v24z', several: '{count} ships', count: 2, spans, onChoose },
});
const bars = () => [...screen.getByRole('toolbar', { name: 'In frame' }).querySelectorAll('button')];

it('has a row of times that last with their names; a click seeks to the beginning and chooses', async () => {
  const onChoose = vi.fn();
  const spans = [
    spanAt('ARGO', 600, 1800),
    spanAt('SEA LARK', 1200, 2400, { chosen: true }),
    spanAt('KEA', 2400, 2401),
  ];
  const { clock } = show({ spans: rowOf(spans, onChoose) });

  expect(screen.getByText('In frame').nextSibling?.textContent).toBe('2');
  // Overlapping ones are one below the other; one that is too narrow has its name in the tooltip alone.
  expect(bars().map(({ textContent, style }) => [textContent, style.top])).toEqual([
    ['ARGO', '3px'],
    ['SEA LARK', '27px'],
    ['', '3px'],
  ]);
  expect(bars()[2]!.title).toBe('KEA is in frame');
  await userEvent.click(bars()[1]!);
  expect(clock.timeUs()).toBe(1200 * SECOND);
  expect(onChoose).toHaveBeenCalledWith('SEA LARK');
  expect(await seriousFindings(document.body)).toEqual([]);
});

it('goes from bar to bar by arrow keys, with one of them in the tab order', async () => {
  const { clock } = show({ spans: rowOf([spanAt('A', 600, 1200), spanAt('B', 1800, 2400)]) });
  expect(bars().map(({ tabIndex }) => tabIndex)).toEqual([0, -1]);
  act(() => bars()[0]!.focus());
  await userEvent.keyboard('{ArrowRight}{Enter}');
  expect(document.activeElement).toBe(bars()[1]);
  expect(clock.timeUs()).toBe(1800 * SECOND);
});

it('has no such row without spans', () => {
  show({ spans: rowOf([]) });
  expect(screen.queryByText('In frame')).toBeNull();
  expect(screen.queryByRole('toolbar', { name: 'In frame' })).toBeNull();
});

it('S2-185 has rows of what was recorded with its gaps, ships in frame, bookmarks and snapshots, and hits of a query', () => {
  const marks = ['Bookmark', 'Snapshot'].map((label, n) => ({
    ...{ id: label, timeUs: (600 + n * 600) * SECOND, ink: 'gold', label },
  }));
  const hits = {
    ...{ label: 'Harbour', binUs: 60 * SECOND, bins: [{ timeUs: 900 * SECOND, share: 1 }] },
    onClose: () => undefined,
  };

  const { clock } = show({ marks, hits, spans: rowOf([spanAt('ARGO', 600, 1800)]) });

  expect(screen.getByText('EO')).toBeDefined();
  expect(document.querySelectorAll('[data-part="stretch"]')).toHaveLength(2);
  expect(screen.getByText('27 min')).toBeDefined();
  expect(bars().map(({ textContent }) => textContent)).toEqual(['ARGO']);
  for (const name of [/^Bookmark, /, /^Snapshot, /]) expect(screen.getByRole('button', { name })).toBeDefined();
  screen.getByRole('group', { name: 'Harbour' }).querySelector('button')!.click();
  expect(clock.timeUs()).toBe(900 * SECOND);
});
