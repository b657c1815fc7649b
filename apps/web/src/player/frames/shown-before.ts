const shown = new WeakMap<HTMLVideoElement, number>();

/**
 * Stores the media time of the picture shown by an element before its player is loaded, since that picture is announced
 * only once.
 */
export const keepShown = (video: HTMLVideoElement, mediaTime: number): void => void shown.set(video, mediaTime);

/**
 * Returns and removes the media time of the picture already on screen; null if there is none, or it was taken before.
 */
export function takeShown(video: HTMLVideoElement): number | null {
  const mediaTime = shown.get(video) ?? null;
  shown.delete(video);
  return mediaTime;
}
