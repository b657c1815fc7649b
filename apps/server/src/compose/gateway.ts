import { isIPv4 } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from '../base/config/config.ts';
import { gatewayServer } from '../gateway/server.ts';
import type { Reach } from '../gateway/session.ts';
import { gatewaySessions } from '../gateway/sessions.ts';
import { recorderClient } from '../recorder-wire/client.ts';
import { gatewaySocket } from '../recorder-wire/socket-path.ts';

export type Gateway = { start: () => Promise<void>; close: () => Promise<void> };

/**
 * Composes the process that sends pictures to browsers over WebRTC. It receives them from the recorder and needs no
 * database.
 */
export function composeGateway({ config, log }: { config: Readonly<Config>; log: Logger }): Gateway {
  const recorder = recorderClient({
    dataDir: config.dataDir,
    onMessage: () => undefined,
    onMedia: (frame) => sessions.push(frame),
    log,
  });
  const sessions = gatewaySessions({ recorder, reach: reachOf(config), nowMs: () => performance.now(), log });
  const server = gatewayServer({ path: gatewaySocket(config.dataDir), sessions, log });
  return {
    start: server.listen,
    async close() {
      await server.close();
      recorder.close();
    },
  };
}

/**
 * Returns the ports and addresses at which browsers reach the gateway. A server that serves only its own machine opens
 * no port to others.
 */
export function reachOf({
  host,
  webRtcPorts,
  webRtcAddresses,
}: Pick<Config, 'host' | 'webRtcPorts' | 'webRtcAddresses'>): Reach {
  const own = host === 'localhost' ? '127.0.0.1' : host;
  if (webRtcAddresses.length > 0) return { ports: webRtcPorts, addresses: webRtcAddresses, only: null };
  if (!isIPv4(own) || own === '0.0.0.0') return { ports: webRtcPorts, addresses: [], only: null };
  return { ports: webRtcPorts, addresses: [own], only: own };
}
