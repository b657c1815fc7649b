import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { station } from './ais.ts';
import { defineCall, done, id, micros, reasonText } from './core/call.ts';

/** Sectors of 10 degrees: the first is from true north to 10 degrees. */
export const AIS_RANGE_SECTORS = 36;
/** Most days of one answer, the newest. */
export const AIS_RANGE_DAYS_MAX = 31;

export const receiverPlace = z.object({
  /** Degrees, WGS 84. */
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
});
export type ReceiverPlace = z.output<typeof receiverPlace>;

export const farthestShip = z.object({
  ...station,
  /** Distance along the great circle. */
  metres: z.int(),
  timestamp: micros,
});
export type FarthestShip = z.output<typeof farthestShip>;

export const getAisRange = defineCall({
  method: 'GET',
  path: '/aissources/:id/range',
  summary: 'Returns the range of an AIS receiver: the farthest ship in each 10 degrees, by day',
  action: 'ais.read',
  input: z.object({ params: z.object({ id }) }),
  answer: z.object({
    /**
     * Place of the receiver, from its own VDO sentences or as set by a user; null: unknown, and no range is measured.
     */
    place: receiverPlace.extend({ origin: z.enum(['receiver', 'hand']) }).nullable(),
    /** The newest first; days without a ship are left out. */
    days: z.array(
      z.object({
        /** UTC. */
        day: z.iso.date(),
        /** By bearing from the receiver; null: no ship there. */
        sectors: z.array(farthestShip.nullable()).length(AIS_RANGE_SECTORS),
      }),
    ),
    securityClassification: classificationWord,
  }),
  errors: ['notSignedIn', 'notFound'],
});
export type AisRange = z.output<typeof getAisRange.answer>;

export const setReceiverPlace = defineCall({
  method: 'PUT',
  path: '/aissources/:id/place',
  summary: 'Sets where a receiver of AIS is. What was measured from another place is deleted',
  action: 'platformConfig.manage',
  input: z.object({
    params: z.object({ id }),
    body: z.strictObject({ ...receiverPlace.shape, reason: reasonText.optional() }),
  }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound'],
});
