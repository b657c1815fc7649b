import { ByteWriter, byteCount } from './byte-writer.ts';
import { encodeMiisId, encodeUuid } from './encode-miis.ts';
import { encodeSet, expectObject, numberOf, type SetEncoding, seriesWriter, setWriter } from './encode-set.ts';
import { encodeImapb } from './imapb.ts';
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
import type { Value } from './value.ts';

const SIGMAS = ['sigmaEast', 'sigmaNorth', 'sigmaUp'] as const;
const RHOS = ['rhoEastNorth', 'rhoEastUp', 'rhoNorthUp'] as const;

const algorithm: SetEncoding = { tags: algorithmTags, writers: {} };
const ontology: SetEncoding = { tags: ontologyTags, writers: {} };
const vFeature: SetEncoding = { tags: vFeatureTags, writers: {} };
const vChip: SetEncoding = { tags: vChipTags, writers: {} };
const vObject: SetEncoding = { tags: vObjectTags, writers: {} };

const vMask: SetEncoding = {
  tags: vMaskTags,
  writers: { 1: seriesWriter(writePixel), 2: seriesWriter(writePixelRun) },
};

const vTracker: SetEncoding = {
  tags: vTrackerTags,
  writers: {
    1: encodeUuid,
    5: seriesWriter(writeLocation),
    9: seriesWriter(writeLocation),
    10: writeVelocity,
    11: writeVelocity,
  },
};

const vTarget: SetEncoding = {
  tags: vTargetTags,
  writers: {
    17: writeLocation,
    18: seriesWriter(writeLocation),
    21: writeFpaIndex,
    101: setWriter(() => vMask),
    102: setWriter(() => vObject),
    103: setWriter(() => vFeature),
    104: setWriter(() => vTracker),
    105: setWriter(() => vChip),
    106: seriesWriter(setWriter(() => vChip)),
    107: seriesWriter(setWriter(() => vObject)),
  },
};

/** Encoding of an ST 0903 VMTI local set; the inverse of `st0903`. */
export const st0903Encoding: SetEncoding = {
  tags: st0903Tags,
  first: [2],
  computed: [1],
  writers: {
    13: encodeMiisId,
    101: seriesWriter(writeTarget),
    102: seriesWriter(setWriter(() => algorithm)),
    103: seriesWriter(setWriter(() => ontology)),
  },
};

function writeTarget(value: Value): Uint8Array {
  const target = expectObject(value);
  return new ByteWriter().berOid(numberOf(target, 'id')).bytes(encodeSet(vTarget, target)).finish();
}

function writePixel(value: Value): Uint8Array {
  if (typeof value !== 'number') throw new RangeError('A pixel of a contour is its number');
  return new ByteWriter().integer(value, byteCount(value)).finish();
}

function writePixelRun(value: Value): Uint8Array {
  const run = expectObject(value);
  return new ByteWriter()
    .lengthAndBytes(writePixel(run.pixel ?? null))
    .berLength(numberOf(run, 'length'))
    .finish();
}

function writeFpaIndex(value: Value): Uint8Array {
  const index = expectObject(value);
  return new ByteWriter().integer(numberOf(index, 'row'), 1).integer(numberOf(index, 'column'), 1).finish();
}

function writeLocation(value: Value): Uint8Array {
  const location = expectObject(value);
  const writer = new ByteWriter()
    .bytes(encodeImapb(numberOf(location, 'latitude'), -90, 90, 4))
    .bytes(encodeImapb(numberOf(location, 'longitude'), -180, 180, 4))
    .bytes(encodeImapb(numberOf(location, 'height'), -900, 19000, 2));
  return writeAccuracy(writer, location);
}

function writeVelocity(value: Value): Uint8Array {
  const velocity = expectObject(value);
  const writer = new ByteWriter();
  for (const axis of ['east', 'north', 'up']) writer.bytes(encodeImapb(numberOf(velocity, axis), -900, 900, 2));
  return writeAccuracy(writer, velocity);
}

/**
 * Writes the standard deviations if the object has any value of them or of the correlations, and the correlations if it
 * has any of those, since they must follow the deviations.
 */
function writeAccuracy(writer: ByteWriter, object: { [key: string]: Value }): Uint8Array {
  const has = (names: readonly string[]) => names.some((name) => object[name] !== undefined);
  if (!has(SIGMAS) && !has(RHOS)) return writer.finish();
  for (const name of SIGMAS) writer.bytes(encodeImapb(numberOf(object, name), 0, 650, 2));
  if (!has(RHOS)) return writer.finish();
  for (const name of RHOS) writer.bytes(encodeImapb(numberOf(object, name), -1, 1, 2));
  return writer.finish();
}
