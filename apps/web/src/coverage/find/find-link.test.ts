import { type FoundSpan, NO_PLATFORM_NAME } from '@osprey/contract';
import { expect, it } from 'vitest';
import { textOf } from './export-found.ts';
import { findRules, type Question } from './find-link.ts';

const read = (query: Record<string, string>) => findRules.fromQuery(new URLSearchParams(query));

it('keeps all of a question in the address', () => {
  const question: Question = {
    shape: {
      type: 'Corridor',
      line: [
        [24.1, 37.5],
        [24.3, 37.6],
      ],
      widthM: 500,
    },
    filter: {
      from: 1_700_000_000_000_000,
      to: 1_700_000_100_000_000,
      days: 30,
      day: { from: 1320, to: 245 },
      pictures: 'video',
      sensor: 'EO, left',
      platforms: ['Falcon, the old one', 'Kite'],
      platformTypes: ['Plane'],
      usergroups: ['00000000-0000-4000-8000-000000000001'],
      resolutionM: 0.25,
      look: { from: 350, to: 10.5 },
      share: 80,
      seconds: 5,
    },
  };
  const query = findRules.toQuery(question);
  expect(Object.keys(query).every((name) => findRules.names.includes(name))).toBe(true);
  expect(query.day).toBe('22:00-04:05');
  expect(read(query)).toEqual(question);
  expect(findRules.toQuery({ shape: null, filter: {} })).toEqual({});
});

it('narrows nothing by what is broken in an address, and keeps the rest', () => {
  expect(
    read({
      shape: '{"type":"Circle","centre":[0,0],"radiusM":-1}',
      days: 'x',
      day: '25:00-26:00',
      pictures: 'all',
      look: '10',
      share: '200',
      platforms: 'Kite',
      seconds: '5',
    }),
  ).toEqual({ shape: null, filter: { seconds: 5 } });
  expect(read({ shape: 'x' }).shape).toBeNull();
});

const span: FoundSpan = {
  ...{ missionId: 'm', mission: '=PATROL-7', sensorId: 's', sensor: 'EO, "left" <1>', platform: 'Falcon' },
  ...{ from: 1_700_000_000_000_000, to: 1_700_000_005_000_000, first: 1_700_000_000_000_000 },
  ...{ distanceM: 834.4, resolutionM: null, lookDeg: 12.6, securityClassification: 'RESTRICTED' as const },
  ...{ marked: true },
  corners: [
    [24, 38],
    [25, 38],
    [25, 37],
    [24, 37],
  ],
};

it('writes the list as CSV that no spreadsheet takes for formulas', () => {
  const [head, row, end] = textOf([span], 'csv').split('\r\n');
  expect(head).toMatch(/^from,to,seconds,mission,sensor,platform,label,/);
  expect(row).toBe(
    `2023-11-14T22:13:20.000Z,2023-11-14T22:13:25.000Z,5,'=PATROL-7,"EO, ""left"" <1>",Falcon,RESTRICTED,834,,13,m,s,no`,
  );
  expect(end).toBe('');
});

it('leaves the platform empty where none is known', () => {
  const row = textOf([{ ...span, platform: NO_PLATFORM_NAME }], 'csv').split('\r\n')[1];
  expect(row).toContain('<1>",,RESTRICTED,');
});

it('writes the ground of each time as GeoJSON and as KML', () => {
  const { features } = JSON.parse(textOf([span], 'geojson'));
  expect(features[0].geometry.coordinates[0]).toEqual([...span.corners, span.corners[0]]);
  expect(features[0].properties).toMatchObject({ mission: '=PATROL-7', label: 'RESTRICTED', seconds: 5 });
  const kml = textOf([span], 'kml');
  expect(kml).toContain('<name>=PATROL-7, EO, &quot;left&quot; &lt;1&gt;</name>');
  expect(kml).toContain('<begin>2023-11-14T22:13:20.000Z</begin>');
  expect(kml).toContain('24,38 25,38 25,37 24,37 24,38');
});
