import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { PlatformsConfigResult } from '@osprey/contract';
import { apiOf } from './api.ts';

/** Returns a free UDP port of this machine. */
export async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}

/** Configuration of a platform with one sensor, which listens on a UDP port of this machine. */
export const oneSensorConfig = (port: number) => `platforms:
  - name: OSP-21
    type: Plane
    color: '#22C7E6'
    securityClassification: UNCLASSIFIED
    audience: everyone
    autostart: true
    sensors:
      - { name: EO, url: 'udp://127.0.0.1:${port}' }
`;

/**
 * Configuration of a plane with two sensors and a vehicle of a higher label with one, which listen on UDP ports of this
 * machine.
 */
export const twoPlatformsConfig = ([eo, ir, front]: readonly number[]) => `platforms:
  - name: OSP-21
    description: Search west of Kea
    color: "#22c7e6"
    securityClassification: UNCLASSIFIED
    audience: everyone
    autostart: true
    sensors:
      - { name: EO, url: "udp://127.0.0.1:${eo}", from: [127.0.0.1] }
      - { name: IR, url: "udp://127.0.0.1:${ir}", from: [127.0.0.1] }
  - name: ROV-2
    type: ROV
    description: Cable inspection
    color: "#f59e6b"
    securityClassification: RESTRICTED
    audience: everyone
    autostart: true
    sensors:
      - { name: Front, url: "udp://127.0.0.1:${front}", from: [127.0.0.1] }
`;

/** Replaces all platforms by those of a platforms.yml. */
export async function uploadPlatforms(address: string, yaml: string): Promise<void> {
  const form = new FormData();
  form.append('platforms', new Blob([yaml]), 'platforms.yml');
  const result = await apiOf(address).sendForm<PlatformsConfigResult>('upload/platformsConfig', form);
  if (!result.valid) throw new Error(`platforms.yml: ${JSON.stringify(result)}`);
}
