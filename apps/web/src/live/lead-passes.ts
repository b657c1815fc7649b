import type { Watched } from './watched.ts';

/** How long the leading stream may be without pictures before another one leads. */
export const LOST_LIMIT_MS = 5000;

type State = {
  watched: readonly Watched[];
  leader: string | null;
  /** The user chose the leader although it was lost: it leads until it was back once. */
  chosenLost: boolean;
  /** How long the leader has been lost, as far as this page knows; it may be longer by the server. */
  lostForMs: number;
  hasPicture: (sensorId: string) => boolean;
};

const isSending = ({ sensor }: Watched) => sensor.on && sensor.state === 'online';

/** The sensor that leads in place of a lost leader; 'none' if no stream has a picture, null while the leader may lead. */
export function leaderAfterLoss({
  watched,
  leader,
  chosenLost,
  lostForMs,
  hasPicture,
}: State): Watched | 'none' | null {
  const led = watched.find(({ sensor }) => sensor._id === leader);
  if (!led || isSending(led) || lostForMs < LOST_LIMIT_MS) return null;
  const other = watched.find((one) => one !== led && isSending(one) && hasPicture(one.sensor._id));
  if (other) return chosenLost ? null : other;
  return watched.some((one) => one !== led && isSending(one)) ? null : 'none';
}

export const isLost = (led: Watched | undefined): boolean => led !== undefined && !isSending(led);
