/// <reference lib="dom" />
import { readFile, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { randomOf } from '../tools/simulator/src/random.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor();

const PACKET = 188;
/** Packets of one datagram. */
const DATAGRAM = 7 * PACKET;
const SECONDS = 12;
const END_US = (Date.parse('2026-06-01T09:00:00Z') + SECONDS * 1000) * 1000;

let page: Page;

/** A recording of a network that lost every thirtieth datagram. */
function lossy(bytes: Buffer): Buffer {
  const random = randomOf(7);
  const datagrams = Array.from({ length: Math.ceil(bytes.length / DATAGRAM) }, (_, i) =>
    bytes.subarray(i * DATAGRAM, (i + 1) * DATAGRAM),
  );
  return Buffer.concat(datagrams.filter((_datagram, i) => i === 0 || random() > 1 / 30));
}

/** A recording in whose middle the packets are all there, and pictures hold what was never sent. */
function overwritten(bytes: Buffer): Buffer {
  const damaged = Buffer.from(bytes);
  const packets = Math.floor(bytes.length / PACKET);
  for (let n = Math.floor(packets * 0.4); n < packets * 0.5; n += 1) {
    const at = n * PACKET;
    const isPictureAmid = damaged.readUInt16BE(at + 1) === 0x100 && (damaged[at + 3]! & 0x30) === 0x10;
    if (isPictureAmid && n % 3 === 0) damaged.fill(0xff, at + 40, at + 90);
  }
  return damaged;
}

async function add(name: string, damage: (bytes: Buffer) => Buffer) {
  const path = await stage.recordings.simulated(`${name}.ts`, { seconds: SECONDS });
  await writeFile(path, damage(await readFile(path)));
  return stage.api.addRecorded({ name }, { EO: path });
}

beforeAll(async () => {
  ({ page } = await stage.signedIn());
});

describe('a recording with damage', () => {
  it('that lost packets is played to its end', { tags: 'long' }, () => playsToItsEnd('that-lost-packets', lossy));
  it('whose pictures cannot all be decoded is played to its end', { tags: 'long' }, () =>
    playsToItsEnd('whose-pictures-cannot-be-decoded', overwritten),
  );
});

async function playsToItsEnd(name: string, damage: (bytes: Buffer) => Buffer): Promise<void> {
  const mission = await add(name, damage);
  await page.goto(`/missions?mission=${mission._id}`);
  const view = page.getByRole('region', { name: `Mission ${mission.name}` });
  const player = view.getByRole('region', { name: 'Player EO' });
  await expect.poll(() => player.getAttribute('data-frame-time-us')).not.toBeNull();

  await view.getByRole('button', { name: 'Play', exact: true }).click();

  await expect
    .poll(async () => Number(await player.getAttribute('data-frame-time-us')))
    .toBeGreaterThan(END_US - 500_000);
  expect(await player.getByRole('alert').count()).toBe(0);
}
