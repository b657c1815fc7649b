import { ByteWriter } from './byte-writer.ts';
import { encodeMiisId, encodeUuid } from './encode-miis.ts';
import { type CompositeWriter, expectList, expectObject, numberOf, seriesWriter } from './encode-set.ts';
import { encodeImapb } from './imapb.ts';
import type { Value } from './value.ts';

const utf8 = new TextEncoder();
const LATITUDE_STEP = 180 / (2 ** 32 - 2);
const LONGITUDE_STEP = 360 / (2 ** 32 - 2);
const NO_ANGLE = 2 ** 31;
const WAVELENGTH_MAX_NM = 1e9;
/** Number of IMAPB bytes of each angle in ST 0601.17 tag 142. */
const DOMAIN_BYTES = 2;

/** Encoders of the packs of ST 0601.17, by tag; the inverse of `st0601Packs`. */
export const st0601PackWriters: Readonly<Record<number, CompositeWriter>> = {
  81: writeHorizon,
  94: encodeMiisId,
  115: writeCommand,
  116: writeOids,
  121: writeOids,
  122: writeCountries,
  127: writeFrameRate,
  128: seriesWriter(writeWavelength),
  130: writeAirbases,
  138: writePayloads,
  139: writeActivePayloads,
  140: seriesWriter(writeWeapon),
  141: seriesWriter(writeWaypoint),
  142: writeViewDomain,
  143: writeSubstream,
};

type Pack = { [key: string]: Value };

const textOf = (pack: Pack, name: string): Uint8Array => utf8.encode(String(pack[name] ?? ''));

function writeHorizon(value: Value): Uint8Array {
  const pack = expectObject(value);
  const writer = new ByteWriter();
  for (const name of ['x0', 'y0', 'x1', 'y1']) writer.integer(numberOf(pack, name), 1);
  if (pack.latitude0 === undefined) return writer.finish();
  for (const end of ['0', '1']) {
    writeAngle(writer, pack[`latitude${end}`] ?? null, LATITUDE_STEP);
    writeAngle(writer, pack[`longitude${end}`] ?? null, LONGITUDE_STEP);
  }
  return writer.finish();
}

function writeAngle(writer: ByteWriter, value: Value, step: number): void {
  writer.integer(typeof value === 'number' ? Math.round(value / step) : NO_ANGLE, 4);
}

function writeCommand(value: Value): Uint8Array {
  const pack = expectObject(value);
  const writer = new ByteWriter().berOid(numberOf(pack, 'id')).lengthAndBytes(textOf(pack, 'command'));
  if (typeof pack.timeUs === 'number') writer.integer(pack.timeUs, 8);
  return writer.finish();
}

function writeOids(value: Value): Uint8Array {
  const writer = new ByteWriter();
  for (const id of expectList(value)) writer.berOid(Number(id));
  return writer.finish();
}

function writeCountries(value: Value): Uint8Array {
  const pack = expectObject(value);
  const writer = new ByteWriter().berLength(1).integer(numberOf(pack, 'codingMethod'), 1);
  for (const name of ['overflight', 'operator', 'manufacture']) writer.lengthAndBytes(textOf(pack, name));
  return writer.finish();
}

function writeFrameRate(value: Value): Uint8Array {
  const pack = expectObject(value);
  const writer = new ByteWriter().berOid(numberOf(pack, 'numerator'));
  const denominator = numberOf(pack, 'denominator', 1);
  if (denominator !== 1) writer.berOid(denominator);
  return writer.finish();
}

function writeWavelength(value: Value): Uint8Array {
  const pack = expectObject(value);
  return new ByteWriter()
    .berOid(numberOf(pack, 'id'))
    .bytes(encodeImapb(numberOf(pack, 'min'), 0, WAVELENGTH_MAX_NM, 4))
    .bytes(encodeImapb(numberOf(pack, 'max'), 0, WAVELENGTH_MAX_NM, 4))
    .bytes(textOf(pack, 'name'))
    .finish();
}

function writeAirbases(value: Value): Uint8Array {
  const pack = expectObject(value);
  const writer = new ByteWriter();
  for (const name of ['takeOff', 'recovery']) writer.lengthAndBytes(writeOptionalLocation(pack[name] ?? null));
  return writer.finish();
}

function writeOptionalLocation(value: Value): Uint8Array {
  if (value === null) return new Uint8Array(0);
  const location = expectObject(value);
  const writer = new ByteWriter()
    .bytes(encodeImapb(numberOf(location, 'latitude'), -90, 90, 4))
    .bytes(encodeImapb(numberOf(location, 'longitude'), -180, 180, 4));
  if (typeof location.height === 'number') writer.bytes(encodeImapb(location.height, -900, 9000, 3));
  return writer.finish();
}

function writePayloads(value: Value): Uint8Array {
  const payloads = expectList(value);
  const write = seriesWriter((part) => {
    const pack = expectObject(part);
    return new ByteWriter()
      .berOid(numberOf(pack, 'id'))
      .berOid(numberOf(pack, 'type'))
      .lengthAndBytes(textOf(pack, 'name'))
      .finish();
  });
  return new ByteWriter().berOid(payloads.length).bytes(write(payloads)).finish();
}

function writeActivePayloads(value: Value): Uint8Array {
  const ids = expectList(value).map(Number);
  const bytes = new Uint8Array(Math.floor(Math.max(0, ...ids) / 8) + 1);
  for (const id of ids) {
    const at = bytes.length - 1 - Math.floor(id / 8);
    bytes[at] = bytes[at]! | (1 << (id % 8));
  }
  return bytes;
}

function writeWeapon(value: Value): Uint8Array {
  const pack = expectObject(value);
  const writer = new ByteWriter();
  for (const name of ['station', 'hardpoint', 'carriage', 'store']) writer.berOid(numberOf(pack, name));
  const status = numberOf(pack, 'engagement', 0) * 256 + numberOf(pack, 'status');
  return writer.berOid(status).lengthAndBytes(textOf(pack, 'type')).finish();
}

function writeWaypoint(value: Value): Uint8Array {
  const pack = expectObject(value);
  return new ByteWriter()
    .berOid(numberOf(pack, 'id'))
    .integer(numberOf(pack, 'order'), 2)
    .berOid(numberOf(pack, 'info', 0))
    .bytes(writeOptionalLocation(pack.location ?? null))
    .finish();
}

function writeViewDomain(value: Value): Uint8Array {
  const pack = expectObject(value);
  const writer = new ByteWriter();
  const axes = [
    [pack.azimuth ?? null, 0, 360],
    [pack.elevation ?? null, -180, 180],
    [pack.roll ?? null, 0, 360],
  ] as const;
  for (const [axis, min, max] of axes) writer.lengthAndBytes(writeAxis(axis, min, max));
  return writer.finish();
}

function writeAxis(value: Value, min: number, max: number): Uint8Array {
  if (value === null) return new Uint8Array(0);
  const axis = expectObject(value);
  return new ByteWriter()
    .bytes(encodeImapb(numberOf(axis, 'start'), min, max, DOMAIN_BYTES))
    .bytes(encodeImapb(numberOf(axis, 'range'), 0, 360, DOMAIN_BYTES))
    .finish();
}

function writeSubstream(value: Value): Uint8Array {
  const pack = expectObject(value);
  return new ByteWriter()
    .berOid(numberOf(pack, 'localId'))
    .bytes(encodeUuid(pack.universalId ?? null))
    .finish();
}
