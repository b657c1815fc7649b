/** Toggles the sound of a sensor's picture. The player is notified by the event `volumechange`. */
export function toggleSound(sensorId: string | null): void {
  const video = document.querySelector<HTMLVideoElement>(`section[data-sensor-id="${sensorId}"] video`);
  if (video) video.muted = !video.muted;
}
