import { expect, it } from 'vitest';
import { courseOf, rateOf, readMetrics } from './load.ts';

const at = (atMs: number, fields: Record<string, number>) => ({ atMs, metrics: new Map(Object.entries(fields)) });

it('sums a metric over its labels, and leaves out what is no number', () => {
  const text = [
    '# HELP osprey_http_received_bytes_total Bytes',
    'osprey_http_received_bytes_total{route="/api/uploads/:id"} 100',
    'osprey_http_received_bytes_total{route="/api/missions"} 23',
    'process_resident_memory_bytes 2.5e8',
    'nodejs_eventloop_lag_p99_seconds 0.012',
    'nodejs_gc_duration_seconds NaN',
  ].join('\n');

  expect([...readMetrics(text)]).toEqual([
    ['osprey_http_received_bytes_total', 123],
    ['process_resident_memory_bytes', 2.5e8],
    ['nodejs_eventloop_lag_p99_seconds', 0.012],
  ]);
});

it('shows how fast a counter grows, and nothing at the first look or after a restart of the server', () => {
  const samples = [at(0, { bytes: 50 }), at(10_000, { bytes: 250 }), at(20_000, { bytes: 10 }), at(30_000, {})];

  expect(rateOf(samples, 'bytes').map(({ value }) => value)).toEqual([null, 20, null, null]);
});

it('takes a gauge as it is, in another unit', () => {
  expect(courseOf([at(0, { lag: 0.012 }), at(1, {})], 'lag', 1000).map(({ value }) => value)).toEqual([12, null]);
});
