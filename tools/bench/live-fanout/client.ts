/** Where and as whom somebody watches; `seam`: the step of the stream's times where its file begins anew. */
export type Visit = { address: string; sensorId: string; headers: Record<string, string>; seam: number };

export type Client = {
  pictures: () => number;
  /** What did not come between the first picture and now. @throws where it broke off */
  missed: () => number;
  close: () => Promise<void>;
};
