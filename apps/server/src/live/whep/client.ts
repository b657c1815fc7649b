import { type FromGateway, fromGateway, type ToGateway } from '../../gateway/protocol.ts';
import { localSocket } from '../../recorder-wire/local-socket.ts';
import { jsonMessage } from '../../recorder-wire/messages.ts';

export type SessionHandlers = {
  /** Called with the number of bytes sent since the session began. */
  sent: (bytes: number) => void;
  ended: () => void;
};

/** The gateway's reply to an offer; `reason` is null if there is no picture or no gateway now. */
export type Opening = { answer: string } | { reason: string | null };

export type GatewayClient = {
  open: (
    requested: { session: string; sensorId: string; offer: string },
    handlers: SessionHandlers,
  ) => Promise<Opening>;
  closeSession: (session: string) => void;
  close: () => void;
};

type Known = SessionHandlers & { opening: ((opening: Opening) => void) | null };

/** The api's side of the gateway's socket; it connects and reconnects automatically. */
export function gatewayClient({ path, log }: { path: string; log: { warn: (f: object, t: string) => void } }) {
  const sessions = new Map<string, Known>();
  let isConnected = false;

  function handle(message: FromGateway): void {
    const existing = sessions.get(message.session);
    if (existing === undefined) return;
    if (message.kind === 'sent') existing.sent(message.bytes);
    if (message.kind === 'opened') {
      existing.opening?.({ answer: message.answer });
      existing.opening = null;
    }
    if (message.kind !== 'ended' && message.kind !== 'refused') return;
    sessions.delete(message.session);
    if (existing.opening) existing.opening({ reason: message.kind === 'refused' ? message.reason : null });
    else existing.ended();
  }

  function notify(message: ToGateway): void {
    if (isConnected) socket.write(jsonMessage(message));
  }

  const socket = localSocket(path, {
    onConnect() {
      isConnected = true;
    },
    onPayload: (_kind, payload) => handle(fromGateway.parse(JSON.parse(payload.toString('utf8')))),
    onClose() {
      isConnected = false;
      for (const session of [...sessions.keys()]) handle({ kind: 'ended', session });
    },
    onCut: (error) => log.warn({ error }, 'the gateway said what nobody understands'),
  });
  const client: GatewayClient = {
    open(requested, handlers) {
      if (!isConnected) return Promise.resolve({ reason: null });
      return new Promise((opening) => {
        sessions.set(requested.session, { ...handlers, opening });
        notify({ kind: 'open', ...requested });
      });
    },
    closeSession: (session) => notify({ kind: 'close', session }),
    close: socket.close,
  };
  return client;
}
