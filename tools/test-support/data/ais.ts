import { createSocket } from 'node:dgram';
import { type AisMessage, encodeSentences } from '@osprey/ais';

/** A tanker that other tests search for, and its start position. */
export const POLARIS = { mmsi: 248_113_000, name: 'POLARIS BAY', latitude: 37.63, longitude: 24.62 };

type Ship = {
  mmsi: number;
  name: string;
  shipType: number;
  latitude: number;
  longitude: number;
  sog: number;
  cog: number;
};

/** Ships around Kea, in the western Cyclades. */
const ships: readonly Ship[] = [
  { ...POLARIS, shipType: 80, sog: 13.2, cog: 300 },
  { mmsi: 636_014_221, name: 'ARGO TRADER', shipType: 70, latitude: 37.575, longitude: 24.26, sog: 11.4, cog: 82 },
  { mmsi: 239_664_000, name: 'SKYROS JET', shipType: 60, latitude: 37.71, longitude: 24.8, sog: 17, cog: 260 },
  { mmsi: 257_081_300, name: 'NORD HAVEN', shipType: 70, latitude: 37.58, longitude: 24.22, sog: 9.1, cog: 24 },
  { mmsi: 241_552_118, name: 'SEA LARK', shipType: 30, latitude: 37.573, longitude: 24.26, sog: 7.2, cog: 100 },
  { mmsi: 240_118_500, name: 'IOLKOS STAR', shipType: 60, latitude: 37.47, longitude: 24.9, sog: 0.1, cog: 15 },
  { mmsi: 355_906_000, name: 'DELTA SEVEN', shipType: 80, latitude: 37.21, longitude: 24.37, sog: 12.6, cog: 112 },
  { mmsi: 237_334_100, name: 'TUG ARIS', shipType: 52, latitude: 37.5, longitude: 24.62, sog: 4.4, cog: 3 },
];

const report = ({ mmsi, sog, cog, ...ship }: Ship, second: number): AisMessage => {
  const way = (sog * second) / 3600 / 60;
  return {
    ...{ type: 1, repeat: 0, mmsi, accurate: true, raim: false, sog, cog, status: 0, turn: 0, turnAtLeast: false },
    // The tanker has no compass, so its heading is not available.
    ...{
      heading: mmsi === POLARIS.mmsi ? null : Math.round(cog),
      second: Math.floor(second) % 60,
      positionMode: 'sensor',
    },
    ...{ manoeuvre: null, radio: 0 },
    latitude: ship.latitude + way * Math.cos((cog * Math.PI) / 180),
    longitude: ship.longitude + (way * Math.sin((cog * Math.PI) / 180)) / Math.cos((ship.latitude * Math.PI) / 180),
  };
};

const particulars = ({ mmsi, name, shipType }: Ship): AisMessage => ({
  ...{ type: 5, repeat: 0, mmsi, aisVersion: 2, imo: 9_301_234, callSign: '9HA1', name, shipType, fixType: 1 },
  ...{ eta: null, draught: 9, destination: 'PIRAEUS', dataTerminal: true },
  dimensions: { toBow: 150, toStern: 30, toPort: 14, toStarboard: 16, length: 180, beam: 30, referenceKnown: true },
});

const base: AisMessage = {
  ...{ type: 4, repeat: 0, mmsi: 2_391_234, latitude: 37.6, longitude: 24.3, accurate: true, raim: false, fixType: 7 },
  ...{ timeUs: null, longRange: false, radio: 0 },
};

/**
 * Sends reports of these ships and a base station to a UDP port of this machine, twice a second. Returns a function
 * that stops it.
 */
export function sendShips(port: number): () => void {
  const socket = createSocket('udp4').unref();
  let turn = 0;
  const timer = setInterval(() => {
    const messages = ships.flatMap((ship) => [report(ship, turn / 2), ...(turn % 6 === 0 ? [particulars(ship)] : [])]);
    for (const message of [...messages, base]) {
      for (const sentence of encodeSentences(message)) socket.send(`${sentence}\r\n`, port, '127.0.0.1');
    }
    turn += 1;
  }, 500);
  return () => {
    clearInterval(timer);
    socket.close();
  };
}
