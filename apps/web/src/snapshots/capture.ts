import { type PictureRect, pictureRect } from '../player/picture/picture.ts';

/** JPEG quality of the uploaded picture (specification 2, section 9). */
const QUALITY = 0.8;
/** Maximum length of a picture's data URL; larger pictures are scaled down, since a request body may have 12 MiB. */
const DATA_URL_MAX = 7 * 1024 * 1024;
const SHRINK = 0.7;

/** Returns the video element of a sensor's player, which is marked with the sensor's id. */
const videoOf = (sensorId: string): HTMLVideoElement | null =>
  document.querySelector<HTMLVideoElement>(`[data-sensor-id="${CSS.escape(sensorId)}"] video`);

/** A picture together with the overlays drawn by the page, captured at one moment. */
export type DrawnOver = {
  frame: HTMLCanvasElement;
  /** Position of the picture in its player, in CSS px. */
  rect: PictureRect;
  /** Moving targets, in the size of the player times the pixel density of the screen; null if there are none. */
  targets: HTMLCanvasElement | null;
  /** Ships and annotations; null if nothing is drawn. */
  shapes: SVGSVGElement | null;
};

const videoWithPicture = (sensorId: string): HTMLVideoElement | null => {
  const video = videoOf(sensorId);
  const isShown = video !== null && video.videoWidth > 0 && video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
  return isShown ? video : null;
};

/** Returns the picture of a sensor's player as data URL of a JPEG; null if it shows none. */
export function pictureOnScreen(sensorId: string): string | null {
  const video = videoWithPicture(sensorId);
  return video && jpegOf({ source: video, width: video.videoWidth, height: video.videoHeight });
}

/**
 * Returns the picture of a sensor with its overlays; null if nothing is drawn over it. Both are copied immediately,
 * since playback may continue. Pointers of other users are not included.
 */
export function drawnOnScreen(sensorId: string): DrawnOver | null {
  const video = videoWithPicture(sensorId);
  const player = video?.closest(`[data-sensor-id]`);
  if (!video || !player) return null;
  const canvas = player.querySelector<HTMLCanvasElement>(':scope > canvas');
  const drawn = player.querySelector<SVGSVGElement>(':scope > svg');
  const targets = canvas !== null && canvas.width > 0 ? copyOf(canvas, canvas.width, canvas.height) : null;
  const shapes = drawn && (drawn.cloneNode(true) as SVGSVGElement);
  for (const pointer of shapes?.querySelectorAll('[data-pointer]') ?? []) pointer.remove();
  const hasShapes = shapes?.querySelector('path, text, circle, rect, line, polygon, polyline, ellipse, image, use');
  if (targets === null && !hasShapes) return null;
  const { clientWidth: width, clientHeight: height, videoWidth, videoHeight } = video;
  const rect = pictureRect({ width, height }, { width: videoWidth, height: videoHeight });
  return { frame: copyOf(video, videoWidth, videoHeight), rect, targets, shapes: hasShapes ? shapes : null };
}

function copyOf(source: HTMLVideoElement | HTMLCanvasElement, width: number, height: number): HTMLCanvasElement {
  const copy = document.createElement('canvas');
  Object.assign(copy, { width, height });
  copy.getContext('2d')?.drawImage(source, 0, 0, width, height);
  return copy;
}

type Source = { source: HTMLVideoElement | HTMLCanvasElement; width: number; height: number };

/** Returns a JPEG as data URL, scaled down if it has too many bytes for a request. */
export function jpegOf({ source, width, height }: Source, maxLength = DATA_URL_MAX): string | null {
  for (let share = 1; share > 0.1; share *= SHRINK) {
    const canvas = copyOf(source, Math.round(width * share), Math.round(height * share));
    const url = canvas.toDataURL('image/jpeg', QUALITY);
    if (url.length > 'data:,'.length && url.length <= maxLength) return url;
  }
  return null;
}
