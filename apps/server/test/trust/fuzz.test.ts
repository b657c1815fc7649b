import { FormatError } from '@osprey/bytes';
import { AppError } from '@osprey/contract';
import { decodePacket, encodeSt0102, encodeSt0601, encodeSt0903, packets } from '@osprey/klv';
import { createDemuxer, createMuxer } from '@osprey/mpegts';
import { describe, expect, it } from 'vitest';
import { queryAreas } from '../../src/base/db/query-geometry.ts';
import { readGeoJson, readKml } from '../../src/features/documents/reader/geo.ts';
import { joined, mutated, randomNumbers } from './mutations.ts';

/** 2 s each in every run, 60 s in the soak. */
const FUZZ_MS = Number(process.env.OSPREY_FUZZ_MS ?? 2000);
const SEED = Number(process.env.OSPREY_SEED ?? 20601);
const LONGEST_MS = 1000;
const MEMORY_BYTES = 256 * 1024 * 1024;
const BATCH = 50;

/** Feeds `read` until the time is over; returns what went against the rules. */
function fuzz(sources: readonly Uint8Array[], read: (bytes: Uint8Array) => void) {
  const random = randomNumbers(SEED);
  const before = process.memoryUsage().rss;
  const strange: unknown[] = [];
  let slowestMs = 0;
  let inputs = 0;
  for (const end = performance.now() + FUZZ_MS; performance.now() < end; ) {
    for (let i = 0; i < BATCH; i += 1) {
      const bytes = mutated(sources[random(sources.length)]!, random);
      const start = performance.now();
      try {
        read(bytes);
      } catch (error) {
        if (!(error instanceof FormatError) && !(error instanceof AppError)) strange.push(error);
      }
      slowestMs = Math.max(slowestMs, performance.now() - start);
      inputs += 1;
    }
  }
  return { strange, slowestMs, inputs, grownBytes: process.memoryUsage().rss - before };
}

function expectCalm({ strange, slowestMs, inputs, grownBytes }: ReturnType<typeof fuzz>): void {
  expect(strange).toEqual([]);
  expect(slowestMs).toBeLessThan(LONGEST_MS);
  expect(grownBytes).toBeLessThan(MEMORY_BYTES);
  expect(inputs).toBeGreaterThan(BATCH);
}

const T0 = 1_700_000_000_000_000;
const set = encodeSt0601({
  2: T0,
  3: 'M1',
  5: 90,
  13: 37.6,
  14: 24.3,
  48: { 1: 2, 3: '//GR' },
  74: { 8: 640, 9: 360, 101: [{ id: 1, 1: 500, 8: 0xff0000 }] },
});

function stream(): Uint8Array {
  const parts: Uint8Array[] = [];
  const muxer = createMuxer({
    write: (bytes) => parts.push(bytes.slice()),
    streams: [
      { pid: 0x100, kind: 'h264' },
      { pid: 0x101, kind: 'klvAsync' },
      { pid: 0x102, kind: 'klvSync' },
    ],
  });
  const picture = Uint8Array.of(0, 0, 0, 1, 0x65, ...new Uint8Array(400).fill(0x5a));
  for (let frame = 0; frame < 8; frame += 1) {
    const ptsTicks = 90_000 + frame * 3600;
    muxer.unit({ pid: 0x101, ptsTicks, bytes: set });
    muxer.unit({ pid: 0x102, ptsTicks, bytes: set });
    muxer.unit({ pid: 0x100, ptsTicks, keyframe: true, bytes: picture });
  }
  muxer.end();
  return joined(...parts);
}

describe(`T-042 hostile bytes, seed ${SEED},`, { timeout: FUZZ_MS + 60_000 }, () => {
  it('neither stop nor fill the reader of transport streams', () => {
    expectCalm(
      fuzz([stream()], (bytes) => {
        const demuxer = createDemuxer({
          klv: ({ bytes: payload, start, end }) => {
            for (const packet of packets(payload, start, end)) decodePacket(payload, packet.start, packet.end);
          },
        });
        demuxer.push(bytes);
        demuxer.end();
      }),
    );
  });

  it('neither stop nor fill the readers of ST 0601, 0102 and 0903', () => {
    const sources = [set, encodeSt0102({ 1: 4, 3: '//US' }), encodeSt0903({ 8: 640, 101: [{ id: 7, 1: 3 }] })];

    expectCalm(fuzz(sources, (bytes) => decodePacket(bytes, 0, bytes.length)));
  });

  it('neither stop nor fill the readers of places in documents', () => {
    const kml = `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><Polygon>
      <outerBoundaryIs><LinearRing><coordinates>24.2,37.6 24.4,37.6 24.4,37.8 24.2,37.6</coordinates></LinearRing>
      </outerBoundaryIs></Polygon></Placemark><Placemark><Point><coordinates>24,37,5</coordinates></Point></Placemark>
      </Document></kml>`;
    const shape = { type: 'Polygon', coordinates: [[...Array.from({ length: 30 }, (_, i) => [i, i * 2]), [0, 0]]] };
    const geometries = [
      shape,
      {
        type: 'MultiPoint',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
    ];
    const features = [shape, { type: 'GeometryCollection', geometries }].map((geometry) => ({
      type: 'Feature',
      geometry,
    }));
    const sources = [kml, JSON.stringify({ type: 'FeatureCollection', features })];
    const text = new TextDecoder();

    expectCalm(
      fuzz(
        sources.map((source) => new TextEncoder().encode(source)),
        (bytes) => {
          readGeoJson(text.decode(bytes));
          readKml(text.decode(bytes));
        },
      ),
    );
  });

  it('neither stop nor fill the reader of areas in a query', () => {
    const ring = Array.from({ length: 40 }, (_, i) => [i, (i * 7) % 80]);
    const polygon = { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
    const sources = [
      JSON.stringify(polygon),
      JSON.stringify({ type: 'Feature', geometry: polygon }),
      '170,-10,-170,10',
    ];
    const text = new TextDecoder();

    expectCalm(
      fuzz(
        sources.map((source) => new TextEncoder().encode(source)),
        (bytes) => queryAreas(text.decode(bytes)),
      ),
    );
  });
});
