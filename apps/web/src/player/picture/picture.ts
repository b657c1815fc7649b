/** Position of the picture inside its element when fitted without cropping (object-fit: contain), in pixels. */
export type PictureRect = { left: number; top: number; width: number; height: number };

type Size = { width: number; height: number };

export function pictureRect(element: Size, picture: Size): PictureRect {
  if (picture.width <= 0 || picture.height <= 0) return { left: 0, top: 0, ...element };
  const scale = Math.min(element.width / picture.width, element.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  return { left: (element.width - width) / 2, top: (element.height - height) / 2, width, height };
}

/** Converts a position in the element to shares of the picture from 0 to 1; null outside of it. */
export function inPicture(rect: PictureRect, x: number, y: number): { x: number; y: number } | null {
  const share = { x: (x - rect.left) / rect.width, y: (y - rect.top) / rect.height };
  return share.x >= 0 && share.x <= 1 && share.y >= 0 && share.y <= 1 ? share : null;
}
