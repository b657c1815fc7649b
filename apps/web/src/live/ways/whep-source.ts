import { AppError, closeWhep, getInfo, type Info, openWhep } from '@osprey/contract';
import type { Api } from '../../api/api.ts';
import { isCode } from '../../base/transport-error.ts';
import { texts } from '../texts.ts';
import { LIVE_ONLY, type LiveSource, type SourceDeps } from './live-source.ts';

/** Addresses of this machine are known at once, those from STUN and TURN servers soon; others are not waited for. ms */
const GATHER_MS = 1000;

/** A connection that brings no picture for this long falls to the next way: something on the path lets no UDP through. ms */
const CONNECT_MS = 8000;

/** Pictures wait this long at least, so that one that comes late still has its turn. ms */
const JITTER_MS = 80;

type IceServer = NonNullable<Info['iceServers']>[number];
type Options = SourceDeps & { api: Api };

/** WebRTC by WHEP: an offer to receive, an answer, and the pictures come. */
export function openWhepSource({ api, video, sensorId, onConnected, onProblem }: Options): LiveSource {
  const connection = new RTCPeerConnection();
  let session: string | null = null;
  let ended = false;

  connection.addTransceiver('video', { direction: 'recvonly' });
  connection.ontrack = ({ receiver, streams, track }) => {
    // Well within the half second that is the goal; with less, pictures that come in a bunch push each other off the screen.
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
    // Asked each time: passwords of TURN servers are good for some minutes.
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

  /** The server hears of it first: a session whose connection is gone it has ended already. */
  async function leave() {
    if (session !== null) {
      await api
        .call(closeWhep, { params: { sensor: sensorId, session } }, { keepalive: true })
        // A failed request needs no answer: the server notices by itself when a viewer is gone.
        .catch(() => undefined);
    }
    connection.close();
  }

  open().catch((error: unknown) => {
    if (ended) return;
    if (isCode(error, 'liveStarting')) return onProblem({ kind: 'starting' });
    // Where the sensor itself is gone the next way finds that too.
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

/** A key that is there without a value would be refused. */
const plain = ({ urls, username, credential }: IceServer): RTCIceServer =>
  username === undefined || credential === undefined ? { urls } : { urls, username, credential };

const unreachable = () => ({ kind: 'impossible' as const, reason: texts.impossible.network });

/** Takes the session id from the end of the address that the server gave the session. */
const sessionOf = (location: string | null) => location?.split('/').at(-1) ?? null;

function gathered(connection: RTCPeerConnection): Promise<void> {
  if (connection.iceGatheringState === 'complete') return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, GATHER_MS);
    connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && done();
  });
}
