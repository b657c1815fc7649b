/** One picture that follows the clock, or leads it. */
export type ClockMember = {
  id: string;
  covers(timeUs: number): boolean;
  /** The first moment at or after this one that it has; null behind its last. */
  nextCovered(timeUs: number): number | null;
  /** The last moment at or before this one that it has; null before its first. */
  lastCovered(timeUs: number): number | null;
  /** What it plays at this instant, between frames too; null while it has no picture. */
  nowUs(): number | null;
  /** It stands at the moment asked for and can play on. */
  isReady(): boolean;
  /** Pauses at the last frame at or before this moment. */
  show(timeUs: number): void;
  play(rate: number): void;
  pause(): void;
  /** Pauses, and says that it has nothing of the clock's moment: what is on screen may be of behind the gap already. */
  miss(): void;
  /** One frame on or back; the UTC of the frame then shown, null when there is none. */
  step(direction: 1 | -1): Promise<number | null>;
};

export type ClockState = {
  /** What the user wants, also while pictures are still being fetched. */
  playing: boolean;
  /** Waiting for pictures after a seek. */
  settling: boolean;
  speed: number;
  leader: string | null;
  /** Somebody let it lead; it is not just the first that came. */
  chosen?: boolean;
  startUs: number;
  endUs: number;
};
