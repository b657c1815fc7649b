// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { flyTo, keepingMap } from '../testing/map.ts';
import { viewServices } from '../testing/view-services.ts';
import type { Overlay, RunningOverlay } from './overlay.ts';
import { createOverlayHost } from './overlay-host.ts';
import { frameOverlay } from './overlays/frame-overlay.ts';

beforeEach(() => localStorage.clear());

function host() {
  const services = viewServices();
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const kept = keepingMap();
  const onError = vi.fn();
  return {
    ...createOverlayHost({ map: kept.map, svg, services, scheme: 'dark', onError }),
    ...kept,
    services,
    svg,
    onError,
  };
}

/** An overlay with one layer and one element that records the calls it receives. */
function plain(id: string, fields: Partial<Overlay & { group: string; initially: boolean }> = {}) {
  const calls: string[] = [];
  const overlay: Overlay = {
    ...{ id, title: `Overlay ${id}`, group: '' },
    start({ map, svg, below }) {
      calls.push('start');
      map.addLayer({ id, type: 'background' }, below);
      svg.setAttribute('data-part', id);
      return {
        show: (shown, which) => void calls.push(`${which} ${shown}`),
        paint: ({ scheme }) => void calls.push(scheme),
        stop() {
          calls.push('stop');
          map.removeLayer(id);
        },
      };
    },
    ...fields,
  };
  return { overlay, calls };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const partsOf = (svg: SVGSVGElement) => [...svg.children].map((part) => part.getAttribute('data-part'));

describe('the overlays of a map', () => {
  it('are started, shown as chosen, painted, and stopped without anything left', async () => {
    const { setOverlays, setScheme, toggle, stop, state: left, svg } = host();
    const before = left();
    const [one, other] = [plain('one'), plain('other', { initially: false })];

    setOverlays([one.overlay, other.overlay]);
    await settled();
    toggle('one');
    setScheme('light');
    stop();
    setOverlays([one.overlay]);

    expect(one.calls).toEqual(['start', 'one true', 'dark', 'one false', 'light', 'stop']);
    expect(other.calls).toEqual(['start', 'other false', 'dark', 'light', 'stop']);
    expect([left(), svg.childElementCount]).toEqual([before, 0]);
  });

  it('draw nothing on a map that ended while their code was coming, and report nothing', async () => {
    const { setOverlays, stop, state: left, onError } = host();
    const before = left();
    const { promise: code, resolve: come } = Promise.withResolvers<void>();
    const draw = vi.fn();
    const late: Overlay = {
      ...plain('late').overlay,
      async start({ still }) {
        await still(code);
        draw();
        return { show: () => undefined, paint: () => undefined, stop: () => undefined };
      },
    };

    setOverlays([late]);
    stop();
    come();
    await settled();

    expect([draw.mock.calls, onError.mock.calls, left()]).toEqual([[], [], before]);
  });

  it('are drawn in the order of the list, whenever they start', async () => {
    const { setOverlays, layerIds, svg } = host();
    const [low, middle, high] = ['low', 'middle', 'high'].map((id) => plain(id).overlay) as [Overlay, Overlay, Overlay];
    const { promise: ready, resolve: go } = Promise.withResolvers<void>();
    const late: Overlay = {
      ...low,
      async start(deps) {
        await ready;
        return low.start(deps);
      },
    };

    setOverlays([late, high]);
    await settled();
    setOverlays([late, middle, high]);
    await settled();
    go();
    await settled();

    expect(layerIds()).toEqual(['low', 'middle', 'high']);
    expect(partsOf(svg)).toEqual(['low', 'middle', 'high']);
  });

  it('go on where others come and go, and another object with the same id takes the place of the first', async () => {
    const { setOverlays, layerIds, svg } = host();
    const [below, first, second, above] = [plain('below'), plain('same'), plain('same'), plain('above')];
    setOverlays([below.overlay, first.overlay, above.overlay]);
    await settled();

    setOverlays([below.overlay, second.overlay, above.overlay]);
    await settled();

    expect([first.calls.at(-1), second.calls[0]]).toEqual(['stop', 'start']);
    expect([below, above].map(({ calls }) => calls.includes('stop'))).toEqual([false, false]);
    expect(layerIds()).toEqual(['below', 'same', 'above']);
    expect(partsOf(svg)).toEqual(['below', 'same', 'above']);
  });

  it('stop again where the map has ended before they started', async () => {
    const { setOverlays, stop, onError } = host();
    const ended = vi.fn();
    const running: RunningOverlay = { show: vi.fn(), paint: vi.fn(), stop: ended };
    setOverlays([{ ...plain('late').overlay, start: async () => running }]);

    stop();
    await settled();

    expect(ended).toHaveBeenCalledOnce();
    expect([running.show, onError].map((one) => vi.mocked(one).mock.calls)).toEqual([[], []]);
  });

  it('do not keep the others from starting where one fails', async () => {
    const { setOverlays, onError } = host();
    const other = plain('other');
    const broken: Overlay = { ...plain('broken').overlay, start: () => Promise.reject(new Error('No tiles')) };

    setOverlays([broken, other.overlay]);
    await settled();

    expect(onError).toHaveBeenCalledWith('No tiles');
    expect(other.calls).toContain('other true');
  });

  it('have ids of their own', () => {
    const { setOverlays } = host();

    expect(() => setOverlays([plain('same').overlay, plain('same').overlay])).toThrow('the id same');
  });
});

describe('the switches of a map', () => {
  it('are listed by group, those without one first, then by rank, then in the order of the overlays', () => {
    const { setOverlays, get } = host();
    const line = (id: string, group: string, rank = 0) => ({ ...plain(id).overlay, group, rank }) as Overlay;

    setOverlays([line('ships', 'Traffic'), line('last', '', 1), line('base', ''), line('notes', 'Notes')]);

    expect(get().switches.map(({ id }) => id)).toEqual(['base', 'last', 'ships', 'notes']);
  });

  it('are kept under their ids, and those of overlays that this map has not stay as they are', async () => {
    localStorage.setItem('mapLayers', '{"ships":false,"elsewhere":false}');
    const { setOverlays, get, toggle } = host();
    const ships = plain('ships');

    setOverlays([ships.overlay]);
    await settled();
    expect([get().switches[0]!.shown, ships.calls]).toEqual([false, ['start', 'ships false', 'dark']]);
    toggle('ships');

    expect(get().switches[0]!.shown).toBe(true);
    expect(JSON.parse(localStorage.getItem('mapLayers')!)).toEqual({ ships: true, elsewhere: false });
  });

  it('are busy while data are on their way, and turn off with the reason where those do not come', async () => {
    const { setOverlays, get, toggle, onError } = host();
    let fail: (error: Error) => void = () => undefined;
    const { overlay } = plain('data', { initially: false });
    const load = () =>
      new Promise<void>((_resolve, reject) => {
        fail = reject;
      });
    const start = () => ({ show: (shown: boolean) => (shown ? load() : undefined), paint: vi.fn(), stop: vi.fn() });
    setOverlays([{ ...overlay, start }]);
    await settled();
    const look = () => {
      const { shown, busy } = get().switches[0]!;
      return { shown, busy };
    };

    toggle('data');
    expect(look()).toEqual({ shown: true, busy: true });
    fail(new Error('No rights'));
    await settled();
    expect([look(), onError.mock.calls]).toEqual([{ shown: false, busy: false }, [['No rights']]]);

    // A failure after the switch was changed again is not shown.
    toggle('data');
    toggle('data');
    fail(new Error('Too late'));
    await settled();
    expect([look(), onError.mock.calls]).toEqual([{ shown: false, busy: false }, [['No rights']]]);
  });

  it('turn off when their overlay asks for it', async () => {
    const { setOverlays, get } = host();
    let off: () => void = () => undefined;
    const { overlay } = plain('path');
    setOverlays([
      {
        ...overlay,
        start(deps) {
          off = deps.switchOff;
          return overlay.start(deps);
        },
      },
    ]);
    await settled();

    off();

    expect(get().switches[0]!.shown).toBe(false);
  });
});

it('draws the frames of several streams at once, switched together', async () => {
  const { setOverlays, get, toggle, setValue, services, svg } = host();
  const others = viewServices();
  const first = frameOverlay({ type: 'Plane', name: 'OSP-21', colour: '#22C7E6' });
  const copy = frameOverlay({ type: 'Ship', name: 'Meltemi', colour: '#E879C7' });
  const second: Overlay = { ...copy, id: 'frame-2', start: (deps) => copy.start({ ...deps, services: others }) };
  setOverlays([first, second]);
  await settled();

  flyTo(services, 37, 24);
  flyTo(others, 37.5, 23);
  const markers = () =>
    [...svg.querySelectorAll('[data-part="platform-marker"]')].map((marker) => marker.getAttribute('transform'));
  const crosses = () =>
    [...svg.querySelectorAll<SVGElement>('[data-part="frame-centre"]')].map(({ style }) => style.display !== 'none');

  expect(markers()).toEqual(['translate(200.0 200.0)', 'translate(100.0 150.0)']);
  expect(crosses()).toEqual([true, true]);
  expect(get().switches.map(({ id }) => id)).toEqual(['trail', 'footprint', 'sight', 'targets']);
  expect(get().settings.map(({ id, value }) => [id, value])).toEqual([['trailSeconds', 20]]);
  toggle('sight');
  expect(crosses()).toEqual([false, false]);
  setValue('trailSeconds', 300);

  expect(get().settings[0]!.value).toBe(300);
  expect(localStorage.getItem('mapSettings')).toBe('{"trailSeconds":300}');
});
