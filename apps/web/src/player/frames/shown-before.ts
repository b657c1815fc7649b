const shown = new WeakMap<HTMLVideoElement, number>();

/** Keeps the media time of the picture that an element shows before its player has come: that one is told once only. */
export const keepShown = (video: HTMLVideoElement, mediaTime: number): void => void shown.set(video, mediaTime);

/** The media time of what the element has on screen already; null where it shows nothing, or somebody was told before. */
export function takeShown(video: HTMLVideoElement): number | null {
  const mediaTime = shown.get(video) ?? null;
  shown.delete(video);
  return mediaTime;
}
