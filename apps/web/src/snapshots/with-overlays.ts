import { type DrawnOver, jpegOf } from './capture.ts';

/** Maximum length of a picture's data URL, so that two fit into one request. */
const LENGTH_MAX = 4 * 1024 * 1024;
const SVG = 'http://www.w3.org/2000/svg';

/**
 * Draws the overlays over the picture in its own resolution and returns it as data URL of a JPEG.
 *
 * @throws Error if the browser cannot draw it
 */
export async function withOverlays({ frame, rect, targets, shapes }: DrawnOver): Promise<string> {
  const context = frame.getContext('2d');
  const [width, height] = [frame.width, frame.height];
  if (context === null || rect.width === 0) throw new Error('no picture to draw on');
  const picture = document.createElement('canvas');
  Object.assign(picture, { width, height });
  const drawing = picture.getContext('2d');
  drawing?.drawImage(frame, 0, 0);
  if (targets !== null) {
    // The canvas covers the whole player, of which the picture is only a part.
    const density = targets.width / (rect.left * 2 + rect.width);
    const [x, y, wide, high] = [rect.left, rect.top, rect.width, rect.height].map((px) => px * density);
    drawing?.drawImage(targets, x ?? 0, y ?? 0, wide ?? 0, high ?? 0, 0, 0, width, height);
  }
  if (shapes !== null) drawing?.drawImage(await imageOf(shapes, rect, { width, height }), 0, 0, width, height);
  const url = jpegOf({ source: picture, width, height }, LENGTH_MAX);
  if (url === null) throw new Error('the picture is too large');
  return url;
}

async function imageOf(
  shapes: SVGSVGElement,
  rect: DrawnOver['rect'],
  { width, height }: { width: number; height: number },
): Promise<HTMLImageElement> {
  const sized = shapes.cloneNode(true) as SVGSVGElement;
  sized.removeAttribute('style');
  const viewBox = [rect.left, rect.top, rect.width, rect.height].join(' ');
  for (const [name, value] of Object.entries({ xmlns: SVG, viewBox, width, height })) {
    sized.setAttribute(name, String(value));
  }
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(sized))}`;
  await image.decode();
  return image;
}
