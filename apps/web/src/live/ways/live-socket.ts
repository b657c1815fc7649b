import {
  createTicket,
  LIVE_SOCKET_PATH,
  type LiveSocketAsk,
  type LiveSocketMessage,
  liveSocketMessage,
} from '@osprey/contract';
import type { Api } from '../../api/api.ts';
import { waitMs } from '../../events/connection.ts';

type Options = {
  api: Api;
  sensorId: string;
  /** Whether pictures are sent as well, and not only telemetry. */
  video: boolean;
  onMessage: (message: LiveSocketMessage) => void;
  /** Called with an initialization segment or a fragment. */
  onMedia?: (bytes: ArrayBuffer) => void;
  /** Called when the connection was lost; it is reopened automatically. */
  onLost?: () => void;
};

const addressOf = () => `${location.origin.replace(/^http/, 'ws')}${LIVE_SOCKET_PATH}`;

export type LiveSocket = {
  /** Sends a request. While a connection is being made, the latest request waits for it. */
  ask: (question: LiveSocketAsk) => void;
  end: () => void;
};

/** Opens the socket of one live sensor, which reconnects automatically with a new ticket. */
export function openLiveSocket({ api, sensorId, video, onMessage, onMedia, onLost }: Options): LiveSocket {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let attempt = 0;
  let ended = false;
  let waiting: LiveSocketAsk | null = null;

  function retry() {
    if (ended || timer !== null) return;
    onLost?.();
    timer = setTimeout(
      () => {
        timer = null;
        void connect();
      },
      waitMs(attempt, Math.random),
    );
    attempt += 1;
  }

  async function connect() {
    try {
      const { ticket } = await api.call(createTicket, {});
      if (!ended) open(ticket);
    } catch {
      retry();
    }
  }

  function open(ticket: string) {
    const opened = new WebSocket(addressOf());
    socket = opened;
    opened.binaryType = 'arraybuffer';
    opened.onopen = () => {
      opened.send(JSON.stringify({ ticket, sensor: sensorId, video }));
      if (waiting) opened.send(JSON.stringify(waiting));
      waiting = null;
    };
    opened.onclose = retry;
    opened.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (ended) return;
      attempt = 0;
      if (typeof data !== 'string') return onMedia?.(data);
      const message = liveSocketMessage.safeParse(JSON.parse(data));
      if (message.success) onMessage(message.data);
    };
  }

  void connect();
  return {
    ask(question) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(question));
      else waiting = question;
    },
    end() {
      ended = true;
      if (timer !== null) clearTimeout(timer);
      if (socket) socket.onclose = null;
      socket?.close();
    },
  };
}
