type Picture = { time: number; url: string };

/** Maximum distance of a picture from the moment that it can represent, in microseconds. */
const FAR_US = 15_000_000;

/** Returns the last picture at or before the moment, else the first after it; null if neither is near. */
export function nearestPicture(pictures: readonly Picture[], timeUs: number): Picture | null {
  let before: Picture | null = null;
  let after: Picture | null = null;
  for (const picture of pictures) {
    if (picture.time <= timeUs && (!before || picture.time > before.time)) before = picture;
    if (picture.time > timeUs && (!after || picture.time < after.time)) after = picture;
  }
  const best = before && timeUs - before.time <= FAR_US ? before : after;
  return best && Math.abs(best.time - timeUs) <= FAR_US ? best : null;
}
