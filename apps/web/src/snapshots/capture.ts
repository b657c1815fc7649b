/** JPEG quality of the picture that is sent (specification 2, section 9). */
const QUALITY = 0.8;
/** The body of the call holds 12 MiB: a larger picture is sent smaller. */
const DATA_URL_MAX = 10 * 1024 * 1024;
const SHRINK = 0.7;

/** The player of a sensor marks itself with the sensor's id. */
const videoOf = (sensorId: string): HTMLVideoElement | null =>
  document.querySelector<HTMLVideoElement>(`[data-sensor-id="${CSS.escape(sensorId)}"] video`);

/** The picture of a sensor's player, as data URL of a JPEG; null if it shows none. */
export function pictureOnScreen(sensorId: string): string | null {
  const video = videoOf(sensorId);
  if (video === null || video.videoWidth === 0 || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return null;
  const canvas = document.createElement('canvas');
  for (let share = 1; share > 0.1; share *= SHRINK) {
    canvas.width = Math.round(video.videoWidth * share);
    canvas.height = Math.round(video.videoHeight * share);
    const context = canvas.getContext('2d');
    if (context === null) return null;
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    const url = canvas.toDataURL('image/jpeg', QUALITY);
    if (url.length <= DATA_URL_MAX) return url;
  }
  return null;
}
