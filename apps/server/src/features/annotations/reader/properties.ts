import { FEATURE_TEXT_MAX, FEATURE_TITLE_MAX, type FeatureProperties, STROKE_WIDTH_MAX } from '@osprey/contract';
import { colourOf } from '../../../base/formats/colours.ts';
import { numberOf } from '../../../base/formats/numbers.ts';

type Json = Readonly<Record<string, unknown>>;

/** Property names used for a title and for a text; the first one present is used. */
const TITLES = ['featureTitle', 'title', 'name', 'Name', 'NAME'] as const;
const TEXTS = ['popupContent', 'description', 'desc', 'Description', 'cmt'] as const;
/** Property names used by this server and by simplestyle (simplestyle-spec 1.1). */
const STROKES = ['stroke', 'marker-color', 'color'] as const;
const FILLS = ['fill-color', 'fill'] as const;
const STYLES = new Set<string>([
  ...[...STROKES, ...FILLS, ...TITLES, ...TEXTS],
  ...['stroke-width', 'stroke-opacity', 'fill-opacity', 'marker-symbol', 'marker-size', 'styleUrl', 'visibility'],
]);
/** Maximum number of attributes shown in the popup. */
const ATTRIBUTES_MAX = 50;

const own = (raw: Json, name: string): unknown => (Object.hasOwn(raw, name) ? raw[name] : undefined);

/**
 * Converts the properties of a feature to style, title and text. Texts are kept unchanged and invalid styles are
 * dropped; other attributes become the text if there is none.
 */
export function propertiesOf(raw: unknown): FeatureProperties {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return {};
  const all = raw as Json;
  const title = firstText(all, TITLES);
  const text = firstText(all, TEXTS) ?? attributesText(all);
  const stroke = firstColour(all, STROKES);
  const fill = firstColour(all, FILLS);
  const width = numberIn(all, 'stroke-width', 1, STROKE_WIDTH_MAX);
  const [opacity, fillOpacity] = [numberIn(all, 'stroke-opacity', 0, 1), numberIn(all, 'fill-opacity', 0, 1)];
  const long = title !== null && title.length > FEATURE_TITLE_MAX;
  const whole = [long ? title : null, text].filter((one) => one !== null && one !== '').join('\n');
  return {
    ...(title !== null && title !== '' && { featureTitle: title.slice(0, FEATURE_TITLE_MAX) }),
    ...(whole !== '' && { popupContent: whole.slice(0, FEATURE_TEXT_MAX) }),
    ...(stroke !== null && { stroke }),
    ...(width !== null && { 'stroke-width': width }),
    ...(opacity !== null && { 'stroke-opacity': opacity }),
    ...(fill !== null && { 'fill-color': fill }),
    ...(fillOpacity !== null && { 'fill-opacity': fillOpacity }),
  };
}

function firstText(all: Json, names: readonly string[]): string | null {
  for (const name of names) {
    const value = own(all, name);
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return null;
}

function attributesText(all: Json): string | null {
  // The file was exported by this server: the other properties are fields of the annotation, not text of its shapes.
  if (typeof own(all, 'annotationId') === 'string') return null;
  const lines = Object.entries(all)
    .filter(
      ([name, value]) => !STYLES.has(name) && ['string', 'number', 'boolean'].includes(typeof value) && value !== '',
    )
    .slice(0, ATTRIBUTES_MAX)
    .map(([name, value]) => `${name}: ${value}`);
  return lines.length === 0 ? null : lines.join('\n');
}

function firstColour(all: Json, names: readonly string[]): string | null {
  for (const name of names) {
    const value = own(all, name);
    const colour = typeof value === 'string' ? colourOf(value) : null;
    if (colour !== null) return colour;
  }
  return null;
}

function numberIn(all: Json, name: string, least: number, most: number): number | null {
  const value = own(all, name);
  const number = typeof value === 'number' ? value : typeof value === 'string' ? numberOf(value) : null;
  return number !== null && Number.isFinite(number) ? Math.min(most, Math.max(least, number)) : null;
}
