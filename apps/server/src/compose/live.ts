import { classificationOf, type RecorderEvent } from '@osprey/contract';
import type { OpenReads } from '../base/access/open-reads.ts';
import { requestAudit } from '../base/audit/request-audit.ts';
import type { AuditWriter } from '../base/audit/writer.ts';
import type { LiveRights } from '../base/items/live-rights.ts';
import type { Hub } from '../base/ws/hub.ts';
import { featuresOfAnnotation } from '../features/annotations/repository.ts';
import { searchWatch } from '../features/coverage/search-watch.ts';
import type { LicenceKeeper } from '../features/licence/keeper.ts';
import { readOrders } from '../features/platforms/recorder-orders.ts';
import { asideNotes } from '../live/rows/aside-notes.ts';
import { clockNotes } from '../live/rows/clock-notes.ts';
import { growingPictures } from '../live/rows/growing-pictures.ts';
import { type LiveAccess, liveAccess } from '../live/rows/live-access.ts';
import { liveCoverage } from '../live/rows/live-coverage.ts';
import { livePositions } from '../live/rows/live-positions.ts';
import { type RecorderMirror, recorderMirror } from '../live/rows/mirror.ts';
import { recorderOrders } from '../live/rows/order-sender.ts';
import { recordingDescriptions } from '../live/rows/recording-descriptions.ts';
import { recordingKeeper } from '../live/rows/recording-keeper.ts';
import { recordingNotes } from '../live/rows/recording-notes.ts';
import { onRecordingsChanged } from '../live/rows/recordings-changed.ts';
import { streamEvents } from '../live/rows/stream-events.ts';
import { streamMarks } from '../live/rows/stream-marks.ts';
import { recorderClient } from '../recorder-wire/client.ts';
import type { Dependencies } from './dependencies.ts';

export type LiveOptions = {
  dependencies: Dependencies;
  live: LiveRights;
  reads: OpenReads;
  hub: Pick<Hub, 'live' | 'isWatched' | 'happened' | 'rightsChanged'>;
  auditWriter: AuditWriter;
  licence: Pick<LicenceKeeper, 'current' | 'onChange'>;
};

export type Live = {
  mirror: RecorderMirror;
  access: LiveAccess;
  /** Number of platforms that are being recorded. */
  livePlatforms: () => number;
  /** Reports commands on a platform to those who may control it. */
  notifyRecorder: (event: RecorderEvent) => void;
  close: () => Promise<void>;
};

/**
 * Connects the api with the recorder: the state of the recorder, the orders to it, the rows of its recordings, and
 * events for pages.
 */
export function coordinateLive({ dependencies, live, reads, hub, auditWriter, licence }: LiveOptions): Live {
  const { db, storage, config, log, queue, events, nowUs, nowMs } = dependencies;
  const { changed } = events;
  const mirror = recorderMirror({
    connect: (handlers) => recorderClient({ dataDir: config.dataDir, log, ...handlers }),
  });
  const notifyRecorder = (payload: RecorderEvent) => hub.live({ kind: 'recorder', payload });
  const platformChanged = (id: string) => hub.happened({ kind: 'changed', noun: 'platforms', ids: [id] });

  const orders = recorderOrders({
    read: () => {
      const { options, platformsMax } = licence.current();
      const isRecorded = (platformId: string) => mirror.runningOf(platformId) !== null;
      return readOrders(db, {
        live: options.has('live'),
        ais: config.ais && options.has('ais'),
        recordingsMax: platformsMax,
        isRecorded,
      });
    },
    order: mirror.order,
    log,
  });
  orders.sendSoon();
  licence.onChange(orders.sendSoon);
  live.follow({
    // A change of a mission may end the replay of its recording.
    notice: (notice) => void (('platform' in notice || 'mission' in notice) && orders.sendSoon()),
    // Notices may have been missed, so the orders are sent again.
    forgetAll: orders.sendSoon,
  });

  const audit = requestAudit(auditWriter, { actor: null, session: null, address: '' }, nowUs);
  const clock = clockNotes({ audit: audit.write, nowUs, nowMs, log });
  const aside = asideNotes({ db, mirror, audit: audit.write, log });
  const keeper = recordingKeeper({
    db,
    storage,
    queue,
    mirror,
    log,
    changed,
    notes: recordingNotes(audit.write),
    // Until the mission has rows, no user has rights to it, so the rights of current viewers are checked again.
    unwritten: ({ platform }) => hub.rightsChanged({ platform: platform.platformId }),
    written({ missionId, missionName, platform }, { made, ended, first }) {
      // The mission may have a smaller audience than the platform. Now that its audience is known, the rights of
      // current viewers are checked again.
      if (first) {
        // The database's notice of the mission comes by another connection, later than this call.
        live.notice({ mission: missionId });
        hub.rightsChanged({ platform: platform.platformId });
        platformChanged(platform.platformId);
      }
      if (!made && !ended) return;
      const info = ended ? `Mission ${missionName} was recorded.` : `Mission ${missionName} is being recorded.`;
      notifyRecorder({ topic: 'mission_update', info, platform: platform.platformId, mission: missionId });
    },
  });
  onRecordingsChanged(mirror, ({ platformId, missionId, info, begun }) => {
    // A further sensor of an existing mission is being recorded. Before the mission's rows exist, its viewers' rights
    // cannot be decided.
    if (begun && keeper.isWritten(missionId)) hub.rightsChanged({ platform: platformId });
    if (!begun) orders.sendSoon();
    // A page that requested the stream before the rows exist would be treated as having no access, and would restart
    // it.
    if (!begun || keeper.isWritten(missionId)) platformChanged(platformId);
    keeper.whenWritten(missionId, () =>
      notifyRecorder({ topic: 'state', info, platform: platformId, mission: missionId }),
    );
  });
  const descriptions = recordingDescriptions({
    db,
    mirror,
    // The table of platforms shows the mission's name.
    described: ({ platform }) => platformChanged(platform.platformId),
    log,
  });
  mirror.subscribe({
    onMessage(message) {
      if (message.kind !== 'error') return;
      const { info, platformId, missionId } = message;
      notifyRecorder({ topic: 'error', info, platform: platformId, mission: missionId });
    },
  });
  streamEvents({ mirror, notify: (payload, mission) => hub.live({ kind: 'streamMonitor', payload, mission }) });
  livePositions({
    mirror,
    nowMs,
    isWatched: hub.isWatched,
    notify: (payload, mission) => hub.live({ kind: 'livePosition', payload, mission }),
  });
  const searches = searchWatch({
    ...{ db, auditWriter, nowUs, log },
    featuresOf: (id) => featuresOfAnnotation(db, id),
    notify: events.searchHit,
  });
  const coverage = liveCoverage({
    ...{ db, storage, mirror, nowMs, log },
    onSighted: searches.look,
    onGrew: (missionId) => changed('ground', [missionId]),
    onPlaced: (missionId) => changed('missions', [missionId]),
  });
  const pictures = growingPictures({ db, storage, mirror, queue, isWritten: keeper.isWritten, log });
  const marks = streamMarks({
    db,
    mirror,
    changed,
    log,
    audit: ({ action, itemId, label, reason }) =>
      audit.write({ action, itemId, itemLabel: classificationOf(label), reason }),
    alarm(platform, { name, label }) {
      const info = `The stream of ${name} is marked ${label}: the label of its platform rose`;
      hub.live({ kind: 'recorder', label, payload: { topic: 'error', info, platform, mission: null } });
    },
  });

  return {
    mirror,
    access: liveAccess({ db, live, mirror, keeper, reads }),
    livePlatforms: () => mirror.running().length,
    notifyRecorder,
    async close() {
      mirror.close();
      await Promise.all([
        keeper.close(),
        descriptions.close(),
        orders.close(),
        marks.close(),
        clock.close(),
        aside.close(),
        coverage.close(),
        pictures.close(),
      ]);
    },
  };
}
