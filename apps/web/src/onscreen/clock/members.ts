/** A picture that follows the clock or leads it. */
export type ClockMember = {
  id: string;
  covers(timeUs: number): boolean;
  /** Returns the first recorded moment at or after this one; null after the last one. */
  nextCovered(timeUs: number): number | null;
  /** Returns the last recorded moment at or before this one; null before the first one. */
  lastCovered(timeUs: number): number | null;
  /** Returns the moment now being played, also between frames; null while there is no picture. */
  nowUs(): number | null;
  /** Returns true if the member shows the requested moment and can continue playing. */
  isReady(): boolean;
  /** Pauses at the last frame at or before this moment. */
  show(timeUs: number): void;
  play(rate: number): void;
  pause(): void;
  /**
   * Pauses and indicates that nothing is recorded at the clock's moment. The picture on screen may already be from
   * after the gap.
   */
  miss(): void;
  /** Steps one frame forwards or back. Resolves with the UTC time of the frame then shown; null if there is none. */
  step(direction: 1 | -1): Promise<number | null>;
};

export type ClockState = {
  /** Whether the user started playback, even while pictures are still being fetched. */
  playing: boolean;
  /** True while waiting for pictures after a seek. */
  settling: boolean;
  speed: number;
  leader: string | null;
  /** True if the user chose the leading sensor; false if it leads because it joined first. */
  chosen?: boolean;
  startUs: number;
  endUs: number;
};
