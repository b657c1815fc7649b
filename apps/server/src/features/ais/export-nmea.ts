import { type AisMessage, encodeSentences } from '@osprey/ais';
import type { AisTarget } from '@osprey/contract';

const place = ({ lat, lon }: AisTarget) => ({ latitude: lat, longitude: lon, accurate: false, raim: false });
const motion = ({ sog, cog }: AisTarget) => ({ sog, cog, second: null, positionMode: 'sensor' as const });

/** A row as the message that such a station sends: what is not kept of it is "not available". */
function messageOf(row: AisTarget): AisMessage {
  const common = { repeat: 0, mmsi: row.mmsi, ...place(row) };
  switch (row.messageType) {
    case 4:
    case 11:
      return { ...common, type: 4, timeUs: row.timestamp, fixType: row.fixType ?? 0, longRange: false, radio: 0 };
    case 18:
    case 19:
      return {
        ...{ ...common, ...motion(row), type: 18, heading: row.hdg, carrierSense: true, display: false, dsc: false },
        ...{ wholeBand: false, message22: false, assigned: false, radio: 0 },
      };
    case 21:
      return {
        ...{ ...common, type: 21, aidType: null, name: row.name, dimensions: null, fixType: row.fixType ?? 0 },
        ...{ second: null, positionMode: 'sensor', offPosition: null, status: 0, virtual: false, assigned: false },
      };
    default:
      return {
        ...{ ...common, ...motion(row), type: 1, heading: row.hdg, status: row.status, turn: null, turnAtLeast: false },
        ...{ manoeuvre: null, radio: 0 },
      };
  }
}

function staticOf(row: AisTarget): AisMessage {
  const { dimensions: sizes } = row;
  return {
    ...{ type: 5, repeat: 0, mmsi: row.mmsi, aisVersion: 2, imo: row.imo, callSign: row.callSign, name: row.name },
    ...{ shipType: row.shipType, fixType: 0, eta: null, draught: row.draught, destination: row.destination },
    dataTerminal: true,
    dimensions: sizes && {
      ...sizes,
      length: sizes.toBow + sizes.toStern,
      beam: sizes.toPort + sizes.toStarboard,
      referenceKnown: sizes.toBow > 0 && sizes.toPort > 0,
    },
  };
}

/** Sentences of NMEA 0183 with the time of each in its tag block; static data of a ship follow its first position. */
export function* nmea(rows: readonly AisTarget[]): Generator<string> {
  const named = new Set<number>();
  for (const row of rows) {
    const messages = [messageOf(row)];
    const isShip = ![4, 11, 21].includes(row.messageType);
    if (isShip && row.name !== null && !named.has(row.mmsi)) {
      named.add(row.mmsi);
      messages.push(staticOf(row));
    }
    for (const message of messages) {
      for (const sentence of encodeSentences(message, { timeUs: row.timestamp })) yield `${sentence}\r\n`;
    }
  }
}
