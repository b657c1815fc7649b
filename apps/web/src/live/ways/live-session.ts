import type { LiveSocketAsk, LiveSocketMessage, VideoMode } from '@osprey/contract';
import type { Api } from '../../api/api.ts';
import { openLiveHls } from './hls-live.ts';
import { openLiveSocket } from './live-socket.ts';
import type { LiveSource, SourceDeps } from './live-source.ts';
import { createMseSource, type MseSource } from './mse-source.ts';
import { openWhepSource } from './whep-source.ts';

type Options = SourceDeps & {
  api: Api;
  mode: VideoMode;
  /** For HLS with rewind: delay in seconds at which playback begins. */
  behindS: number;
  /** Whether the picture is paused, so that new pictures are not shown. */
  isPaused: () => boolean;
  onMessage: (message: LiveSocketMessage) => void;
  /** Called when a picture with this PTS has arrived, whether it is shown or not. */
  onArrived: (ticks: number) => void;
};

export type LiveSession = { source: LiveSource; ask: (question: LiveSocketAsk) => void; end: () => void };

/** Opens the pictures of a live sensor in one mode, and its telemetry, which is sent over the socket in every mode. */
export function openLiveSession(options: Options): LiveSession {
  const { api, sensorId, mode } = options;
  const mse = mode === 'lowLatency' ? createMseSource(options) : null;
  const source = mse ?? openOther(options);
  const socket = openLiveSocket({
    api,
    sensorId,
    video: mse !== null,
    onMessage(message) {
      if (message.kind === 'video') {
        mse?.begin(message);
        options.onConnected();
      }
      options.onMessage(message);
    },
    onMedia(bytes) {
      if (mse === null || options.isPaused()) return;
      mse.append(bytes);
      reportEdge(mse, options.onArrived);
    },
    onLost: () => mse && options.onProblem({ kind: 'lost' }),
  });
  return {
    source,
    ask: socket.ask,
    end() {
      socket.end();
      source.end();
    },
  };
}

function openOther(options: Options): LiveSource {
  if (options.mode === 'webRtc') return openWhepSource(options);
  return openLiveHls({ ...options, mode: options.mode === 'highQuality' ? 'll' : 'dvr' });
}

function reportEdge(mse: MseSource, onArrived: (ticks: number) => void) {
  const mediaTime = mse.edge();
  const ticks = mediaTime === null ? null : mse.ticksOf({ mediaTime, rtpTicks: null });
  if (ticks !== null) onArrived(ticks);
}
