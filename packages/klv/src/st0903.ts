import type { Cursor } from './cursor.ts';
import { type CompositeReader, decodeSet, type Reading, type SetDefinition } from './local-set.ts';
import { readMiisId, readUuid } from './miis.ts';
import { series, setOf } from './series.ts';
import { isLegacy, legacyTags, readLegacyNumber } from './st0903-legacy.ts';
import {
  algorithmTags,
  ontologyTags,
  st0903Tags,
  vChipTags,
  vFeatureTags,
  vMaskTags,
  vObjectTags,
  vTargetTags,
  vTrackerTags,
} from './st0903-tags.ts';
import type { Value, Values } from './value.ts';

/** Lengths in bytes of the optional groups of a location or velocity pack. */
const SIGMA_BYTES = 6;
const RHO_BYTES = 6;

const algorithm: SetDefinition = { tags: algorithmTags, composites: {} };
const ontology: SetDefinition = { tags: ontologyTags, composites: {} };
const vFeature: SetDefinition = { tags: vFeatureTags, composites: {} };
const vChip: SetDefinition = { tags: vChipTags, composites: {} };
const vObject: SetDefinition = { tags: vObjectTags, composites: {} };

const vMask: SetDefinition = {
  tags: vMaskTags,
  composites: {
    1: series((cursor) => cursor.uint(cursor.left)),
    2: series(readPixelRun),
  },
};

type Range = { min: number; max: number };
/** Reads a number of a location or velocity pack; null for a special value. */
type NumberReader = (cursor: Cursor, bytes: number, range: Range) => number | null;
type Tables = { vmti: SetDefinition['tags']; target: SetDefinition['tags']; readNumber: NumberReader };

/** Definition for ST 0903.4 and later. */
const current = vmtiDefinition({
  vmti: st0903Tags,
  target: vTargetTags,
  readNumber: (cursor, bytes, { min, max }) => cursor.imapb(bytes, min, max),
});

/** Definition for ST 0903.3 and earlier. */
const legacy = vmtiDefinition({
  vmti: legacyTags(st0903Tags),
  target: legacyTags(vTargetTags),
  readNumber: readLegacyNumber,
});

/**
 * Decodes an ST 0903 VMTI local set of any version. The value of tag 101 is a list of targets, each `{ id, [tag]: value
 * }`. Pixel numbers (target tags 1 to 3) count from 1 row by row, and converting them needs the frame width in tag 8;
 * see `pixelOf`.
 */
export function decodeVmti(bytes: Uint8Array, range: { start: number; end: number }, reading: Reading): Values {
  const definition = isLegacy(bytes, range, reading.carried) ? legacy : current;
  return decodeSet(definition, bytes, range, reading);
}

function vmtiDefinition({ vmti, target, readNumber }: Tables): SetDefinition {
  const readLocation = locationReader(readNumber);
  const readVelocity = velocityReader(readNumber);
  const vTracker: SetDefinition = {
    tags: vTrackerTags,
    composites: {
      1: readUuid,
      5: series(readLocation),
      9: series(readLocation),
      10: readVelocity,
      11: readVelocity,
    },
  };
  const vTarget: SetDefinition = {
    tags: target,
    composites: {
      17: readLocation,
      18: series(readLocation),
      21: (cursor) => ({ row: cursor.uint(1), column: cursor.uint(1) }),
      101: setOf(() => vMask),
      102: setOf(() => vObject),
      103: setOf(() => vFeature),
      104: setOf(() => vTracker),
      105: setOf(() => vChip),
      106: series(setOf(() => vChip)),
      107: series(setOf(() => vObject)),
    },
  };
  return {
    tags: vmti,
    composites: {
      13: readMiisId,
      // No version of the standard nests this set in itself. Broken streams do, and the depth limit then ends the
      // recursion.
      74: ({ bytes, at, end }, reading) => decodeVmti(bytes, { start: at, end }, reading),
      101: series(targetReader(vTarget)),
      102: series(setOf(() => algorithm)),
      103: series(setOf(() => ontology)),
    },
  };
}

/**
 * Converts a pixel number (VTarget tags 1 to 3) into column and row, counted from 0 at the upper left, in a frame of
 * `frameWidth` pixels.
 */
export function pixelOf(pixelNumber: number, frameWidth: number): { x: number; y: number } {
  const index = pixelNumber - 1;
  return { x: index % frameWidth, y: Math.floor(index / frameWidth) };
}

/** ST 0903.5 section 9: reads the target id as BER-OID, then the items of the target. */
function targetReader(vTarget: SetDefinition): CompositeReader {
  return (cursor, reading) => {
    const id = cursor.berOid();
    return { id, ...decodeSet(vTarget, cursor.bytes, { start: cursor.at, end: cursor.end }, reading) };
  };
}

/** Reads a run of target pixels: the number of its first pixel (preceded by its length), then the number of pixels. */
function readPixelRun(cursor: Cursor): Value {
  const pixel = cursor.uint(cursor.berLength());
  return { pixel, length: cursor.berLength() };
}

/** ST 0903.5 section 9: reads a position, which may end after any of its three groups of values. */
function locationReader(readNumber: NumberReader): CompositeReader {
  return (cursor) => ({
    latitude: readNumber(cursor, 4, { min: -90, max: 90 }),
    longitude: readNumber(cursor, 4, { min: -180, max: 180 }),
    height: readNumber(cursor, 2, { min: -900, max: 19000 }),
    ...readAccuracy(cursor, readNumber),
  });
}

/** Reads a velocity in m/s or an acceleration in m/s². */
function velocityReader(readNumber: NumberReader): CompositeReader {
  return (cursor) => ({
    east: readNumber(cursor, 2, { min: -900, max: 900 }),
    north: readNumber(cursor, 2, { min: -900, max: 900 }),
    up: readNumber(cursor, 2, { min: -900, max: 900 }),
    ...readAccuracy(cursor, readNumber),
  });
}

/** Reads standard deviations and correlations, each group only if present. */
function readAccuracy(cursor: Cursor, readNumber: NumberReader): Values {
  const accuracy: Values = {};
  if (cursor.left < SIGMA_BYTES) return accuracy;
  for (const name of ['sigmaEast', 'sigmaNorth', 'sigmaUp'])
    accuracy[name] = readNumber(cursor, 2, { min: 0, max: 650 });
  if (cursor.left < RHO_BYTES) return accuracy;
  for (const name of ['rhoEastNorth', 'rhoEastUp', 'rhoNorthUp'])
    accuracy[name] = readNumber(cursor, 2, { min: -1, max: 1 });
  return accuracy;
}
