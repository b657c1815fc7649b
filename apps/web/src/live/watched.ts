import type { LivePlatform, LiveSensor } from '@osprey/contract';

/** A sensor that can be watched, with the platform that carries it. */
export type Watched = { platform: LivePlatform; sensor: LiveSensor };

const isVideo = ({ sensor }: Watched) => sensor.type === 'video';

/** Returns all video sensors, in the order of their platforms. */
export const videosOf = (platforms: readonly LivePlatform[]): Watched[] =>
  platforms.flatMap((platform) => platform.sensors.map((sensor) => ({ platform, sensor }))).filter(isVideo);

/**
 * Returns the sensors to show, at most `most`: the selected ones or, if none is selected, those that are sending, and
 * those that were just lost, whose last picture stays.
 */
export function watchedOf(platforms: readonly LivePlatform[], chosen: ReadonlySet<string>, most: number): Watched[] {
  const videos = videosOf(platforms);
  if (chosen.size > 0) return videos.filter(({ sensor }) => chosen.has(sensor._id)).slice(0, most);
  return videos.filter(({ sensor }) => sensor.state === 'online' || sensor.state === 'lost').slice(0, most);
}
