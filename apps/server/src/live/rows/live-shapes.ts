import type { Position } from '@osprey/geo';
import type { Db } from '../../base/access/as-system.ts';
import { GAP_US, type GroundRecord, groundJoiner, STEP_US } from '../../media/ingest/ground.ts';
import { addShapes, dropShapes } from '../../media/ingest/shape-rows.ts';

/**
 * Number of records in a piece: one minute. Its outlines are computed again as it grows, which takes some 10 ms for a
 * fast flight.
 */
const PIECE_RECORDS = 120;

type Piece = { number: number; records: number; joiner: ReturnType<typeof groundJoiner>; written: string };

/**
 * Outlines and lines of a sensor that is being recorded, for the geographic filter, in pieces: only the last piece
 * grows, and it is stored again each time. Each piece begins with the last record of the previous one, so that lines
 * have no gaps.
 *
 * @param number number of the first piece; `last`: the record before it
 */
export function livePieces({ number, last }: { number: number; last: GroundRecord | null }) {
  let before = last;
  let open = [pieceAt(number)];
  let hasMore = false;
  let place: Position | null = null;

  function pieceAt(at: number): Piece {
    const joiner = groundJoiner();
    if (before !== null) joiner.add(before);
    return { number: at, records: 0, joiner, written: '' };
  }

  return {
    /**
     * Adds a record. At most two records a second are used, as in ingest; a record out of order by less than a gap is
     * ignored.
     */
    add(record: GroundRecord): void {
      const isLate = before !== null && slotOf(record) <= slotOf(before);
      if (isLate && before!.timeUs - record.timeUs < GAP_US) return;
      const newest = open[open.length - 1]!;
      if (newest.records === PIECE_RECORDS) open.push(pieceAt(newest.number + 1));
      const piece = open[open.length - 1]!;
      const added = piece.joiner.add(record);
      place ??= added.place;
      piece.records += 1;
      before = record;
      hasMore = true;
    },
    last: () => before,
    /** Returns the first position of the sensor; null before there is one. */
    place: () => place,
    /** Stores the pieces that grew. Returns whether there were any. */
    async write(tx: Db, of: { missionId: string; sensorId: string }): Promise<boolean> {
      if (!hasMore) return false;
      hasMore = false;
      const first = open[0]!;
      const grown = open.map((piece) => ({ piece, shapes: piece.joiner.ground().shapes }));
      const written = JSON.stringify(grown.map(({ shapes }) => shapes));
      open = open.slice(-1);
      if (written === first.written) return false;
      await dropShapes(tx, of, first.number);
      for (const { piece, shapes } of grown) await addShapes(tx, of, shapes, piece.number);
      open[0]!.written = grown.length === 1 ? written : '';
      return true;
    },
  };
}

const slotOf = ({ timeUs }: GroundRecord): number => Math.floor(timeUs / STEP_US);
