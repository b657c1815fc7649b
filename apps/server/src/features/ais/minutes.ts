import type { AisType, FrameShip } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { nowAndThen } from './now-and-then.ts';
import { isOfType, type ListName, positionsBetween } from './positions.ts';

export const MINUTE_US = 60_000_000;
/**
 * Number of minutes to wait before a minute is packed, since its positions may still arrive. Positions that arrive
 * later delete the packed copy.
 */
const SETTLED_MINUTES = 2;
const EVERY_MS = 60_000;
const FIRST_MS = 20_000;
/**
 * Number of minutes packed in one pass, and maximum number of passes in a row. After an update, weeks of minutes may be
 * waiting to be packed.
 */
const PACKED_PER_STATEMENT = 600;
const IN_A_ROW = 5;

/** A station at its last position in a minute. Its static data are not packed. */
export type MinuteShip = Omit<FrameShip, 'shipType'>;

export const ROW_BYTES = 24;
const NONE = 0xffff;

/**
 * Packs ships into 24 bytes each, little endian: MMSI (u32), microseconds within the minute (u32), latitude and
 * longitude as stored (i32), course and speed in tenths and heading (u16, 65535: none), message type and flags (u8).
 */
export function packShips(ships: readonly MinuteShip[], minute: number): Buffer {
  const bytes = Buffer.alloc(ships.length * ROW_BYTES);
  let at = 0;
  for (const ship of ships) {
    bytes.writeUInt32LE(ship.mmsi, at);
    bytes.writeUInt32LE(ship.time - minute * MINUTE_US, at + 4);
    bytes.writeInt32LE(ship.lat, at + 8);
    bytes.writeInt32LE(ship.lon, at + 12);
    bytes.writeUInt16LE(ship.cog ?? NONE, at + 16);
    bytes.writeUInt16LE(ship.sog ?? NONE, at + 18);
    bytes.writeUInt16LE(ship.heading ?? NONE, at + 20);
    bytes.writeUInt8(ship.messageType, at + 22);
    bytes.writeUInt8(ship.flags, at + 23);
    at += ROW_BYTES;
  }
  return bytes;
}

type Taking = {
  requested: (mmsi: number, time: number, messageType: number) => boolean;
  take: (ship: MinuteShip) => void;
};

/** Calls `take` for each station that `requested` accepts, without making objects for the others. */
export function eachPacked(bytes: Buffer, minute: number, { requested, take }: Taking): void {
  for (let at = 0; at + ROW_BYTES <= bytes.length; at += ROW_BYTES) {
    const mmsi = bytes.readUInt32LE(at);
    const time = minute * MINUTE_US + bytes.readUInt32LE(at + 4);
    const messageType = bytes.readUInt8(at + 22);
    if (!requested(mmsi, time, messageType)) continue;
    const [cog, sog, heading] = [bytes.readUInt16LE(at + 16), bytes.readUInt16LE(at + 18), bytes.readUInt16LE(at + 20)];
    take({
      mmsi,
      time,
      lat: bytes.readInt32LE(at + 8),
      lon: bytes.readInt32LE(at + 12),
      cog: cog === NONE ? null : cog,
      sog: sog === NONE ? null : sog,
      heading: heading === NONE ? null : heading,
      messageType,
      flags: bytes.readUInt8(at + 23),
    });
  }
}

type Place = { sourceId: number; minute: number; missionId: string | null };

/** Columns needed for a map of a moment. */
const SHOWN: readonly ListName[] = ['lat', 'lon', 'cog', 'sog', 'heading', 'message_type', 'flags'];

type Sources = Parameters<typeof positionsBetween>[0];
type Between = Parameters<typeof positionsBetween>[1];

/**
 * Reads the last position of each station that each source received between two moments, both included, from the rows.
 */
export async function shipsBetween(
  db: Db,
  ...[sources, between, aisType]: [Sources, Between, (AisType | undefined)?]
): Promise<(MinuteShip & { sourceId: number })[]> {
  const { rows } = await sql<Omit<MinuteShip, 'messageType'> & { source_id: number; message_type: number }>`
    select distinct on (source_id, mmsi) source_id, mmsi, time, lat, lon, cog, sog, heading, message_type, flags
    from (${positionsBetween(sources, { ...between, lists: SHOWN })}) heard where ${isOfType(aisType)}
    order by source_id, mmsi, time desc`.execute(db);
  return rows.map(({ source_id: sourceId, message_type: messageType, ...ship }) => ({
    ...ship,
    sourceId,
    messageType,
  }));
}

const shipsOfMinute = (db: Db, { sourceId, minute, missionId }: Place) =>
  shipsBetween(db, [{ id: sourceId, missionId }], { fromUs: minute * MINUTE_US, toUs: (minute + 1) * MINUTE_US - 1 });

/**
 * Takes the lock that coordinates changes of a source's positions, which share it, with the packer, which takes it
 * exclusively (`alone`).
 */
export const lockMinutes = (tx: Db, sourceId: number, alone = false) =>
  alone
    ? sql`select pg_advisory_xact_lock(hashtext('ais_minutes'), ${sourceId}::integer)`.execute(tx)
    : sql`select pg_advisory_xact_lock_shared(hashtext('ais_minutes'), ${sourceId}::integer)`.execute(tx);

/** Deletes the packed copies of these minutes. Call it in the transaction that changes their positions. */
export async function forgetMinutes(tx: Db, sourceId: number, minutes: readonly number[]): Promise<void> {
  if (minutes.length === 0) return;
  await lockMinutes(tx, sourceId);
  await sql`delete from ais_minutes where source_id = ${sourceId} and minute = any (${[...minutes]}::integer[])`.execute(
    tx,
  );
}

/** Returns those of the minutes that may have been packed already. */
export const settled = (minutes: Iterable<number>, nowUs: number): number[] =>
  [...minutes].filter((minute) => isSettled(minute, nowUs));

/**
 * Whether a minute may have been packed already. Counts one minute earlier than the packer does, since the packer's
 * clock may be ahead of `nowUs`.
 */
const isSettled = (minute: number, nowUs: number): boolean =>
  minute <= Math.floor(nowUs / MINUTE_US) - (SETTLED_MINUTES - 1);

type Deps = {
  db: Kysely<Database>;
  nowUs: () => number;
  log: { warn: (fields: object, text: string) => void };
};

/** Packs minutes once they are over, the newest first. */
export function aisMinutes({ db, nowUs, log }: Deps) {
  async function pack(isClosed = () => false): Promise<void> {
    for (let n = 0; n < IN_A_ROW && (await packSome(isClosed)) === PACKED_PER_STATEMENT; n += 1);
  }

  /** Packs some minutes, and returns their number. */
  async function packSome(isClosed: () => boolean): Promise<number> {
    const { rows } = await sql<Place>`
      select heard.source_id as "sourceId", heard.minute, source.mission_id as "missionId"
      from ais_heard heard join ais_sources source on source.id = heard.source_id
      where heard.minute < ${Math.floor(nowUs() / MINUTE_US) - SETTLED_MINUTES}::integer
        and not exists (select from ais_minutes packed
          where packed.source_id = heard.source_id and packed.minute = heard.minute)
      order by heard.minute desc limit ${PACKED_PER_STATEMENT}`.execute(db);
    for (const place of rows) {
      if (isClosed()) return 0;
      await db.transaction().execute(async (tx) => {
        await lockMinutes(tx, place.sourceId, true);
        const ships = packShips(await shipsOfMinute(tx, place), place.minute);
        // Inserted only if the source still exists.
        await sql`insert into ais_minutes (source_id, minute, ships)
          select id, ${place.minute}::integer, ${ships} from ais_sources where id = ${place.sourceId}
          on conflict do nothing`.execute(tx);
      });
    }
    return rows.length;
  }

  const failed = (error: unknown) => log.warn({ error }, 'minutes of ships could not be packed');
  return { pack, ...nowAndThen({ firstMs: FIRST_MS, everyMs: EVERY_MS, work: pack, failed }) };
}
