/** A ship that a picture shows at this moment, or may show. */
export type ShipNow = {
  mmsi: number;
  name: string;
  sogKnots: number | null;
  cogDeg: number | null;
  sure: boolean;
  /** Half the longer axis of its 95 % ellipse, metres. */
  errorM: number;
  place: { lat: number; lon: number };
  /** The moving target of the video that it is, by its number. */
  target: number | null;
};

/** What is known of a picture: its ships, or why there are none. */
export type FrameShips = {
  state: 'reading' | 'failed' | 'noGround' | 'noReceiver' | 'known';
  ships: readonly ShipNow[];
  /** There are more ships around than were read. */
  cut: boolean;
};

const listeners = new Set<() => void>();
let bySensor: ReadonlyMap<string, FrameShips> = new Map();

/** Ships in the pictures of the page at this moment, by sensor; changes at most twice a second. */
export const inFrameNow = {
  get: () => bySensor,
  set(sensorId: string, ships: FrameShips | null): void {
    const next = new Map(bySensor);
    if (ships === null) next.delete(sensorId);
    else next.set(sensorId, ships);
    bySensor = next;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
