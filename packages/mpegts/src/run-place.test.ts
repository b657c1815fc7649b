import { expect, it } from 'vitest';
import { runChangesOf } from './run-place.ts';

const [VIDEO, EARLY, LATE, TWICE, STEADY] = [256, 257, 258, 259, 260];

it('each stream goes over to the next run where its clock makes the jump of the pictures', () => {
  // Places, and stamps of packets at them: the clock of the pictures jumps by 903,000 between 200 and 300.
  const elements = [
    ...[VIDEO, EARLY, LATE, TWICE, STEADY].map((pid) => ({ pid, place: 100, stamp: 0 })),
    { pid: VIDEO, place: 200, stamp: 3000 },
    { pid: EARLY, place: 210, stamp: 903_000 },
    { pid: STEADY, place: 220, stamp: 3000 },
    { pid: VIDEO, place: 300, stamp: 906_000 },
    { pid: EARLY, place: 310, stamp: 906_000 },
    { pid: LATE, place: 320, stamp: 3000 },
    { pid: TWICE, place: 330, stamp: 904_000 },
    { pid: STEADY, place: 340, stamp: 6000 },
    { pid: LATE, place: 420, stamp: 906_000 },
    // Nearly such a jump, but further from it than the one before.
    { pid: TWICE, place: 430, stamp: 1_700_000 },
  ];

  expect([...runChangesOf(elements, 300, VIDEO)].sort()).toEqual([
    [EARLY, 210],
    [LATE, 420],
    [TWICE, 330],
  ]);
});

it('no stream goes over where there are no pictures of both runs', () => {
  const elements = [
    { pid: VIDEO, place: 300, stamp: 906_000 },
    { pid: LATE, place: 310, stamp: 0 },
    { pid: LATE, place: 320, stamp: 906_000 },
  ];

  expect(runChangesOf(elements, 300, VIDEO).size).toBe(0);
});
