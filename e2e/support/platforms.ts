import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { PlatformsConfigResult } from '@osprey/contract';
import { ADMIN } from './server.ts';

/** A UDP port of this machine that nobody uses now. */
export async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}

/** A platform whose one sensor listens at a UDP port of this machine. */
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

/** Takes a platforms.yml in place of all platforms. */
export async function uploadPlatforms(address: string, yaml: string): Promise<void> {
  const form = new FormData();
  form.append('platforms', new Blob([yaml]), 'platforms.yml');
  const authorization = `Basic ${Buffer.from(`${ADMIN.username}:${ADMIN.password}`).toString('base64')}`;
  const response = await fetch(`${address}/api/upload/platformsConfig`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  });
  const text = await response.text();
  const result = JSON.parse(text) as PlatformsConfigResult;
  if (!response.ok || !result.valid) throw new Error(`platforms.yml: ${response.status} ${text}`);
}
