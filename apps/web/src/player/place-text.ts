import { fill } from '../base/format.ts';
import { formatPlace } from '../base/units.ts';
import type { ShownFrame } from '../onscreen/frames.ts';
import { texts } from './texts.ts';

/**
 * Text with the place of the picture's centre, or that there is no telemetry; empty if the telemetry lacks the place.
 */
export function placeText({ record, footprint, values }: Pick<ShownFrame, 'record' | 'footprint' | 'values'>): string {
  if (!record) return texts.noTelemetry;
  if (footprint) return fill(texts.frame, { place: formatPlace(footprint.centre) });
  const [lat, lon] = [values['23'], values['24']];
  return typeof lat === 'number' && typeof lon === 'number'
    ? fill(texts.frame, { place: formatPlace({ lat, lon }) })
    : '';
}
