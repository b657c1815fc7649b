const shown = new WeakMap<HTMLVideoElement, number>();

/**
 * Keeps the media time of the picture that an element shows before its player has come: that one is announced once
 * only.
 */
export const keepShown = (video: HTMLVideoElement, mediaTime: number): void => void shown.set(video, mediaTime);

/** The media time of the picture that is already on screen; null if there is none, or it was taken before. */
export function takeShown(video: HTMLVideoElement): number | null {
  const mediaTime = shown.get(video) ?? null;
  shown.delete(video);
  return mediaTime;
}
