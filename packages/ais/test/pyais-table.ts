import type { AisMessage } from '../src/index.ts';
import { forGpsd, gpsdRows } from './gpsd-table.ts';
import type { Row } from './peer-table.ts';

/** Field names of pyais that differ from those of gpsd. */
const RENAMED: Readonly<Record<string, string>> = {
  type: 'msg_type',
  shiptype: 'ship_type',
  stationtype: 'station_type',
};

const tenthsOfMinutes = (value: unknown) => Number((Number(value) * 600).toFixed(0)) / 10;
const hexAlone = (value: unknown) => String(value).split(':')[1];

/** Returns rows for fields that gpsd lacks, or has with another scale. */
function ownRows(type: number): Row[] {
  switch (type) {
    case 1:
    case 2:
    case 3:
      return [{ peer: 'turn', ours: 'wholeTurn', none: -128 }];
    case 4:
    case 11:
      return ['year', 'month', 'day', 'hour', 'minute', 'second'].map((peer) => ({ peer, ours: `utc.${peer}` }));
    case 5:
      return [
        { peer: 'month', ours: 'eta.month', none: 0 },
        { peer: 'day', ours: 'eta.day', none: 0 },
        { peer: 'hour', ours: 'eta.hour', none: 24 },
        { peer: 'minute', ours: 'eta.minute', none: 60 },
        { peer: 'dte', ours: 'dataTerminal', as: (ready) => !ready },
      ];
    case 7:
    case 13:
      return [0, 1, 2, 3].flatMap((i) => [
        { peer: `mmsi${i + 1}`, ours: `acknowledged.${i}.mmsi` },
        { peer: `mmsiseq${i + 1}`, ours: `acknowledged.${i}.sequence` },
      ]);
    case 8:
      return [
        { peer: 'day', ours: 'content.day', none: 0 },
        { peer: 'hour', ours: 'content.hour', none: 24 },
        { peer: 'minute', ours: 'content.minute', none: 60 },
        { peer: 'pressuretend', ours: 'content.pressureTrend', none: 3 },
        { peer: 'leveltrend', ours: 'content.levelTrend', none: 3 },
        { peer: 'waterlevel', ours: 'content.waterLevel', none: 41.1 },
        { peer: 'linkage', ours: 'content.linkage' },
        { peer: 'notice', ours: 'content.noticeType' },
        { peer: 'month', ours: 'content.month' },
        { peer: 'duration', ours: 'content.duration' },
      ];
    // pyais gives null for absent fields.
    case 15:
      return ['mmsi2', 'offset1_2', 'offset2_1', 'type1_2', 'type2_1'].map((peer) => ({
        peer,
        ours: `slots.${peer}`,
        as: (value) => value || null,
      }));
    case 20:
      return [0, 1, 2, 3].flatMap((i) => [
        { peer: `offset${i + 1}`, ours: `reservations.${i}.offset` },
        { peer: `number${i + 1}`, ours: `reservations.${i}.slots` },
        { peer: `timeout${i + 1}`, ours: `reservations.${i}.timeout` },
        { peer: `increment${i + 1}`, ours: `reservations.${i}.increment` },
      ]);
    case 9:
      return [
        { peer: 'dte', ours: 'dataTerminal', as: (ready) => !ready },
        { peer: 'raim', ours: 'raim' },
        { peer: 'assigned', ours: 'assigned' },
      ];
    case 17:
      return [
        { peer: 'lon', ours: 'longitude', as: tenthsOfMinutes },
        { peer: 'lat', ours: 'latitude', as: tenthsOfMinutes },
      ];
    case 18:
      return [{ peer: 'assigned', ours: 'assigned' }];
    case 21:
      return [
        { peer: 'assigned', ours: 'assigned' },
        { peer: 'full_name', ours: 'name', none: '' },
      ];
    case 22:
    case 23:
      return [
        { peer: 'ne_lon', ours: 'area.east', as: tenthsOfMinutes },
        { peer: 'ne_lat', ours: 'area.north', as: tenthsOfMinutes },
        { peer: 'sw_lon', ours: 'area.west', as: tenthsOfMinutes },
        { peer: 'sw_lat', ours: 'area.south', as: tenthsOfMinutes },
        { peer: 'txrx', ours: 'txRx' },
      ];
    case 24:
      return [
        { peer: 'vendorid', ours: 'vendor', none: '' },
        { peer: 'partno', ours: 'part', as: (part) => (part === 'A' ? 0 : 1) },
      ];
    default:
      return [];
  }
}

export function pyaisRows(type: number, dac: unknown, fid: unknown): Row[] {
  const rows = gpsdRows(type, true, dac, fid).map((row) => {
    const peer = RENAMED[row.peer] ?? row.peer;
    return peer === 'data' ? { ...row, peer, as: hexAlone } : { ...row, peer };
  });
  return [...rows, ...ownRows(type)];
}

export function forPyais(message: AisMessage): object {
  const time = 'timeUs' in message && message.timeUs !== null ? new Date(message.timeUs / 1000) : null;
  const utc = time && {
    year: time.getUTCFullYear(),
    month: time.getUTCMonth() + 1,
    day: time.getUTCDate(),
    hour: time.getUTCHours(),
    minute: time.getUTCMinutes(),
    second: time.getUTCSeconds(),
  };
  const turn = 'turn' in message ? message.turn : null;
  const noIndicator = 'turnAtLeast' in message && message.turnAtLeast && Math.abs(turn!) === 10;
  const wholeTurn = turn === null ? null : noIndicator ? turn * 12.7 : Math.round(turn);
  return { ...forGpsd(message), utc, wholeTurn };
}
