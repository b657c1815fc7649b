import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { itWithData, testData } from '../../../tools/test-support/test-data.ts';
import { decodePacket, packets, st0601Tags } from '../src/index.ts';
import { expectClose } from './close.ts';
import { items, type KwiverPacket } from './kwiver-shape.ts';
import { pesPayloads } from './ts-payloads.ts';

/** Tags that KWIVER shows as objects and that stay bytes, or sets of bytes, here. */
const NOT_COMPARED = new Set(['1', '95', '97', '99', '101', '102']);

describe('the recordings of KWIVER', () => {
  itWithData.each(['h264_klv.ts', 'mpeg2_klv.ts'])('gives the values stated for all 30 sets of %s', (name) => {
    const expected: KwiverPacket[] = JSON.parse(
      inflateSync(readFileSync(testData('ts/kwiver/video_stream_klv.json.zz'))).toString('utf8'),
    );

    const sets = pesPayloads(testData(`ts/kwiver/${name}`), 257).flatMap((payload) =>
      [...packets(payload, 0, payload.length)].map(({ start, end }) => decodePacket(payload, start, end)),
    );

    expect(sets).toHaveLength(30);
    for (const [index, { values, checksum, faults, standard }] of sets.entries()) {
      const compared = Object.fromEntries(Object.entries(values).filter(([tag]) => !NOT_COMPARED.has(tag)));
      const picture = chipOf(compared);
      expect({ standard, checksum, faults }).toEqual({ standard: 'st0601', checksum: 'good', faults: [] });
      expect(picture).toBeInstanceOf(Uint8Array);
      expectClose(repeatableAsSingle(compared), items(expected[index]!.value), `set ${index}`);
    }
  });
});

/** Four names of the file differ by a space, a hyphen or a capital letter. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

describe('the names of ST 0601', () => {
  itWithData('are those that KWIVER has for the tags of its recordings', () => {
    const sets: { value: { key: { integer: number; string: string } }[] }[] = JSON.parse(
      inflateSync(readFileSync(testData('ts/kwiver/video_stream_klv.json.zz'))).toString('utf8'),
    );

    const reported = new Map(sets.flatMap(({ value }) => value.map(({ key }) => [key.integer, key.string] as const)));

    expect(reported.size).toBeGreaterThan(130);
    for (const [tag, name] of reported) expect(plain(st0601Tags.get(tag)!.name), `tag ${tag}`).toBe(plain(name));
  });
});

/** Takes the embedded picture out, which KWIVER does not read. */
function chipOf(values: object): unknown {
  const targets = Reflect.get(Reflect.get(values, '74'), '101');
  const chip = targets.find((target: object) => '105' in target)?.['105'];
  const picture = chip['3'];
  delete chip['3'];
  return picture;
}

/** Tags that may come more than once are lists here; the files give each once. */
function repeatableAsSingle(values: Record<string, unknown>): Record<string, unknown> {
  const single = { ...values };
  for (const tag of ['100', '115']) if (Array.isArray(single[tag])) single[tag] = single[tag][0];
  const { '11': users, '12': points, '13': areas, ...rvt } = single['73'] as Record<string, unknown[]>;
  return { ...single, '73': { ...rvt, '11': users?.[0], '12': points?.[0], '13': areas?.[0] } };
}
