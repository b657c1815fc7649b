export type Size = { width: number; height: number };
export type Place = { left: number; top: number };
export type Box = Size & Place;

/**
 * Distance between the card and its target, in px; the following ones are minimum distances from the edges of the
 * window. The label bar is at the upper edge.
 */
const GAP = 12;
const EDGE = 8;
const UPPER_EDGE = 32;

/**
 * Returns the position of a card next to its target: on the first side with enough room, else inside the target at the
 * bottom right, in CSS px.
 */
export function placeNextTo(target: Box, card: Size, view: Size): Place {
  const right = target.left + target.width;
  const bottom = target.top + target.height;
  const middle = target.top + (target.height - card.height) / 2;
  const furthest = { left: view.width - card.width - EDGE, top: view.height - card.height - EDGE };
  const hasRoomAcross = ({ left }: Place) => left >= EDGE && left <= furthest.left;
  const hasRoomDown = ({ top }: Place) => top >= UPPER_EDGE && top <= furthest.top;
  const beside = [
    { left: right + GAP, top: middle },
    { left: target.left - GAP - card.width, top: middle },
  ].find((place) => hasRoomAcross(place) && hasRoomDown(place));
  const near = [
    { left: target.left, top: bottom + GAP },
    { left: target.left, top: target.top - GAP - card.height },
  ].find(hasRoomDown);
  const { left, top } = beside ?? near ?? { left: right - GAP - card.width, top: bottom - GAP - card.height };
  return {
    left: Math.round(Math.max(EDGE, Math.min(left, furthest.left))),
    top: Math.round(Math.max(UPPER_EDGE, Math.min(top, furthest.top))),
  };
}
