import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AisMessage, createAisReader, hasPlace, isStatic, shipTypeGroup, targetKind } from '@osprey/ais';
import { distanceM } from '@osprey/geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { describe, expect, it } from 'vitest';
import { makeModel } from '../model.ts';
import { resolveOptions } from '../resolve-options.ts';
import { resolveTraffic, type TrafficSettings } from './options.ts';
import { sendTraffic, writeTraffic } from './send-traffic.ts';
import { makeStations } from './stations.ts';
import { Traffic } from './traffic.ts';
import { openTrafficOutput } from './traffic-output.ts';

type Edge = [x0: number, y0: number, x1: number, y1: number];
type Heard = { message: AisMessage; timeUs: number | null; station: string; source: string | null };

/** Messages that a receiver gets in some seconds of traffic. */
function listen(settings: TrafficSettings, seconds: number): Heard[] {
  const heard: Heard[] = [];
  const reader = createAisReader({
    onMessage: (message, { timeUs, station, source }) => heard.push({ message, timeUs, station, source }),
    onFault: ({ kind }) => expect.unreachable(kind),
  });
  for (const { sentences } of new Traffic(resolveTraffic({ source: 'sim', ...settings })).until(seconds)) {
    reader.push(new TextEncoder().encode(sentences.map((sentence) => `${sentence}\r\n`).join('')));
  }
  reader.end();
  return heard;
}

const kindsOf = (heard: Heard[]) => new Set(heard.map(({ message }) => targetKind(message.mmsi, message.type)));

describe('traffic', () => {
  it('has class A and B, a base station, aids, an aircraft, and a SART if asked for', () => {
    const heard = listen({}, 60);
    expect([...kindsOf(heard)].sort()).toEqual(['aton', 'base', 'sarAircraft', 'shipA', 'shipB']);
    expect(kindsOf(listen({ sart: true }, 10))).toContain('sart');
    const groups = heard.map(({ message }) => ('shipType' in message ? shipTypeGroup(message.shipType) : null));
    expect(new Set(groups)).toEqual(
      new Set([null, 'cargo', 'tanker', 'passenger', 'highSpeed', 'fishing', 'sailing', 'pleasure', 'service', 'law']),
    );
    expect(new Set(heard.map(({ station }) => station))).toEqual(new Set(['AI', 'AB', 'AN']));
  });

  it('is the same for the same seed, and other for another', () => {
    const options = resolveTraffic({ lanes: 20 });
    const text = (seed: number) => JSON.stringify(new Traffic({ ...options, seed }).until(30));
    expect(text(3)).toBe(text(3));
    expect(text(4)).not.toBe(text(3));
  });

  it('says what each ship is within seconds, and again every six minutes', () => {
    const heard = listen({}, 400);
    const ships = new Map<number, number[]>();
    for (const { message, timeUs } of heard) {
      if (!isStatic(message) || message.type === 21 || (message.type === 24 && message.part === 'B')) continue;
      ships.set(message.mmsi, [...(ships.get(message.mmsi) ?? []), timeUs!]);
    }
    const moving = new Set(
      heard.filter(({ message }) => [1, 18].includes(message.type)).map(({ message }) => message.mmsi),
    );
    expect([...ships.keys()].sort()).toEqual([...moving].sort());
    const startUs = resolveTraffic({}).startUs;
    for (const [first, second] of ships.values()) {
      expect(first! - startUs).toBeLessThan(8e6);
      expect(second! - first!).toBe(360e6);
    }
  });

  it('reports as often as the standard asks', () => {
    const times = new Map<number, { knots: number; type: number; timesUs: number[] }>();
    for (const { message, timeUs } of listen({}, 300)) {
      if (message.type !== 1 && message.type !== 18) continue;
      const ship = times.get(message.mmsi) ?? { knots: message.sog!, type: message.type, timesUs: [] };
      ship.timesUs.push(timeUs!);
      times.set(message.mmsi, ship);
    }
    for (const { knots, type, timesUs } of times.values()) {
      const gaps = timesUs.slice(1).map((time, index) => (time - timesUs[index]!) / 1e6);
      const longest = type === 18 ? 30 : knots > 23 ? 2 : knots > 14 ? 6 : 10;
      expect(Math.max(...gaps)).toBeLessThanOrEqual(longest + 0.01);
    }
  });

  it('has the ships that the camera sees, by name and at their place, but for the skiff', () => {
    const options = resolveOptions({ seed: 5 });
    const model = makeModel(options);
    const heard = listen({ seed: 5, lanes: 0, noiseM: 0 }, 120);
    const names = new Map<number, string | null>();
    for (const { message } of heard)
      if ('name' in message && message.type !== 21) names.set(message.mmsi, message.name);
    expect([...names.values()].sort()).toEqual(['ARGO TRADER', 'KEA EXPRESS', 'LS 618', 'MELTEMI', 'SEA LARK']);
    let compared = 0;
    for (const { message, timeUs } of heard) {
      if (!hasPlace(message) || (message.type !== 1 && message.type !== 18)) continue;
      const { ship, point } = model.at(timeUs!).ships.find((state) => state.ship.name === names.get(message.mmsi))!;
      const metres = distanceM(point, { lat: message.latitude!, lon: message.longitude! });
      // The antenna is on board, and not in the middle.
      expect(metres).toBeLessThan(ship.lengthM / 2);
      expect(metres).toBeGreaterThan(0.1);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(20);
  });

  it('spreads positions by the noise asked for', () => {
    const exact = listen({ lanes: 0, noiseM: 0 }, 300).map(({ message }) => message);
    const noisy = listen({ lanes: 0, noiseM: 50 }, 300).map(({ message }) => message);
    const squares = exact.flatMap((message, index) => {
      const other = noisy[index]!;
      if (message.type !== 1 || other.type !== 1) return [];
      const [a, b] = [message, other].map(({ latitude, longitude }) => ({ lat: latitude!, lon: longitude! }));
      return [distanceM(a!, b!) ** 2];
    });
    const root = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length / 2);
    expect(squares.length).toBeGreaterThan(80);
    expect(root).toBeGreaterThan(40);
    expect(root).toBeLessThan(60);
  });

  it.each<[TrafficSettings, string]>([
    [{ lanes: 5001 }, '--ais-ships is 5001: it must be a whole number from 0 to 5000'],
    [{ noiseM: -1 }, '--ais-noise is -1: it must be a number from 0 to 1000'],
    [{ source: 'a,b' }, '--ais-source is a,b: it must be 1 to 15 letters'],
    [{ ships: 25 }, 'ships is 25: it must be'],
  ])('refuses %o', (settings, message) => {
    expect(() => resolveTraffic(settings)).toThrow(message);
  });
});

it('all ships keep clear of the land of the base map', () => {
  const atlas = JSON.parse(
    readFileSync(fileURLToPath(import.meta.resolve('world-atlas/land-10m.json')), 'utf8'),
  ) as Topology;
  const { features } = feature(atlas, atlas.objects.land as GeometryCollection);
  // Only edges at the latitudes of the traffic are crossed by a line to the east.
  const edges = features
    .flatMap(({ geometry }) => (geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : []))
    .flatMap((ring) => ring.slice(1).map((end, index): Edge => [...ring[index]!, ...end] as unknown as Edge))
    .filter(([, y0, , y1]) => Math.max(y0, y1) > 37 && Math.min(y0, y1) < 38.5);
  const isLand = (lat: number, lon: number) =>
    edges.filter(([x0, y0, x1, y1]) => y0 > lat !== y1 > lat && lon < x0 + ((x1 - x0) * (lat - y0)) / (y1 - y0))
      .length %
      2 ===
    1;
  expect([isLand(37.6, 24.33), isLand(37.75, 24.45)]).toEqual([true, false]);
  const ashore = new Set<string>();
  // One ship on each line of each lane, and the ships of the flight; in this time the slowest is once around.
  for (const { mmsi, at } of makeStations(resolveTraffic({ lanes: 35 }))) {
    if (['sarAircraft', 'base'].includes(targetKind(mmsi))) continue;
    for (let timeS = 0; timeS < 18 * 3600; timeS += 150) {
      const { lat, lon } = at(timeS).point;
      if (isLand(lat, lon)) ashore.add(`${mmsi} at ${lat.toFixed(2)} ${lon.toFixed(2)}`);
    }
  }
  expect([...ashore]).toEqual([]);
});

describe('an output of traffic', () => {
  const now = () => ({ lanes: 30, seconds: 2, startUs: Date.now() * 1000 });
  const counted = () => {
    const mmsis = new Set<number>();
    const reader = createAisReader({ onMessage: ({ mmsi }) => mmsis.add(mmsi) });
    return { mmsis, reader };
  };

  it('by UDP is a datagram a message, as it happens', async () => {
    const receiver = createSocket('udp4').bind(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { mmsis, reader } = counted();
    receiver.on('message', (bytes) => reader.pushDatagram(bytes));
    const output = await openTrafficOutput(`udp://127.0.0.1:${receiver.address().port}`);
    const result = await sendTraffic(now(), { output, signal: new AbortController().signal });
    await expect.poll(() => reader.counts.messages).toBe(result.messages);
    expect(mmsis.size).toBe(result.ships);
    expect(reader.counts.sentences).toBe(result.sentences);
    receiver.close();
  });

  it('by TCP calls until there is a listener', async () => {
    const { reader } = counted();
    const server = createServer((socket) => socket.on('data', (bytes) => reader.push(bytes)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const stop = new AbortController();
    const output = await openTrafficOutput(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const sent = sendTraffic({ lanes: 30, startUs: Date.now() * 1000 }, { output, signal: stop.signal });
    await expect.poll(() => reader.counts.messages).toBeGreaterThan(10);
    stop.abort();
    await sent;
    server.close();
  });

  it('by TCP as a listener goes to all who call', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    await once(free, 'close');
    const stop = new AbortController();
    const output = await openTrafficOutput(`tcp://127.0.0.1:${port}?mode=listener`);
    const readers = [counted().reader, counted().reader];
    for (const reader of readers) connect(port, '127.0.0.1').on('data', (bytes) => reader.push(bytes));
    const sent = sendTraffic({ lanes: 30, startUs: Date.now() * 1000 }, { output, signal: stop.signal });
    for (const reader of readers) await expect.poll(() => reader.counts.messages).toBeGreaterThan(10);
    stop.abort();
    await sent;
  });

  it('to a file has the traffic of a whole flight, with its times', async () => {
    const path = join(tmpdir(), `osprey-traffic-${process.pid}.nmea`);
    const result = await writeTraffic({ seconds: 60, source: 'sim' }, await openTrafficOutput(path));
    const { reader } = counted();
    reader.push(await readFile(path));
    reader.end();
    expect(reader.counts).toMatchObject({ messages: result.messages, sentences: result.sentences });
    await rm(path);
  });

  it.each([
    ['ftp://127.0.0.1:5', 'it must be a file, or an address that begins with udp: or tcp:'],
    ['udp://127.0.0.1', 'the port is missing'],
  ])('refuses %s', async (address, message) => {
    await expect(openTrafficOutput(address)).rejects.toThrow(message);
  });
});
