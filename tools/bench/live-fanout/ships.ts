import { createSocket } from 'node:dgram';
import { encodeSentences } from '@osprey/ais';
import { apiOf } from '../../test-support/data/api.ts';
import { freeUdpPort } from '../../test-support/data/platforms.ts';
import { ADMIN } from '../../test-support/server.ts';

export const SHIPS = 5000;
/** Seconds between two reports of a ship under way (ITU-R M.1371-5, table 1). */
const EVERY_S = 10;
const TICK_MS = 100;
const FIRST_MMSI = 300_000_000;
/** Bounding box of all ships, in degrees. */
export const SHIPS_AREA = { west: 20, south: 35, east: 30, north: 45 };

/**
 * Sends 5,000 ships under way to a receiver. Resolves once each ship has been received, with a function that stops
 * sending.
 */
export async function sendShips(address: string): Promise<() => void> {
  const port = await freeUdpPort();
  await apiOf(address, ADMIN).send('POST', 'platforms', {
    ...{ name: 'Harbour', securityClassification: 1, audience: 'everyone', autostart: true },
    sensors: [{ name: 'AIS', type: 'ais', url: `udp://127.0.0.1:${port}` }],
  });
  const socket = createSocket('udp4').unref();
  const begunMs = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - begunMs) / 1000) * (SHIPS / EVERY_S);
    for (; sent < due; sent += 1) socket.send(`${sentenceOf(sent % SHIPS, sent / SHIPS)}\r\n`, port, '127.0.0.1');
  }, TICK_MS);
  await new Promise((resolve) => setTimeout(resolve, 2 * EVERY_S * 1000));
  return () => {
    clearInterval(timer);
    socket.close();
  };
}

/** Returns the sentence of a ship that moves east. */
const sentenceOf = (n: number, round: number): string =>
  encodeSentences({
    ...{ type: 1, repeat: 0, mmsi: FIRST_MMSI + n, accurate: true, raim: false, sog: 12, cog: 90, heading: 90 },
    ...{ latitude: 35.5 + (n % 90) / 10, longitude: 20.5 + (n % 887) / 100 + round / 2000 },
    ...{ status: 0, turn: 0, turnAtLeast: false, second: n % 60, positionMode: 'sensor', manoeuvre: null, radio: 0 },
  })[0]!;
