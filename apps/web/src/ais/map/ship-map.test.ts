// @vitest-environment jsdom
import { shipTypeGroup } from '@osprey/ais/names';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OverlayDeps, RunningOverlay } from '../../map/overlay.ts';
import { svgElement } from '../../map/overlays/svg.ts';
import { emptyFrame } from '../../onscreen/frames.ts';
import type { ViewServices } from '../../onscreen/view-services.ts';
import { keepingMap } from '../../testing/map.ts';
import { testTarget } from '../../testing/ship-target.ts';
import { viewServices } from '../../testing/view-services.ts';
import { unheardTargets } from '../video/unheard-targets.ts';
import { Columns, mercatorX, mercatorY, NO_HEADING, STRIDE } from './columns.ts';
import { labelOf, placeLabels, type Requested } from './labels.ts';
import { countColours } from './legend.ts';
import { detailOf } from './selection.ts';
import { shipColourOf, shipColours, targetInk } from './ship-colours.ts';
import { stepFor, timesOn } from './ship-trail.ts';
import { shipsOverlay } from './ships-overlay.ts';
import { SYMBOLS, symbolOf } from './symbols.ts';
import { createMapTargets, type MapTarget, type TrailPoint } from './targets.ts';

const PAINT = { scheme: 'dark', ground: '#0d1520', text: '#e7ebf1', chosen: '#8e9bff' } as const;

describe('the columns of the map', () => {
  const put = (columns: Columns, targets: readonly MapTarget[]) => {
    columns.begin();
    for (const target of targets) columns.put(target, 'dark');
    columns.end();
  };
  const idsOf = (columns: Columns) => columns.objects.slice(0, columns.count).map(({ id }) => id);

  it('keep a place to the millimetre', () => {
    const columns = new Columns();
    const target = testTarget({ latitude: 37.123456789, longitude: 24.987654321 });
    put(columns, [target]);
    const [highX, highY, lowX, lowY] = columns.floats;
    const metres = 40_075_017;
    expect(Math.abs(highX! + lowX! - mercatorX(target.longitude)) * metres).toBeLessThan(0.001);
    expect(Math.abs(highY! + lowY! - mercatorY(target.latitude)) * metres).toBeLessThan(0.001);
  });

  it('write only what has changed', () => {
    const columns = new Columns();
    const targets = Array.from({ length: 1000 }, (_, index) => testTarget({ id: String(index) }));
    put(columns, targets);
    columns.dirtyFrom = Number.POSITIVE_INFINITY;
    columns.dirtyTo = 0;
    put(columns, targets);
    expect(columns.dirtyTo).toBe(0);
    put(
      columns,
      targets.map((target, index) => (index === 700 ? { ...target, sog: 3 } : target)),
    );
    expect([columns.dirtyFrom, columns.dirtyTo]).toEqual([700 * STRIDE, 701 * STRIDE]);
  });

  it('take out who is gone, and keep the others right', () => {
    const columns = new Columns();
    const targets = Array.from({ length: 600 }, (_, index) => testTarget({ id: String(index), longitude: index / 10 }));
    put(columns, targets);
    const left = targets.filter((_, index) => index % 3 === 1);
    put(columns, left);
    expect(idsOf(columns).sort()).toEqual(left.map(({ id }) => id).sort());
    for (let slot = 0; slot < columns.count; slot++) {
      const x = columns.floats[slot * STRIDE]! + columns.floats[slot * STRIDE + 2]!;
      expect(x).toBeCloseTo(mercatorX(columns.objects[slot]!.longitude), 12);
    }
    put(columns, []);
    expect(columns.count).toBe(0);
  });

  it('have no way for a ship that lies still, and no outline for one whose heading is not known', () => {
    const columns = new Columns();
    put(columns, [testTarget({ sog: 0.1, heading: null })]);
    const [run, ...hull] = [6, 8, 9, 10, 11].map((field) => columns.floats[field]);
    expect(run).toBe(0);
    expect(hull).toEqual([0, 0, 0, 0]);
    expect(columns.floats[13]).toBe(NO_HEADING);
  });
});

it('a target is on the map only if its latitude and longitude are valid numbers', () => {
  const targets = createMapTargets();
  const places = [
    ...([
      [37, 24],
      [90, -180],
      [91, 181],
      [Number.NaN, 24],
      [37, Number.POSITIVE_INFINITY],
      [-90.1, 0],
    ] as const),
  ];
  targets.set(places.map(([latitude, longitude], id) => testTarget({ id: String(id), latitude, longitude })));
  expect(targets.get().targets.map(({ id }) => id)).toEqual(['0', '1']); // S2-309
});

describe('symbols and colours', () => {
  it.each([
    ['shipA', 'shipA'],
    ['shipB', 'shipB'],
    ['base', 'base'],
    ['aton', 'aton'],
    ['sarAircraft', 'sarAircraft'],
    ['sart', 'distress'],
    ['mob', 'distress'],
    ['epirb', 'distress'],
    ['auxiliary', 'shipB'],
    ['handheld', 'shipB'],
  ] as const)('a %s is drawn as %s', (kind, symbol) => {
    expect(symbolOf(kind, false)).toBe(symbol);
  });

  it('an aid that is not there has a symbol of its own', () => {
    expect(symbolOf('aton', true)).toBe('virtualAton');
  });

  it('fit the corners that the shader has room for', () => {
    for (const lines of Object.values(SYMBOLS)) expect(lines.length * 6).toBeLessThanOrEqual(120);
  });

  it('go by the type, the list, and danger, the last first', () => {
    expect(targetInk(testTarget(), 'dark')).toBe(shipColours.cargo.dark);
    expect(targetInk(testTarget({ shipType: 84 }), 'light')).toBe(shipColours.tanker.light);
    expect(targetInk(testTarget({ colour: '#ff00ff' }), 'dark')).toBe('#ff00ff');
    expect(targetInk(testTarget({ colour: 'url(javascript:1)' }), 'dark')).toBe(shipColours.cargo.dark);
    expect(targetInk(testTarget({ kind: 'sart', colour: '#00ff00' }), 'dark')).toBe('#FF5A52');
    expect(targetInk(testTarget({ kind: 'aton', offPosition: true }), 'dark')).toBe('#F2B04A');
  });

  it('have a colour for every type', () => {
    const colours = new Set(Array.from({ length: 256 }, (_, type) => shipColourOf(type)));
    expect([...colours].sort()).toEqual(Object.keys(shipColours).sort());
    expect(shipTypeGroup(null)).toBe('unknown');
  });
});

describe('names on the map', () => {
  const at = (x: number, y: number, name: string | null, given: Partial<MapTarget> = {}): Requested => ({
    target: testTarget({ id: `${x} ${y}`, name, sog: 0, ...given }),
    x,
    y,
    text: name,
  });
  const size = { width: 400, height: 300 };
  const widthOf = (text: string) => text.length * 6;
  const namesOf = (requested: Requested[], taken: Parameters<typeof placeLabels>[3] = []) =>
    placeLabels(requested, widthOf, size, taken).map(({ target, anchor }) => `${target.name} ${anchor}`);

  it('are right of the symbol, left of it without room, and away from the trail of the ship', () => {
    expect(namesOf([at(100, 100, 'ALFA')])).toEqual(['ALFA start']);
    expect(namesOf([at(390, 100, 'ALFA')])).toEqual(['ALFA end']);
    expect(namesOf([at(100, 100, 'ALFA', { cog: 90, sog: 10 })])).toEqual(['ALFA end']);
  });

  it('cover no other name and no symbol', () => {
    expect(namesOf([at(100, 100, 'ALFA'), at(130, 104, 'BRAVO')])).toEqual(['ALFA end', 'BRAVO start']);
    expect(namesOf([at(100, 100, 'ALFA'), at(101, 101, 'BRAVO'), at(102, 102, 'C')])).toEqual([
      'ALFA start',
      'BRAVO end',
    ]);
    expect(namesOf([at(100, 100, 'ALFA')], [{ left: 0, top: 0, right: 400, bottom: 300 }])).toEqual([]);
  });

  it('are those of targets in view that have one', () => {
    expect(namesOf([at(-20, 100, 'ALFA'), at(100, 100, null), at(200, 200, 'CHARLIE')])).toEqual(['CHARLIE start']);
  });
});

it('a lost target has the minutes of its silence next to its name', () => {
  const target = testTarget({ lost: true });
  expect(labelOf(target, target.timeUs + 7.5 * 60e6)).toBe('ARGO TRADER, 7 min');
  expect(labelOf({ ...target, lost: false }, target.timeUs + 7.5 * 60e6)).toBe('ARGO TRADER');
  expect(labelOf({ ...target, name: null }, 0)).toBeNull();
});

it('the legend counts ships by their colour, and nothing else', () => {
  const kinds = (['shipA', 'shipB', 'base', 'aton', 'sart'] as const).map((kind) => testTarget({ kind }));
  expect(countColours([...kinds, testTarget({ shipType: null })])).toEqual({
    ...{ cargo: 2, tanker: 0, passenger: 0, fishing: 0, service: 0, pleasure: 0, authority: 0, other: 1 },
  });
});

describe('a trail', () => {
  const T0 = Date.UTC(2026, 5, 1, 9) * 1000;
  const point = (minutes: number): TrailPoint => ({
    latitude: 37 + minutes / 100,
    longitude: 24,
    timeUs: T0 + minutes * 60e6,
  });
  const project = ({ latitude }: { latitude: number }) => ({ x: 0, y: latitude * 1000 });

  it('has times at whole steps, between its points', () => {
    const times = timesOn([point(1), point(7), point(16)], 5 * 60e6);
    expect(times.map(({ timeUs }) => (timeUs - T0) / 60e6)).toEqual([5, 10, 15]);
    expect(times[0]!.latitude).toBeCloseTo(37.05, 9);
  });

  it('has none in a gap', () => {
    const times = timesOn([point(1), point(3), null, point(12), point(14)], 60e6);
    expect(times.map(({ timeUs }) => (timeUs - T0) / 60e6)).toEqual([1, 2, 3, 12, 13, 14]);
  });

  it('has fewer times where it is short on the screen', () => {
    const points = Array.from({ length: 61 }, (_, minute) => point(minute));
    expect(stepFor(points, project)).toBe(10 * 60e6);
    expect(stepFor(points, (at) => ({ x: 0, y: at.latitude * 100 }))).toBe(60 * 60e6);
  });
});

it('the chosen target says who it is, what it does, and for how long it is silent', () => {
  const target = testTarget({ mmsi: 2_371_201, sog: 13.24, cog: 299.7 });
  expect(detailOf(target, target.timeUs)).toBe('002 371 201, 13.2 kn, 300°');
  expect(detailOf({ ...target, lost: true }, target.timeUs + 7 * 60e6)).toBe(
    '002 371 201, 13.2 kn, 300°, silent for 7 min',
  );
  expect(detailOf({ ...target, kind: 'base' }, target.timeUs)).toBe('002 371 201, Base station');
});

describe('the overlay of ships', () => {
  let container: HTMLElement;
  let kept: ReturnType<typeof keepingMap>;
  let svg: SVGGElement;
  let running: RunningOverlay;
  let before: ReturnType<typeof kept.state>;
  let listeners: Map<string, (event: unknown) => void>;
  const targets = createMapTargets();
  const onSelect = vi.fn();

  let services: ViewServices;

  beforeEach(async () => {
    vi.useFakeTimers();
    container = document.createElement('div');
    kept = keepingMap(container);
    for (const [name, value] of [
      ['clientWidth', 400],
      ['clientHeight', 300],
    ] as const) {
      Object.defineProperty(kept.canvas, name, { value });
    }
    listeners = new Map();
    const on = kept.map.on.bind(kept.map);
    Object.assign(kept.map, {
      on(event: string, listener: (event: unknown) => void) {
        listeners.set(event, listener);
        return on(event as 'move', listener);
      },
    });
    kept.map.addLayer({ id: 'overlay-ships', type: 'background' });
    before = kept.state();
    svg = svgElement('g');
    targets.set([]);
    targets.select(null);
    onSelect.mockReset();
    const overlay = shipsOverlay({ targets, onSelect, nowUs: () => testTarget().timeUs });
    services = viewServices();
    const deps = {
      ...{ map: kept.map, below: 'overlay-ships', svg, services, switchOff: () => undefined },
      still: <Value>(coming: Promise<Value>) => coming,
    };
    running = await overlay.start(deps as unknown as OverlayDeps);
    running.set?.(6, 'ship-vector');
    running.show(true, 'ships');
    running.show(true, 'ship-names');
    running.show(true, 'ship-legend');
    running.paint(PAINT);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const textsOf = (part: string) =>
    Array.from(svg.querySelectorAll<SVGTextElement>(`[data-part="${part}"] text`))
      .filter(({ style }) => style.display !== 'none')
      .map(({ textContent }) => textContent);
  const visible = (part: string) => svg.querySelector<SVGElement>(`[data-part="${part}"]`)!.style.display !== 'none';
  const click = (x: number, y: number) =>
    listeners.get('click')!({ point: { x, y }, originalEvent: {}, defaultPrevented: false });

  it('is a layer below its place, and leaves nothing', () => {
    expect(kept.layerIds()).toEqual(['ships']);
    running.stop();
    expect(kept.state()).toEqual(before);
  });

  it('has an empty square where a moving target of the video is that no ship can be', () => {
    const [one, other] = [
      { id: 1, box: null, colour: null, confidence: null, place: { lat: 37.5, lon: 24.5 }, path: [] },
      { id: 2, box: null, colour: null, confidence: null, place: { lat: 37.6, lon: 24.6 }, path: [] },
    ];
    const publish = () => services.frames.publish({ ...emptyFrame('eo', 0), targets: [one, other] });
    const squares = () => svg.querySelector('[data-part="no-ais"]')!.getAttribute('d')?.match(/Z/g)?.length ?? 0;
    publish();
    expect([squares(), visible('no-ais')]).toEqual([0, false]);
    unheardTargets.set('eo', new Set([2]));
    publish();
    expect([squares(), visible('no-ais')]).toEqual([1, true]);
    running.show(false, 'ships');
    expect(visible('no-ais')).toBe(false);
    unheardTargets.set('eo', new Set());
  });

  it('names ship lists in the legend, whose ships do not count by their type', () => {
    const legend = () => [...container.querySelectorAll<HTMLElement>('[data-part="ship-legend"] > div')];
    const shown = () =>
      legend()
        .filter(({ style }) => style.display !== 'none')
        .map(({ textContent }) => textContent);
    targets.setLists([
      { name: 'Watch <b>', colour: '#ff8800' },
      { name: 'Plain', colour: null },
    ]);
    targets.set([testTarget({ shipType: 70 }), testTarget({ id: '2', shipType: 70, colour: '#ff8800' })]);
    expect(shown()).toEqual(['Cargo1', 'Watch <b>1']);
    targets.setLists([]);
    expect(shown()).toEqual(['Cargo1']);
  });

  it('names ships as text', () => {
    targets.set([testTarget({ name: '<img src=x onerror=alert(1)>' })]);
    vi.advanceTimersByTime(300);
    expect(textsOf('ship-names')).toEqual(['<img src=x onerror=alert(1)>']);
    expect(svg.querySelector('img')).toBeNull();
    running.show(false, 'ship-names');
    vi.advanceTimersByTime(300);
    expect(textsOf('ship-names')).toEqual([]);
  });

  it('chooses the ship that is clicked, and none where there is none', () => {
    targets.set([testTarget(), testTarget({ id: '2', longitude: 24.5 })]);
    click(205, 203);
    expect(onSelect).toHaveBeenLastCalledWith('237000001');
    click(248, 200);
    expect(onSelect).toHaveBeenLastCalledWith('2');
    onSelect.mockReset();
    click(100, 100);
    expect(onSelect).not.toHaveBeenCalled();
    targets.select('2');
    click(100, 100);
    expect(onSelect).toHaveBeenLastCalledWith(null);
  });

  it('shows the chosen ship with its trail, moves with it, and lets go of one that is gone', () => {
    const ship = testTarget();
    targets.set([ship]);
    targets.select(ship.id);
    targets.setTrail(
      [0, 1, 2].map((step) => ({ ...ship, latitude: 36.5 + step / 4, timeUs: ship.timeUs - (2 - step) * 60e6 })),
    );
    expect(textsOf('chosen-ship')).toEqual(['ARGO TRADER', '237 000 001, 12.0 kn, 090°']);
    expect(visible('ship-trail')).toBe(true);
    targets.set([{ ...ship, longitude: 24.1 }]);
    expect(svg.querySelector('[data-part="chosen-ship"]')!.getAttribute('transform')).toBe('translate(210.0 200.0)');
    targets.set([]);
    expect([visible('chosen-ship'), visible('ship-trail')]).toEqual([false, false]);
  });

  it('has a legend with the number of ships, if the map has room for it', () => {
    const legend = container.querySelector<HTMLElement>('[data-part="ship-legend"]')!;
    const lines = () =>
      legend.style.display === 'none' ? [] : Array.from(legend.children, ({ textContent }) => textContent);
    targets.set(Array.from({ length: 1234 }, (_, id) => testTarget({ id: String(id), shipType: id < 2 ? 80 : 70 })));
    const give = (value: number) => {
      for (const name of ['clientWidth', 'clientHeight'])
        Object.defineProperty(container, name, { value, configurable: true });
      listeners.get('resize')!({});
    };
    give(300);
    expect(lines()).toEqual([]);
    give(900);
    expect(lines().slice(0, 2)).toEqual(['Cargo1 232', 'Tanker2']);
    running.show(false, 'ship-legend');
    expect(lines()).toEqual([]);
  });

  it('hidden, it draws nothing and is not clicked', () => {
    targets.set([testTarget()]);
    targets.select('237000001');
    running.show(false, 'ships');
    vi.advanceTimersByTime(300);
    expect([visible('chosen-ship'), textsOf('ship-names')]).toEqual([false, []]);
    click(200, 200);
    expect(onSelect).not.toHaveBeenCalled();
  });
});
