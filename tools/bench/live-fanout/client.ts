/**
 * Address, sensor and account headers for watching; `seam` is the step in the stream's times at which its file
 * restarts.
 */
export type Visit = { address: string; sensorId: string; headers: Record<string, string>; seam: number };

export type Client = {
  pictures: () => number;
  /** Returns the number of pictures missing between the first one and now. @throws if the client broke off */
  missed: () => number;
  close: () => Promise<void>;
};
