import {
  type Actor,
  AppError,
  classificationOf,
  createPlatform,
  deletePlatform,
  getPlatformConfig,
  setPlatformUsergroups,
  setPlatformUsergroupsByPost,
  testSource,
  updatePlatform,
} from '@osprey/contract';
import type { z } from 'zod';
import { authorize } from '../../base/access/authorize.ts';
import { auditedItem } from '../../base/audit/item-notes.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Edited, PlatformEdit } from './edit.ts';
import type { Step } from './plan.ts';
import type { SourceTest } from './source-test.ts';
import { factsOf, type StoredPlatform } from './stored.ts';

export type PlatformEditRoutesDeps = Http & {
  edit: PlatformEdit;
  testSource: SourceTest;
  /** Writes the audit rows, and notifies open pages. */
  carriedOut: (steps: readonly Step[], audit: RequestAudit, reason: string | undefined) => Promise<void>;
};

/** Routes that read and change single platforms, for the client's page. */
export function platformEditRoutes(deps: PlatformEditRoutesDeps): void {
  const { edit } = deps;

  callRoute(deps, getPlatformConfig, async ({ input: { params }, actor, audit }) => {
    const { config, platform } = await edit.config(actor, params.id);
    await audit.write({ action: 'platformConfig.download', ...auditedItem(factsOf(platform)) });
    return config;
  });

  callRoute(deps, createPlatform, async ({ input: { body }, actor, audit }) => {
    return announce(await edit.put(actor, null, body, {}), audit, { done: 'added' });
  });

  callRoute(deps, testSource, async ({ input: { body }, actor, reply, audit }) => {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const { result, address, platform } = await deps.testSource(actor, body, gone.signal);
    await audit.write({
      action: 'platform.test',
      ...(platform !== null && auditedItem(factsOf(platform))),
      result: `${address} ${result.problem ?? 'picture'}`,
    });
    return result;
  });

  callRoute(deps, updatePlatform, async ({ input: { params, query, body }, actor, audit }) => {
    const { reason } = query;
    return announce(await edit.put(actor, params.id, body, { reason }), audit, { done: 'saved', reason });
  });

  callRoute(deps, deletePlatform, async ({ input: { params }, actor, audit }) => {
    return announce(await edit.remove(actor, params.id), audit, { done: 'deleted' });
  });

  callRoute(deps, setPlatformUsergroups, share);
  callRoute(deps, setPlatformUsergroupsByPost, share);

  type Sharing = z.output<typeof setPlatformUsergroups.input>;

  async function share({ input, actor, audit }: { input: Sharing; actor: Actor; audit: RequestAudit }) {
    const { params, query } = input;
    const { reason } = query;
    const edited = await edit.share(actor, params.name, query.ids, { reason }).catch((error) => {
      const isMissing = error instanceof AppError && error.code === 'notFound';
      if (!isMissing || !query.createIfNotExists) throw error;
      return edit.addEmpty(actor, params.name, query);
    });
    const [step] = edited.steps;
    if (step?.kind !== 'added') return announce(edited, audit, { done: 'saved', reason });
    authorize(actor, 'platform.control', factsOf(step.after));
    return announce(edited, audit, { done: `added with the label ${labelOf(step.after)}`, reason });
  }

  async function announce(
    { id, name, steps, result }: Edited,
    audit: RequestAudit,
    { done, reason }: { done: string; reason?: string | undefined },
  ) {
    await deps.carriedOut(steps, audit, reason);
    return { _id: id, message: `Platform ${name} ${done}.`, warnings: result.warnings };
  }
}

/** Writes an audit row about one changed platform. */
export async function noteStep(step: Step, audit: RequestAudit, reason: string | undefined): Promise<void> {
  await audit.write({
    action: `platform.${step.kind}`,
    ...auditedItem(factsOf(step.kind === 'removed' ? step.before : step.after)),
    ...(reason === undefined ? {} : { reason }),
    ...relabelling(step),
  });
}

function relabelling(step: Step): { result: string } | null {
  if (step.kind !== 'changed' || step.before.classification === step.after.classification) return null;
  return { result: `label ${labelOf(step.before)} -> ${labelOf(step.after)}` };
}

const labelOf = ({ classification }: StoredPlatform) => classificationOf(classification);
