import { describe, expect, it } from 'vitest';
import {
  aidTypeName,
  countryOfMmsi,
  fixTypeName,
  isMmsi,
  SHIP_TYPE_GROUPS,
  shipTypeGroup,
  shipTypeName,
  statusName,
  targetKind,
} from './names.ts';

describe('fix types', () => {
  it.each([
    [0, 'Undefined'],
    [1, 'GPS'],
    [2, 'GLONASS'],
    [3, 'GPS + GLONASS'],
    [4, 'Loran-C'],
    [5, 'Chayka'],
    [6, 'Integrated'],
    [7, 'Surveyed'],
    [8, 'Galileo'],
    [15, 'N/A'],
    [9, 'Unknown'],
    [14, 'Unknown'],
    [16, 'Unknown'],
    [-1, 'Unknown'],
  ])('%i is named %s', (fixType, name) => {
    expect(fixTypeName(fixType)).toBe(name);
  });
});

describe('ship types', () => {
  it.each([
    [null, 'Not available', 'unknown'],
    [0, 'Not available', 'unknown'],
    [19, 'Reserved', 'unknown'],
    [24, 'Wing in ground, hazardous category OS', 'highSpeed'],
    [30, 'Fishing', 'fishing'],
    [32, 'Towing, long or broad', 'service'],
    [35, 'Military operations', 'military'],
    [36, 'Sailing', 'sailing'],
    [37, 'Pleasure craft', 'pleasure'],
    [51, 'Search and rescue', 'sar'],
    [52, 'Tug', 'service'],
    [55, 'Law enforcement', 'law'],
    [60, 'Passenger', 'passenger'],
    [70, 'Cargo', 'cargo'],
    [71, 'Cargo, hazardous category X', 'cargo'],
    [84, 'Tanker, hazardous category OS', 'tanker'],
    [99, 'Other', 'other'],
    [150, 'Regional use', 'other'],
    [255, 'Reserved', 'other'],
  ])('%s is %s, drawn as %s', (shipType, name, group) => {
    expect([shipTypeName(shipType), shipTypeGroup(shipType)]).toEqual([name, group]);
  });

  it('have hazardous categories X, Y, Z and OS from 1 to 4', () => {
    expect([81, 82, 83, 84].map(shipTypeName)).toEqual([
      'Tanker, hazardous category X',
      'Tanker, hazardous category Y',
      'Tanker, hazardous category Z',
      'Tanker, hazardous category OS',
    ]);
  });

  it('of every number have a name and a group', () => {
    for (let type = 0; type < 256; type++) {
      expect(shipTypeName(type)).not.toBe('');
      expect(SHIP_TYPE_GROUPS).toContain(shipTypeGroup(type));
    }
  });
});

it('navigational status and aids are named', () => {
  expect([0, 7, 14, 15, null].map(statusName)).toEqual([
    'Under way using engine',
    'Engaged in fishing',
    'AIS-SART, MOB or EPIRB active',
    'Not defined',
    'Not defined',
  ]);
  expect([0, 20, 31, 32, null].map(aidTypeName)).toEqual([
    'Not specified',
    'Cardinal mark N',
    'Light vessel, LANBY or rig',
    'Not specified',
    'Not specified',
  ]);
});

describe('an MMSI', () => {
  it.each([
    [211_123_456, 'DE', 'shipA'],
    [2_275_200, 'FR', 'base'],
    [23_712_345, 'GR', 'shipA'],
    [111_232_511, 'GB', 'sarAircraft'],
    [992_111_121, 'DE', 'aton'],
    [982_110_001, 'DE', 'auxiliary'],
    [823_712_345, 'GR', 'handheld'],
    [970_110_950, null, 'sart'],
    [972_110_950, null, 'mob'],
    [974_110_950, null, 'epirb'],
  ])('%i has the country %s and is a %s', (mmsi, code, kind) => {
    expect(countryOfMmsi(mmsi)?.code ?? null).toBe(code);
    expect(targetKind(mmsi)).toBe(kind);
    expect(isMmsi(mmsi)).toBe(true);
  });

  it.each([0, 123, 100_000_000, 199_999_999, 899_000_000, 1_000_000_000, 1_073_741_823, -1, 1.5, Number.NaN])(
    'is not %s',
    (mmsi) => {
      expect(countryOfMmsi(mmsi)).toBeNull();
      expect(isMmsi(mmsi)).toBe(false);
    },
  );

  it('says what sends, and where it does not, the message does', () => {
    expect([1, 5, 18, 19, 24, 4, 9, 21].map((type) => targetKind(211_000_001, type))).toEqual([
      ...['shipA', 'shipA', 'shipB', 'shipB', 'shipB'],
      ...['base', 'sarAircraft', 'aton'],
    ]);
  });
});
