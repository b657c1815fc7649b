/** Where and by which account a sensor is watched; `seam`: the step of the stream's times where its file restarts. */
export type Visit = { address: string; sensorId: string; headers: Record<string, string>; seam: number };

export type Client = {
  pictures: () => number;
  /** Missing pictures between the first one and now. @throws if it broke off */
  missed: () => number;
  close: () => Promise<void>;
};
