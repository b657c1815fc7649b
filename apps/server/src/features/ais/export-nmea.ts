import { type AisMessage, type Eta, encodeSentences } from '@osprey/ais';
import type { AisTarget } from '@osprey/contract';

/** Maximum values of the speed fields: knots of a ship (in tenths), of an aircraft, and of a long-range report. */
const SOG_MAX = { ship: 102.2, aircraft: 1022, longRange: 62 } as const;
const SIZE_MAX = { length: 511, beam: 63 } as const;
/**
 * Whether the station is a craft of a mother ship; its message 24 contains the MMSI of the mother ship in place of its
 * size.
 */
const isAuxiliary = (mmsi: number): boolean => Math.floor(mmsi / 10_000_000) === 98;
/** Characters outside the six-bit set (ITU-R M.1371-5, table 47). Includes @, which terminates a text. */
const NOT_SIX_BIT = /[^ -?A-_]/g;

const textOf = (text: string | null, maximum: number): string | null =>
  text === null ? null : text.toUpperCase().replace(NOT_SIX_BIT, '?').slice(0, maximum);

const capped = (value: number | null, limit: number): number | null => (value === null ? null : Math.min(limit, value));

const common = ({ mmsi, lat, lon }: AisTarget) => ({
  ...{ repeat: 0, mmsi, latitude: lat, longitude: lon, accurate: false, raim: false },
});
const motion = ({ sog, cog, hdg }: AisTarget) => ({
  ...{ sog: capped(sog, SOG_MAX.ship), cog, heading: hdg, second: null, positionMode: 'sensor' as const },
});

function sizeOf({ dimensions }: AisTarget) {
  if (dimensions === null) return null;
  const toBow = Math.min(SIZE_MAX.length, dimensions.toBow);
  const toStern = Math.min(SIZE_MAX.length, dimensions.toStern);
  const toPort = Math.min(SIZE_MAX.beam, dimensions.toPort);
  const toStarboard = Math.min(SIZE_MAX.beam, dimensions.toStarboard);
  return {
    ...{ toBow, toStern, toPort, toStarboard, length: toBow + toStern, beam: toPort + toStarboard },
    referenceKnown: toBow > 0 || toPort > 0,
  };
}

/** Converts a row back to the message it was received in. Values that rows do not store are set to "not available". */
function messageOf(row: AisTarget): AisMessage {
  const { messageType: type } = row;
  switch (type) {
    case 4:
    case 11:
      return { ...common(row), type, timeUs: row.timestamp, fixType: row.fixType ?? 0, longRange: false, radio: 0 };
    case 9:
      return {
        ...{
          ...common(row),
          ...motion(row),
          type,
          sog: capped(row.sog === null ? null : Math.round(row.sog), SOG_MAX.aircraft),
        },
        ...{ altitude: null, barometric: false, dataTerminal: true, assigned: false, radio: 0 },
      };
    case 18:
      return {
        ...{ ...common(row), ...motion(row), type, carrierSense: true, display: false, dsc: false },
        ...{ wholeBand: false, message22: false, assigned: false, radio: 0 },
      };
    case 19:
      return {
        ...{ ...common(row), ...motion(row), type, name: textOf(row.name, 20), shipType: row.shipType },
        ...{ dimensions: sizeOf(row), fixType: row.fixType ?? 0, dataTerminal: true, assigned: false },
      };
    case 21:
      return {
        ...{ ...common(row), type, aidType: null, name: textOf(row.name, 34), dimensions: sizeOf(row) },
        ...{ fixType: row.fixType ?? 0, second: null, positionMode: 'sensor', offPosition: null, status: 0 },
        ...{ virtual: false, assigned: false },
      };
    case 27:
      return {
        ...{ ...common(row), type, status: row.status, late: false },
        sog: capped(row.sog === null ? null : Math.round(row.sog), SOG_MAX.longRange),
        cog: row.cog === null ? null : Math.round(row.cog) % 360,
      };
    default:
      return {
        ...{ ...common(row), ...motion(row), type: type === 2 || type === 3 ? type : 1, status: row.status },
        ...{ turn: row.turn, turnAtLeast: false, manoeuvre: null, radio: 0 },
      };
  }
}

/**
 * Returns messages with those static data of a station that its position reports do not contain. For class B, message
 * 24 is used if it can hold them all.
 */
function staticOf(row: AisTarget): AisMessage[] {
  const { messageType, name, shipType, draught } = row;
  const [callSign, destination] = [textOf(row.callSign, 7), textOf(row.destination, 20)];
  const dimensions = sizeOf(row);
  const hasVoyage = [row.imo, draught, destination, row.eta].some((value) => value !== null);
  const hasParticulars = [shipType, callSign, dimensions].some((value) => value !== null);
  if ([4, 11, 21].includes(messageType) || (name === null && !hasVoyage && !hasParticulars)) return [];
  const isClassB = messageType === 18 || messageType === 19;
  if (isClassB && !hasVoyage && !(isAuxiliary(row.mmsi) && dimensions !== null)) {
    if (messageType === 19 && callSign === null) return [];
    const station = { type: 24, repeat: 0, mmsi: row.mmsi } as const;
    return [
      ...(name === null ? [] : [{ ...station, part: 'A' as const, name: textOf(name, 20) }]),
      ...(hasParticulars
        ? [
            {
              ...{ ...station, part: 'B' as const, shipType, vendor: null, model: 0, serial: 0, callSign, dimensions },
              ...{ mothership: null, fixType: 0 },
            },
          ]
        : []),
    ];
  }
  return [
    {
      ...{ type: 5, repeat: 0, mmsi: row.mmsi, aisVersion: 2, imo: row.imo, callSign, name: textOf(name, 20) },
      ...{ shipType, fixType: 0, eta: etaOf(row.eta), draught: capped(draught, 25.5), destination },
      ...{ dataTerminal: true, dimensions },
    },
  ];
}

/** `MM-DD HH:MM`, where hour and minute may be `--`. */
function etaOf(text: string | null): Eta | null {
  const parts = /^(\d\d)-(\d\d) (\d\d|--):(\d\d|--)$/.exec(text ?? '');
  if (parts === null) return null;
  const [month, day, hour, minute] = parts.slice(1).map((part) => (part === '--' ? null : Number(part)));
  return { month: month ?? null, day: day ?? null, hour: hour ?? null, minute: minute ?? null };
}

/** Sentences of NMEA 0183 with the time of each in its tag block; static data of a station follow its first position. */
export function* nmea(rows: readonly AisTarget[]): Generator<string> {
  const named = new Set<number>();
  for (const row of rows) {
    const messages = [messageOf(row), ...(named.has(row.mmsi) ? [] : staticOf(row))];
    named.add(row.mmsi);
    for (const message of messages) {
      for (const sentence of encodeSentences(message, { timeUs: row.timestamp })) yield `${sentence}\r\n`;
    }
  }
}
