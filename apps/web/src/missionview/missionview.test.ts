// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { SPEEDS } from '../onscreen/clock/mission-clock.ts';
import { insetFrame, insetGrid } from './inset-grid.ts';
import { keyList } from './key-list.ts';
import { belongsToFocus, commandOf, nextSpeed } from './keys.ts';
import { arrangementOf, hasInset, leftShare, panelsAfter, readPanels, shownOf } from './layout.ts';
import { gridOf } from './stage-grid.ts';

const pressed = (name: string, held: Partial<Record<'shiftKey' | 'ctrlKey' | 'altKey', boolean>> = {}) => ({
  ...{ key: name, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held },
});
const key = (...press: Parameters<typeof pressed>) => commandOf(pressed(...press));

it('knows every key of the list', () => {
  expect(key(' ')).toEqual({ do: 'toggle' });
  expect(key('ArrowLeft')).toEqual({ do: 'skip', seconds: -10 });
  expect(key('ArrowRight', { shiftKey: true })).toEqual({ do: 'skip', seconds: 60 });
  expect(key(',')).toEqual({ do: 'step', direction: -1 });
  expect(key('3')).toEqual({ do: 'lead', index: 2 });
  expect(key('?', { shiftKey: true })).toEqual({ do: 'list' });
  expect(key('F')).toEqual({ do: 'fullScreen' });
  expect(key('u')).toEqual({ do: 'sound' });
  expect([key('y'), key('f', { ctrlKey: true }), key('0')]).toEqual([null, null, null]);
  expect([key('x'), key('X')]).toEqual([{ do: 'exchange' }, { do: 'exchange' }]);
  expect([key('h'), key('M', { shiftKey: true })]).toEqual([{ do: 'health' }, { do: 'floatingMap' }]);
  expect([keyList('mission', []), keyList('live', [])].map(({ length }) => length)).toEqual([21, 14]);
});

it('finds the command of a feature by the name that the list has for its key', () => {
  const pinKeys = { '[': 'before', ']': 'after', 'Alt ←': 'before', 'Alt →': 'after' };
  const keys = new Map(
    Object.entries({ I: 'in', B: 'mark', 'Shift B': 'markAtOnce', 'Shift R': 'record', ...pinKeys }),
  );
  const feature = (name: string, held: Parameters<typeof pressed>[1] = {}) => commandOf(pressed(name, held), keys);
  const command = (name: string) => ({ do: 'feature', command: name });

  expect([feature('i'), feature('I', { shiftKey: true })]).toEqual([command('in'), command('in')]);
  expect([feature('b'), feature('B', { shiftKey: true })]).toEqual([command('mark'), command('markAtOnce')]);
  expect([
    feature('['),
    feature(']', { ctrlKey: true, altKey: true }),
    feature('ArrowRight', { altKey: true }),
  ]).toEqual([command('before'), command('after'), command('after')]);
  expect([
    feature('[', { ctrlKey: true }),
    feature('ArrowLeft', { altKey: true, shiftKey: true }),
    feature('b', { ctrlKey: true }),
    feature('r'),
    feature('R', { shiftKey: true, ctrlKey: true }),
  ]).toEqual([null, null, null, null, null]);
  expect(feature('R', { shiftKey: true })).toEqual(command('record'));
  expect(feature('M', { shiftKey: true })).toEqual({ do: 'floatingMap' });
});

it('leaves keys to text fields, menus and the map, and space to what it ticks, but not to buttons', () => {
  document.body.innerHTML =
    '<input id="text"><input id="box" type="checkbox"><button id="plain">x</button>' +
    '<div role="menu"><button id="item">y</button></div><div class="maplibregl-map"><canvas id="map" tabindex="0"></canvas></div>';
  const at = (id: string) => document.getElementById(id);

  expect(belongsToFocus(at('text'), ' ')).toBe(true);
  expect(belongsToFocus(at('item'), 'ArrowLeft')).toBe(true);
  expect(belongsToFocus(at('map'), 'ArrowLeft')).toBe(true);
  expect(belongsToFocus(at('map'), ' ')).toBe(false);
  expect(belongsToFocus(at('box'), 'k')).toBe(false);
  expect(belongsToFocus(at('box'), ' ')).toBe(true);
  expect(belongsToFocus(at('plain'), ' ')).toBe(false);
  expect(belongsToFocus(at('plain'), 'ArrowLeft')).toBe(false);
  expect(belongsToFocus(document.body, ' ')).toBe(false);
});

it('plays, steps, marks, mutes and fills the screen by keys', () => {
  const marks = new Map(Object.entries({ I: 'in', O: 'out' }));
  const does = (name: string) => commandOf(pressed(name), marks);
  expect([' ', 'k', ',', '.', 'l', 'j', 'f', 'u', 'Home', 'End'].map((name) => does(name)?.do)).toEqual([
    ...['toggle', 'pause', 'step', 'step', 'faster', 'slower'],
    ...['fullScreen', 'sound', 'start', 'end'],
  ]); // S2-179
  expect(['i', 'o'].map(does)).toEqual([
    { do: 'feature', command: 'in' },
    { do: 'feature', command: 'out' },
  ]);
  expect(SPEEDS).toEqual([0.25, 0.5, 1, 2, 4, 8]);
});

it('goes through the speeds and stops at both ends', () => {
  expect([nextSpeed(1, 1), nextSpeed(1, -1), nextSpeed(8, 1), nextSpeed(0.25, -1)]).toEqual([2, 0.5, 8, 0.25]);
});

it('shares the width as the specification says', () => {
  expect(leftShare({ containerPx: 599, players: 2, live: false })).toBe(0.98);
  expect(leftShare({ containerPx: 1900, players: 1, live: false })).toBe(0.48);
  expect(leftShare({ containerPx: 1900, players: 1, live: true })).toBe(0.6);
  expect(leftShare({ containerPx: 1900, players: 2, live: false })).toBe(0.72);
});

it('shows one map at a time: in its place, or floating', () => {
  const docked = {
    ...{ timeline: true, map: true, floatingMap: false, telemetry: true, telemetryDocked: true, sideBySide: false },
  };
  const floating = panelsAfter(docked, { floatingMap: true });
  expect(floating).toEqual({ ...docked, map: false, floatingMap: true });
  expect(panelsAfter(floating, { floatingMap: false })).toEqual(docked);
  expect(panelsAfter(floating, { map: true })).toEqual(docked);
  expect(panelsAfter(docked, { map: false })).toEqual({ ...docked, map: false });
});

it('lays the stage out by width and number of players', () => {
  expect(arrangementOf(390, 2)).toBe('phone');
  expect(arrangementOf(800, 2)).toBe('column');
  expect(arrangementOf(844, 2, true)).toBe('landscape');
  expect([1, 2, 3].map((players) => arrangementOf(1800, players))).toEqual(['single', 'pair', 'grid']);
});

it('puts the map below two pictures and next to one', () => {
  const requested = { map: true, timeline: true, below: true, docked: false, left: 0.5 };

  expect(gridOf({ ...requested, arrangement: 'pair' }).gridTemplateAreas).toBe(
    '"players players players" "timeline split map" "below split map"',
  );
  expect(gridOf({ ...requested, arrangement: 'single' }).gridTemplateAreas).toBe(
    '"players split map" "timeline timeline timeline" "below below below"',
  );
  expect(gridOf({ ...requested, arrangement: 'grid', map: false, docked: true, below: false }).gridTemplateAreas).toBe(
    '"players docked" "timeline docked"',
  );
});

it('begins with one large picture and the map as an inset, where there are two columns', () => {
  localStorage.clear();
  const first = readPanels();
  expect(first.sideBySide).toBe(false);
  // Stored before the choice was there.
  const { sideBySide: _, ...before } = { ...first, map: false };
  localStorage.setItem('missionViewPanels', JSON.stringify(before));
  expect(readPanels()).toEqual({ ...first, map: false });
  localStorage.clear();

  expect((['single', 'pair', 'grid'] as const).map((one) => hasInset(one, first))).toEqual([true, true, true]);
  expect((['phone', 'landscape', 'column'] as const).map((one) => hasInset(one, first))).toEqual([false, false, false]);
  expect(hasInset('pair', { sideBySide: true })).toBe(false);
});

it('stacks map, further pictures and telemetry next to the large picture, which has the whole width without them', () => {
  expect(insetGrid({ map: true, tiles: 2, docked: true }).gridTemplateAreas).toBe(
    '"main map" "main tile0" "main tile1" "main docked"',
  );
  expect(insetGrid({ map: false, tiles: 0, docked: false }).gridTemplateAreas).toBe('"main"');
  // The column is never cut: a window that is lower scrolls.
  expect(insetFrame({ map: true, tiles: 3, docked: true }).gridTemplateRows).toBe('minmax(592px, 1fr) auto');
});

it('puts transport, timeline and tabs next to the picture in a low window', () => {
  const requested = { map: true, timeline: true, below: false, docked: false, left: 0.5 };

  expect(gridOf({ ...requested, arrangement: 'landscape' }).gridTemplateAreas).toBe(
    '"players timeline" "players switch" "players tabs" "below below"',
  );
});

it('shows the first four sensors, those that were chosen, and always the one that leads', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];

  expect(shownOf(ids, null, null)).toEqual(['a', 'b', 'c', 'd']);
  expect(shownOf(ids, null, 'b')).toEqual(['a', 'b', 'c', 'd']);
  expect(shownOf(ids, null, 'f')).toEqual(['a', 'b', 'c', 'f']);
  expect(shownOf(ids, ['e', 'gone'], 'a')).toEqual(['e']);
  expect(shownOf(ids, ['gone'], null)).toEqual(['a', 'b', 'c', 'd']);
});
