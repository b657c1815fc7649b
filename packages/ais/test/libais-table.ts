import type { AisMessage, NoticeArea } from '../src/index.ts';
import { forGpsd, gpsdRows } from './gpsd-table.ts';
import type { Row } from './peer-table.ts';

/** Rows for the communication state (M.1371-5, Annex 2, § 3.3.7.2.1 and § 3.3.7.3.2), which libais reports in parts. */
const STATE: readonly Row[] = [
  { peer: 'sync_state', ours: 'radio', as: (radio) => (Number(radio) >> 17) & 3 },
  { peer: 'slot_timeout', ours: 'radio', as: (radio) => (Number(radio) >> 14) & 7 },
  ...['slot_number', 'slot_offset', 'received_stations'].map((peer) => ({
    peer,
    ours: 'radio',
    as: (radio: unknown) => Number(radio) & 0x3fff,
  })),
  { peer: 'slot_increment', ours: 'radio', as: (radio) => (Number(radio) >> 4) & 0x1fff },
  { peer: 'slots_to_allocate', ours: 'radio', as: (radio) => (Number(radio) >> 1) & 7 },
  { peer: 'keep_flag', ours: 'radio', as: (radio) => Number(radio) % 2 === 1 },
  { peer: 'utc_hour', ours: 'radio', as: (radio) => (Number(radio) >> 9) & 31 },
  { peer: 'utc_min', ours: 'radio', as: (radio) => (Number(radio) >> 2) & 127 },
  { peer: 'commstate_cs_fill', ours: 'radio', as: (radio) => Number(radio) & 0x7ffff },
];

/** Text of areas with circles in the fields of libais, for comparison. */
const areasText = (areas: NoticeArea[]): string =>
  JSON.stringify(
    areas.map((area) =>
      area.shape === 'circle'
        ? [area.precision, area.radius, area.latitude!.toFixed(6), area.longitude!.toFixed(6)]
        : area,
    ),
  );

/** Text of areas of a message by libais, for comparison. */
export const peerAreasText = (areas: { precision: number; radius: number; x: number; y: number }[]): string =>
  JSON.stringify(areas.map(({ precision, radius, x, y }) => [precision, radius, y.toFixed(6), x.toFixed(6)]));

const OWN: Readonly<Record<number, readonly Row[]>> = {
  4: [{ peer: 'transmission_ctl', ours: 'longRange', as: (on) => (on ? 1 : 0) }],
  5: [{ peer: 'imo', ours: 'imo', none: '0', as: String }],
  8: [
    { peer: 'link_id', ours: 'content.linkage' },
    { peer: 'notice_type', ours: 'content.noticeType' },
    { peer: 'sub_areas', ours: 'content.areas', as: (areas) => areasText(areas as NoticeArea[]) },
  ],
  9: [
    { peer: 'alt_sensor', ours: 'barometric', as: (on) => (on ? 1 : 0) },
    { peer: 'assigned', ours: 'assigned' },
  ],
  17: [
    { peer: 'lat', ours: 'latitude' },
    { peer: 'lon', ours: 'longitude' },
  ],
  18: [
    { peer: 'mode', ours: 'assigned' },
    { peer: 'unit', ours: 'carrierSense' },
  ],
  21: [
    { peer: 'assigned', ours: 'assigned' },
    { peer: 'regional', ours: 'status' },
  ],
  22: [
    ...['ne_lon', 'ne_lat', 'sw_lon', 'sw_lat'].map((peer) => ({ peer, ours: `corners.${peer}` })),
    { peer: 'band_a', ours: 'narrowA', as: Number },
    { peer: 'band_b', ours: 'narrowB', as: Number },
  ],
  24: [{ peer: 'part_num', ours: 'part', as: (part) => (part === 'A' ? 0 : 1) }],
  26: [
    { peer: 'dac', ours: 'dac' },
    { peer: 'fid', ours: 'fi' },
  ],
};

export function libaisRows(type: number, dac: unknown, fid: unknown): Row[] {
  const turn: Row[] = type <= 3 ? [{ peer: 'turn', ours: 'turn' }] : [];
  const own = OWN[type === 11 ? 4 : type === 23 ? 22 : type] ?? [];
  const more: Row[] = type === 23 ? [{ peer: 'txrx', ours: 'txRx' }] : [];
  return [...gpsdRows(type, true, dac, fid), ...STATE, ...turn, ...own, ...more];
}

export function forLibais(message: AisMessage): object {
  const area = 'area' in message ? message.area : null;
  const corners = area && { ne_lon: area.east, ne_lat: area.north, sw_lon: area.west, sw_lat: area.south };
  return { ...forGpsd(message), corners };
}
