import { decodePacket, type EncodeValues, encodeSt0102, encodeSt0601 } from '@osprey/klv';
import { describe, expect, it } from 'vitest';
import { createKlvJoin, type PlacedSet } from './klv-join.ts';

const SECOND = 90_000;

function joiner({ waits = true, apart = [] as number[] } = {}) {
  const said: { ticks: number | null; values: object }[] = [];
  const filled: string[] = [];
  const join = createKlvJoin<PlacedSet>({
    emit({ ticks, bytes: own, start, end }, bytes) {
      const { values, checksum } = bytes ? decodePacket(bytes, 0, bytes.length) : decodePacket(own, start, end);
      expect(checksum).toBe('good');
      const { 1: _sum, 2: _time, 65: _version, ...rest } = values;
      said.push({ ticks: ticks === null ? null : ticks / SECOND, values: rest });
    },
    onFilled: (pid, tag) => filled.push(`${pid}:${tag}`),
    mayFill: (pid) => !apart.includes(pid),
    waits,
  });
  const placed = (pid: number, seconds: number | null, values: EncodeValues): PlacedSet => {
    const bytes = encodeSt0601({ 2: 1_700_000_000_000_000, ...values });
    return { pid, run: 0, ticks: seconds === null ? null : seconds * SECOND, bytes, start: 0, end: bytes.length };
  };
  return {
    join,
    said,
    filled,
    base: (seconds: number | null, values: EncodeValues) => join.base(placed(1, seconds, values)),
    other: (seconds: number, values: EncodeValues, pid = 2) => join.other(placed(pid, seconds, values)),
    /** By second, what came out. */
    all() {
      join.flush();
      return Object.fromEntries(said.map(({ ticks, values }) => [String(ticks), values]));
    },
  };
}

describe('KLV streams that are joined', () => {
  it('fill in what no set of the shown one has within a second, from the nearest set', () => {
    const { base, other, all, filled } = joiner();
    other(9.5, { 10: 'far', 12: 'grid' });
    other(10.25, { 10: 'near' });
    base(10, { 3: 'M1' });
    // Sent every other second only: it has the tag near by, before and after.
    base(20, { 3: 'M1', 10: 'own' });
    other(20.5, { 10: 'other' });
    base(20.75, { 3: 'M1' });
    other(22.5, { 10: 'other' });
    base(22.5, { 3: 'M1' });
    base(23.25, { 3: 'M1', 10: 'own' });

    expect(all()).toEqual({
      10: { 3: 'M1', 10: 'near', 12: 'grid' },
      20: { 3: 'M1', 10: 'own' },
      20.75: { 3: 'M1' },
      22.5: { 3: 'M1' },
      23.25: { 3: 'M1', 10: 'own' },
    });
    expect(filled).toEqual(['2:10', '2:12']);
  });

  it('fill in nothing from farther away than a second', () => {
    const { base, other, all } = joiner();
    other(8.9, { 10: 'before' });
    base(10, { 3: 'M1' });
    other(11.1, { 10: 'after' });

    expect(all()).toEqual({ 10: { 3: 'M1' } });
  });

  it('never fill in a part of a group, and never parts of two sets', () => {
    const { base, other, all } = joiner();
    base(10, { 3: 'M1', 5: 90 });
    // The heading of the shown one with the pitch of another would be the attitude of neither.
    other(10, { 6: 5, 7: -5, 23: 60 });
    other(10.5, { 23: 61, 24: 25 });

    const [set] = Object.values(all());
    expect(set).toEqual({ 3: 'M1', 5: expect.closeTo(90, 1), 23: expect.closeTo(60, 5) });
  });

  it('fill in target lists and security sets, also those that travel alone', () => {
    const { base, join, all } = joiner();
    const secret = encodeSt0102({ 1: 4 });
    join.other({ pid: 3, run: 0, ticks: 10 * SECOND, bytes: secret, start: 0, end: secret.length });
    base(10, { 3: 'M1' });

    expect(all()).toEqual({ 10: { 3: 'M1', 48: expect.objectContaining({ 1: 4 }) } });
  });

  it('leave alone what may not be joined, what has no time, and what is on the other side of a jump', () => {
    const { base, other, all } = joiner({ apart: [2] });
    other(10, { 10: 'apart' });
    base(10, { 3: 'M1' });
    expect(all()).toEqual({ 10: { 3: 'M1' } });

    const second = joiner();
    second.other(10, { 10: 'there' });
    second.base(null, { 3: 'M1' });
    second.base(1000, { 3: 'M1' });
    expect(second.all()).toEqual({ null: { 3: 'M1' }, 1000: { 3: 'M1' } });
  });

  it('wait three seconds for a stream that is multiplexed later, and not at all where they are live', () => {
    const late = joiner();
    for (let at = 0; at < 40; at += 1) {
      late.base(10 + at / 10, { 3: 'M1' });
      if (at >= 20) late.other(8 + at / 10, { 10: 'KEA' });
    }
    expect(late.said[0]).toEqual({ ticks: 10, values: { 3: 'M1', 10: 'KEA' } });

    const live = joiner({ waits: false });
    live.base(10, { 3: 'M1' });
    live.other(10, { 10: 'KEA' });
    live.base(10.5, { 3: 'M1' });
    expect(live.said.map(({ values }) => values)).toEqual([{ 3: 'M1' }, { 3: 'M1', 10: 'KEA' }]);
  });

  it('keep a bounded number of sets, whatever comes', () => {
    const { base, said } = joiner();
    for (let at = 0; at < 2000; at += 1) base(10, { 3: 'M1' });
    expect(said.length).toBeGreaterThanOrEqual(2000 - 513);
  });
});
