/** Enters or leaves full screen. A refusal (not by a click, or not allowed here) leaves the page as it is. */
export function toggleFullScreen(element: HTMLElement | null): void {
  if (document.fullscreenElement) leaveFullScreen();
  else element?.requestFullscreen().catch(() => undefined);
}

/** Before something is shown that the full screen would hide. */
export function leaveFullScreen(): void {
  if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined);
}

/** The frame around the player of a sensor. */
export const playerOf = (view: HTMLElement | null, sensorId: string | null): HTMLElement | null =>
  view?.querySelector<HTMLElement>(`section[data-sensor-id="${sensorId}"]`) ?? null;
