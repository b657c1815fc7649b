// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createRef } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFrameMaker } from '../onscreen/frames.ts';
import { ViewServicesContext } from '../onscreen/view-services.ts';
import { viewServices } from '../testing/view-services.ts';
import { PlayerFrame } from './PlayerFrame.tsx';

/** Size of the player; its picture is square, so 200 px on each side stay black. */
const size = { width: 800, height: 400 };
const picture = { width: 400, height: 400 };

/** jsdom draws nothing: the corners of each bracket and each text are written down. */
class Path {
  readonly points: [number, number][] = [];
  moveTo() {
    // Where an arm ends is of no matter here.
  }
  lineTo(x: number, y: number) {
    this.points.push([x, y]);
  }
}
let strokes: Path[] = [];
let words: { text: string; x: number }[] = [];
const context = {
  setTransform: () => undefined,
  clearRect: () => {
    strokes = [];
    words = [];
  },
  stroke: (path: Path) => strokes.push(path),
  measureText: (text: string) => ({ width: 8 * text.length }),
  strokeText: () => undefined,
  fillText: (text: string, x: number) => words.push({ text, x }),
};

beforeEach(() => {
  strokes = [];
  words = [];
  vi.stubGlobal('Path2D', Path);
  // jsdom has no layout: the size is reported once, as a browser does when a part appears.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      private readonly notify: (entries: { contentRect: typeof size }[]) => void;
      constructor(notify: (entries: { contentRect: typeof size }[]) => void) {
        this.notify = notify;
      }
      observe() {
        this.notify([{ contentRect: size }]);
      }
      disconnect() {
        // Storage is not needed.
      }
    },
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Full corners, tags 82 to 89: a square of a thousandth of a degree, its upper left corner there. */
const cornersAt = (lat: number, lon: number) => ({
  ...{ '82': [lat], '83': [lon], '84': [lat], '85': [lon + 0.001] },
  ...{ '86': [lat - 0.001], '87': [lon + 0.001], '88': [lat - 0.001], '89': [lon] },
});

/** ST 0903: in a picture of 100 x 100 pixels, numbered from 1, row by row. */
const vmti = (...targets: { id: number; row: number; column: number }[]) => ({
  ...{ '8': 100, '9': 100 },
  '101': targets.map(({ id, row, column }) => ({
    id,
    '2': row * 100 + column + 1,
    '3': (row + 9) * 100 + column + 10,
  })),
});

function show() {
  const services = viewServices();
  const video = createRef<HTMLVideoElement>();
  const { container } = render(
    <ViewServicesContext value={services}>
      <PlayerFrame sensor={{ _id: 'eo', name: 'EO' }} colour="#fff" several video={video}>
        {() => null}
      </PlayerFrame>
    </ViewServicesContext>,
  );
  const layout = { videoWidth: picture.width, videoHeight: picture.height };
  const { width: clientWidth, height: clientHeight } = size;
  for (const [name, value] of Object.entries({ ...layout, clientWidth, clientHeight })) {
    Object.defineProperty(video.current, name, { value });
  }
  const canvas = container.querySelector('canvas')!;
  const publish = (sensorId: string, tags: Record<string, number[]>, set?: object) =>
    act(() => {
      const sets = set ? [{ i: 0, '74': set }] : [];
      const page = { sensor: sensorId, from: 0, to: 1, more: false, time: [0], tags, sets };
      const record = { page, index: 0, timeUs: 0 };
      services.frames.publish(createFrameMaker(sensorId)({ timeUs: 0, record, ...picture }));
    });
  return { services, canvas, publish, player: screen.getByRole('region', { name: 'Player EO' }) };
}

describe('the targets of the shown frame', () => {
  /** Left, top, right and bottom of what was drawn, px of the player. */
  const boxes = () =>
    strokes.map(({ points }) => {
      const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    });

  it("are drawn on the picture with their ids, at the picture's place in the player, until a frame has none", () => {
    const { canvas, publish } = show();

    publish('eo', {}, vmti({ id: 7, row: 50, column: 25 }, { id: 9, row: 10, column: 80 }));

    expect([canvas.dataset.targets, canvas.width, canvas.height]).toEqual(['2', 800, 400]);
    expect(words).toEqual([
      { text: '7', x: 300 },
      { text: '9', x: 520 },
    ]);
    // Each has a dark line below its bright one.
    expect([...new Set(boxes().map(String))]).toEqual(['300,200,340,240', '520,40,560,80']);
    publish('eo', {});
    expect([canvas.dataset.targets, canvas.width]).toEqual(['0', 0]);
  });

  it('of another sensor are not drawn', () => {
    const { canvas, publish } = show();

    publish('ir', {}, vmti({ id: 7, row: 50, column: 25 }));

    expect([canvas.dataset.targets, words]).toEqual([undefined, []]);
  });

  it('are chosen by a press on their box, and let go by one outside it', () => {
    const { services, canvas, publish } = show();
    publish('eo', {}, vmti({ id: 7, row: 50, column: 25 }));

    fireEvent.pointerDown(canvas, { clientX: 339, clientY: 201 });
    expect(services.chosenTarget.get()).toEqual({ sensorId: 'eo', id: 7 });
    fireEvent.pointerDown(canvas, { clientX: 339, clientY: 199 });

    expect(services.chosenTarget.get()).toBeNull();
  });
});

describe('the ground under the pointer', () => {
  const label = () => screen.queryByText(/^Ground /);
  const move = (player: HTMLElement, clientX: number, clientY: number) =>
    fireEvent.pointerMove(player, { clientX, clientY });

  it('is said and handed on for the point of the picture, not of the player around it', () => {
    const { services, publish, player } = show();
    publish('eo', cornersAt(38, 24));

    // A quarter of the picture from its left, three quarters from its top.
    move(player, 300, 300);

    expect([label()?.textContent, label()?.hidden]).toEqual(['Ground 37°59\'57.30"N 24°00\'00.90"E', false]);
    expect(services.pointed.get()?.lat).toBeCloseTo(37.99925, 7);
    expect(services.pointed.get()?.lon).toBeCloseTo(24.00025, 7);
    move(player, 199, 300);
    expect([label()?.hidden, services.pointed.get()]).toEqual([true, null]);
  });

  it('is said whole where the picture has room on neither side of the pointer', () => {
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(500);
    const { publish, player } = show();
    publish('eo', cornersAt(38, 24));

    move(player, 400, 300);

    expect(label()?.style.transform).toBe('translate(0px, 272px)');
  });

  it('changes with the frames below a pointer that does not move, and ends where it leaves', () => {
    const { services, publish, player } = show();
    publish('eo', cornersAt(38, 24));
    move(player, 300, 300);

    publish('eo', cornersAt(39, 25));
    expect(label()?.textContent).toBe('Ground 38°59\'57.30"N 25°00\'00.90"E');
    publish('eo', {});
    expect([label()?.hidden, services.pointed.get()]).toEqual([true, null]);
    publish('eo', cornersAt(38, 24));
    expect(label()?.hidden).toBe(false);
    fireEvent.pointerLeave(player);

    expect([label()?.hidden, services.pointed.get()]).toEqual([true, null]);
    publish('eo', cornersAt(39, 25));
    expect(services.pointed.get()).toBeNull();
  });
});
