import { readSessions } from '../../base/audit/read-sessions.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import type { AisSource } from './sources.ts';

/** Audits reads of ships above UNCLASSIFIED, by account and by platform or mission. */
export function aisReadSessions(deps: Omit<Parameters<typeof readSessions>[0], 'action'>) {
  const sessions = readSessions({ action: 'ais.read', ...deps });
  return {
    ...sessions,
    /** Must be called before the response is sent: a read that cannot be audited is refused. */
    read: (actorId: string, sources: readonly AisSource[], audit: RequestAudit): Promise<void> =>
      sessions.read(
        actorId,
        sources.flatMap(({ label, missionId, platformId }) => {
          const id = missionId ?? platformId;
          return id === null ? [] : [{ id, label }];
        }),
        audit,
      ),
  };
}

export type AisReadSessions = ReturnType<typeof aisReadSessions>;
