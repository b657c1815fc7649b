// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { createTrail, type TrailPlace } from './trail.ts';

const SECOND_US = 1_000_000;
const LENGTH_US = 20 * SECOND_US;

/** A way to the east, a degree a second. */
const eastwards = (seconds: readonly number[]): TrailPlace[] =>
  seconds.map((second) => ({ timeUs: second * SECOND_US, lat: 0, lon: second }));

/** The seconds that each piece of the trail goes through, the oldest piece first. */
function drawn(seconds: readonly number[], untilSecond: number): number[][] {
  const trail = createTrail();
  const untilUs = untilSecond * SECOND_US;
  trail.draw(eastwards(seconds), { untilUs, lengthUs: LENGTH_US, project: ({ lon, lat }) => ({ x: lon, y: lat }) });
  const pieces = [...trail.element.querySelectorAll('path')];
  return pieces.map((piece) =>
    [...(piece.getAttribute('d') ?? '').matchAll(/[ML]([\d.]+)/g)].map(([, x]) => Number(x)),
  );
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('the trail of a platform', () => {
  it('goes from the oldest place to the moment that is shown, in pieces that join and grow fainter with age', () => {
    const pieces = drawn(range(10, 30), 30);

    expect([...new Set(pieces.flat())]).toEqual(range(10, 30));
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) expect(piece[0]).toBe(pieces[index - 1]!.at(-1));
    }
    const faint = [...createTrail().element.querySelectorAll('path')].map((path) =>
      Number(path.getAttribute('stroke-opacity')),
    );
    expect(faint).toEqual([...faint].sort((a, b) => a - b));
    expect([faint[0]! > 0, faint.at(-1)]).toEqual([true, 1]);
  });

  it('is cleared over a jump of more than two seconds, and goes on over two', () => {
    expect([...new Set(drawn([20, 21, 23, 24], 24).flat())]).toEqual([20, 21, 23, 24]);
    expect([...new Set(drawn([20, 21, 23.1, 24], 24).flat())]).toEqual([23.1, 24]);
  });

  it('is nothing at a single place, and hidden until it is drawn', () => {
    const { element } = createTrail();

    expect(element.style.display).toBe('none');
    expect(drawn([30], 30).flat()).toEqual([]);
  });
});
