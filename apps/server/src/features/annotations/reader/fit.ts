import {
  ANNOTATION_BYTES_MAX,
  ANNOTATION_FEATURES_MAX,
  ANNOTATION_VERTICES_MAX,
  type AnnotationFeature,
  type FeatureGeometry,
} from '@osprey/contract';
import { LEVEL_ZOOMS, simplifiedFeatures, verticesIn } from '../levels.ts';

/** Maximum bytes for the features; the rest of an annotation's JSON is reserved for its title and other fields. */
const FEATURES_BYTES = ANNOTATION_BYTES_MAX - 64 * 1024;
/** Map zooms at which all features are simplified together, finest first. */
const ZOOMS = [18, 17, 16, 15, ...LEVEL_ZOOMS.toReversed()];

const bytesOf = (features: readonly AnnotationFeature[]): number => Buffer.byteLength(JSON.stringify(features));

const fits = (features: readonly AnnotationFeature[]): boolean =>
  features.length <= ANNOTATION_FEATURES_MAX &&
  verticesIn(features) <= ANNOTATION_VERTICES_MAX &&
  bytesOf(features) <= FEATURES_BYTES;

/**
 * Splits features into as few annotations as necessary, in their order. A feature that is too large by itself is
 * simplified.
 */
export function inParts(features: readonly AnnotationFeature[]): AnnotationFeature[][] {
  if (features.length === 0) return [];
  if (fits(features)) return [[...features]];
  const parts: AnnotationFeature[][] = [];
  let part: AnnotationFeature[] = [];
  let [vertices, bytes] = [0, 0];
  for (const given of features) {
    const feature = fits([given]) ? given : simplified([given])[0];
    if (feature === undefined) continue;
    const [own, ownBytes] = [verticesIn([feature]), bytesOf([feature])];
    const isFull =
      part.length >= ANNOTATION_FEATURES_MAX ||
      vertices + own > ANNOTATION_VERTICES_MAX ||
      bytes + ownBytes > FEATURES_BYTES;
    if (isFull) {
      parts.push(part);
      part = [];
      [vertices, bytes] = [0, 0];
    }
    part.push(feature);
    vertices += own;
    bytes += ownBytes;
  }
  return [...parts, part];
}

/**
 * Simplifies features to the number of positions that one annotation may have; keeps at most the first thousand
 * features.
 */
export function simplified(features: readonly AnnotationFeature[]): AnnotationFeature[] {
  const retained = features.slice(0, ANNOTATION_FEATURES_MAX);
  if (fits(retained)) return retained;
  for (const zoom of ZOOMS) {
    const made = simplifiedFeatures(retained, zoom);
    if (fits(made)) return made;
  }
  return sampled(simplifiedFeatures(retained, 0));
}

/**
 * Keeps every n-th position. Used for geometry that no tolerance reduces enough, such as a line back and forth over
 * half the earth.
 */
function sampled(features: readonly AnnotationFeature[]): AnnotationFeature[] {
  for (let step = 2; step < 1_000_000; step *= 2) {
    const made = features.map(({ geometry, ...feature }) => ({
      ...feature,
      geometry: { ...geometry, coordinates: everyNth(geometry.coordinates, step) } as FeatureGeometry,
    }));
    if (fits(made)) return made;
  }
  return [];
}

type Coordinates = number[] | Coordinates[];

/** Rings keep four positions at least, and lines their ends. */
function everyNth(coordinates: Coordinates, step: number): Coordinates {
  const [first] = coordinates;
  if (typeof first === 'number' || first === undefined) return coordinates;
  if (typeof first[0] !== 'number') return (coordinates as Coordinates[]).map((part) => everyNth(part, step));
  const last = coordinates.length - 1;
  const within = Math.min(step, Math.max(1, Math.floor(last / 3)));
  return (coordinates as Coordinates[]).filter((_, index) => index % within === 0 || index === last);
}
