import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { station } from './ais.ts';
import { defineCall, done, id, micros, reasonText } from './core/call.ts';

/** Number of sectors, each of 10 degrees; the first one extends from true north to 10 degrees. */
export const AIS_RANGE_SECTORS = 36;
/** Maximum number of days in one answer; the newest are returned. */
export const AIS_RANGE_DAYS_MAX = 31;

export const receiverPlace = z.object({
  /** Position in degrees, WGS 84. */
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
});
export type ReceiverPlace = z.output<typeof receiverPlace>;

export const farthestShip = z.object({
  ...station,
  /** Distance along the great circle, in metres. */
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
     * Position of the receiver, from its own VDO sentences or set by a user. Null if unknown, in which case no range is
     * measured.
     */
    place: receiverPlace.extend({ origin: z.enum(['receiver', 'hand']) }).nullable(),
    /** Days, newest first; days without a ship are omitted. */
    days: z.array(
      z.object({
        /** Day in UTC. */
        day: z.iso.date(),
        /** Farthest ship for each sector of bearings from the receiver; null if there was no ship. */
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
