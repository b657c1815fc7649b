/** One picture that follows the clock, or leads it. */
export type ClockMember = {
  id: string;
  covers(timeUs: number): boolean;
  /** The first moment at or after this one that it has; null after its last. */
  nextCovered(timeUs: number): number | null;
  /** The last moment at or before this one that it has; null before its first. */
  lastCovered(timeUs: number): number | null;
  /** The moment that it plays at this instant, between frames too; null while it has no picture. */
  nowUs(): number | null;
  /** True if the member shows the requested moment and can play on. */
  isReady(): boolean;
  /** Pauses at the last frame at or before this moment. */
  show(timeUs: number): void;
  play(rate: number): void;
  pause(): void;
  /**
   * Pauses, and says that it has nothing of the clock's moment: the picture on screen may be from after the gap
   * already.
   */
  miss(): void;
  /** One frame on or back; the UTC of the frame then shown, null when there is none. */
  step(direction: 1 | -1): Promise<number | null>;
};

export type ClockState = {
  /** The user's choice, also while pictures are still being fetched. */
  playing: boolean;
  /** Waiting for pictures after a seek. */
  settling: boolean;
  speed: number;
  leader: string | null;
  /** True if the user chose the leading sensor; false if it leads as the first one that came. */
  chosen?: boolean;
  startUs: number;
  endUs: number;
};
