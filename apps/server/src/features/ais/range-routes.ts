import { type Actor, AppError, getAisRange, setReceiverPlace } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import { auditedItem } from '../../base/audit/item-notes.ts';
import type { Database } from '../../base/db/schema.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import { visiblePlatformSensors } from '../../base/items/platform-facts.ts';
import { items } from '../../base/items/product.ts';
import { placeOfReceiver, rangesOf, setPlaceOfReceiver } from './ranges.ts';
import type { AisReadSessions } from './read-sessions.ts';
import { sourcesFor } from './sources.ts';

export type AisRangeRoutesDeps = Http & {
  db: Kysely<Database>;
  sessions: AisReadSessions;
  /** Whether the licence and the configuration allow ships at all. */
  isOn: () => boolean;
  /** Called after the place of a receiver was set. */
  placed: () => void;
};

/** Routes for the range and the place of receivers. */
export function aisRangeRoutes(deps: AisRangeRoutesDeps): void {
  const { db, sessions } = deps;

  /** Returns the platform of a receiver if the actor may see it; else null. */
  const platformOf = async (actor: Actor, sensorId: string): Promise<string | null> => {
    const row = await visiblePlatformSensors(db, actor)
      .where('platform_sensors.id', '=', sensorId)
      .select('platforms.id')
      .executeTakeFirst();
    return row?.id ?? null;
  };

  callRoute(deps, getAisRange, async ({ input: { params }, actor, audit }) => {
    const all = deps.isOn() ? await sourcesFor(db, actor, undefined) : [];
    const sources = all.filter(({ sensorId }) => sensorId === params.id);
    const platform = await platformOf(actor, params.id);
    if (platform === null && sources.length === 0) throw new AppError('notFound');
    await sessions.read(actor.id, sources, audit);
    // The place of a receiver belongs to its platform: it is not shown to users who may read only a mission of the
    // platform.
    const place = platform === null ? null : await placeOfReceiver(db, params.id);
    return { place, ...(await rangesOf(db, sources)) };
  });

  callRoute(deps, setReceiverPlace, async ({ input: { params, body }, actor, audit }) => {
    const platform = await platformOf(actor, params.id);
    const facts = platform && (await items.factsOf('platform', asSystem(db, 'authorized change'), platform));
    if (!platform || !facts) throw new AppError('notFound');
    await db.transaction().execute((tx) => setPlaceOfReceiver(tx, params.id, body));
    deps.placed();
    await audit.write({
      ...{ action: 'platform.changed', ...auditedItem(facts) },
      ...{ result: `place of receiver ${params.id}: ${body.lat}, ${body.lon}` },
      ...(body.reason !== undefined && { reason: body.reason }),
    });
    return { message: 'The place of the receiver is set.' };
  });
}
