import { AppError, closeWhep, getInfo, type Info, openWhep } from '@osprey/contract';
import type { Api } from '../../api/api.ts';
import { isCode } from '../../base/transport-error.ts';
import { texts } from '../texts.ts';
import { LIVE_ONLY, type LiveSource, type SourceDeps } from './live-source.ts';

/**
 * Maximum time in milliseconds to gather ICE candidates. Addresses of this machine are known immediately, those from
 * STUN and TURN servers soon after; later ones are not waited for.
 */
const ICE_GATHERING_MS = 1000;

/**
 * Time in milliseconds without a connection after which the next mode is used, since something on the path probably
 * blocks UDP.
 */
const CONNECT_MS = 8000;

/** Minimum time in milliseconds that pictures wait in the jitter buffer, so that late packets can still be used. */
const JITTER_MS = 80;

type IceServer = NonNullable<Info['iceServers']>[number];
type Options = SourceDeps & { api: Api };

/**
 * Plays a live sensor over WebRTC with WHEP: sends an offer to receive, gets an answer, and then receives the pictures.
 */
export function openWhepSource({ api, video, sensorId, onConnected, onProblem }: Options): LiveSource {
  const connection = new RTCPeerConnection();
  let session: string | null = null;
  let ended = false;

  connection.addTransceiver('video', { direction: 'recvonly' });
  connection.ontrack = ({ receiver, streams, track }) => {
    // Well within the expected latency of half a second. With less, pictures that arrive in a burst would replace each
    // other before they are shown.
    if ('jitterBufferTarget' in receiver) receiver.jitterBufferTarget = JITTER_MS;
    video.srcObject = streams[0] ?? new MediaStream([track]);
    video.play().catch(() => undefined);
  };
  connection.onconnectionstatechange = () => {
    if (connection.connectionState === 'connected') {
      clearTimeout(timer);
      onConnected();
    }
    if (connection.connectionState === 'failed') onProblem(unreachable());
    if (connection.connectionState === 'disconnected') onProblem({ kind: 'lost' });
  };
  const timer = setTimeout(() => onProblem(unreachable()), CONNECT_MS);

  async function open() {
    // Requested each time, since the passwords of TURN servers are valid only for some minutes.
    const { iceServers = [] } = await api.call(getInfo, {});
    if (ended) return;
    connection.setConfiguration({ iceServers: iceServers.map(plain) });
    await connection.setLocalDescription();
    await gathered(connection);
    const sdp = connection.localDescription?.sdp ?? '';
    let location: string | null = null;
    const answer = await api.call(
      openWhep,
      { params: { sensor: sensorId }, body: sdp },
      {
        asText: true,
        onHeaders: (one) => (location = one.get('location')),
      },
    );
    session = sessionOf(location);
    if (ended) return leave();
    await connection.setRemoteDescription({ type: 'answer', sdp: String(answer) });
  }

  /**
   * Closes the session on the server before the connection: if the connection is closed first, the server has already
   * ended the session.
   */
  async function leave() {
    if (session !== null) {
      await api
        .call(closeWhep, { params: { sensor: sensorId, session } }, { keepalive: true })
        // A failure is ignored, since the server itself detects that a viewer has left.
        .catch(() => undefined);
    }
    connection.close();
  }

  open().catch((error: unknown) => {
    if (ended) return;
    if (isCode(error, 'liveStarting')) return onProblem({ kind: 'starting' });
    // If the sensor itself does not exist any more, the next mode will find the same.
    if (error instanceof AppError && error.status < 500) {
      return onProblem({ kind: 'impossible', reason: error.message });
    }
    onProblem({ kind: 'lost' });
  });

  return {
    ...LIVE_ONLY,
    ticksOf: ({ rtpTicks }) => rtpTicks,
    latencyMs: () => null,
    end() {
      ended = true;
      clearTimeout(timer);
      connection.onconnectionstatechange = null;
      connection.ontrack = null;
      video.srcObject = null;
      void leave();
    },
  };
}

/** Omits keys without a value, which RTCPeerConnection would reject. */
const plain = ({ urls, username, credential }: IceServer): RTCIceServer =>
  username === undefined || credential === undefined ? { urls } : { urls, username, credential };

const unreachable = () => ({ kind: 'impossible' as const, reason: texts.impossible.network });

/** Returns the session id, which is the last part of the address that the server assigned to the session. */
const sessionOf = (location: string | null) => location?.split('/').at(-1) ?? null;

function gathered(connection: RTCPeerConnection): Promise<void> {
  if (connection.iceGatheringState === 'complete') return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, ICE_GATHERING_MS);
    connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && done();
  });
}
