import {
  AppError,
  chooseLiveKlv,
  controlPlatform,
  getPlatformsConfigFile,
  listPlatforms,
  listPlatformVersions,
  PLATFORMS_FILE_BYTES,
  type RecorderEvent,
  restorePlatformVersion,
  uploadPlatformsConfig,
} from '@osprey/contract';
import type { FastifyRequest } from 'fastify';
import { auditedItem } from '../../base/audit/item-notes.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Changed } from '../../base/ws/outgoing.ts';
import type { Applied, PlatformConfiguration } from './configuration.ts';
import type { PlatformControlling } from './control.ts';
import { platformEdit } from './edit.ts';
import { noteStep, platformEditRoutes } from './edit-routes.ts';
import type { liveKlvChoice } from './live-klv.ts';
import type { LivePlatforms } from './live-platforms.ts';
import type { Step } from './plan.ts';
import type { SourceTest } from './source-test.ts';
import { factsOf } from './stored.ts';
import { platformsYaml } from './write-file.ts';

export type PlatformRoutesDeps = Http & {
  platforms: LivePlatforms;
  controlling: PlatformControlling;
  chooseKlv: ReturnType<typeof liveKlvChoice>;
  configuration: PlatformConfiguration;
  testSource: SourceTest;
  changed: Changed;
  notifyRecorder: (event: RecorderEvent) => void;
};

/**
 * Routes of platforms, and of their configuration as a single file. Uploading it as a form requires the multipart
 * plugin of uploads/.
 */
export function platformRoutes(deps: PlatformRoutesDeps): void {
  const { configuration } = deps;

  callRoute(deps, listPlatforms, ({ actor }) => deps.platforms.list(actor));

  callRoute(deps, controlPlatform, async ({ input: { query, body }, actor, reply, audit }) => {
    const { answer, platform, action, sensors } = await deps.controlling.control(actor, query.command, body);
    await audit.write({
      action,
      ...auditedItem(factsOf(platform)),
      result: [
        query.command,
        ...(answer.mission ? [`mission ${answer.mission._id}`] : []),
        ...sensors.map(({ id }) => id),
      ].join(' '),
    });
    deps.notifyRecorder({
      ...{ topic: 'command', info: answer.message },
      ...{ platform: platform.id, mission: answer.mission?._id ?? null },
    });
    if (answer.warning !== null) reply.header('warning', `199 osprey "${answer.warning}"`);
    return answer;
  });

  callRoute(deps, chooseLiveKlv, async ({ input: { params, body }, actor, audit }) => {
    const { platform, sensor, before } = await deps.chooseKlv(actor, params.sensor, body.pid);
    await audit.write({
      action: 'platform.klv',
      ...auditedItem(factsOf(platform)),
      result: `sensor ${sensor.id} ${streamName(before)} -> ${streamName(body.pid)}`,
    });
    const message =
      body.pid === null
        ? `The rules choose the telemetry of ${sensor.name} again.`
        : `The telemetry of ${sensor.name} is KLV stream PID ${body.pid}.`;
    return { message };
  });

  callRoute(deps, getPlatformsConfigFile, async ({ input: { query }, actor, reply, audit }) => {
    const { version } = query;
    const platforms =
      version === undefined ? await configuration.current(actor) : await configuration.version(actor, version);
    const groups = await configuration.groupNames();
    await audit.write({
      action: 'platformConfig.download',
      result: version === undefined ? 'current' : `version ${version}`,
    });
    reply
      .header('content-disposition', 'attachment; filename="platforms.yml"')
      .header('cache-control', 'no-store')
      .type('application/yaml; charset=utf-8');
    return platformsYaml(platforms, (id) => groups.get(id));
  });

  callRoute(deps, uploadPlatformsConfig, async ({ input: { query }, actor, request, audit }) => {
    const bytes = await fileOf(request);
    const applied = await configuration.upload(actor, bytes, query);
    return announce(applied, audit, query.reason);
  });

  callRoute(deps, listPlatformVersions, ({ actor }) => configuration.versions(actor));

  callRoute(deps, restorePlatformVersion, async ({ input: { params, query }, actor, audit }) => {
    const applied = await configuration.restore(actor, params.version, query);
    return announce(applied, audit, query.reason);
  });

  platformEditRoutes({ ...deps, edit: platformEdit(configuration), carriedOut });

  async function announce({ result, steps }: Applied, audit: RequestAudit, reason: string | undefined) {
    await carriedOut(steps, audit, reason);
    if (steps.length === 0) {
      const outcome = result.valid ? 'nothing changed' : 'invalid';
      await audit.write({ action: 'platformConfig.check', result: outcome });
    }
    return result;
  }

  async function carriedOut(steps: readonly Step[], audit: RequestAudit, reason: string | undefined): Promise<void> {
    for (const step of steps) await noteStep(step, audit, reason);
    deps.changed('platforms', steps.map(idOf));
  }
}

const streamName = (pid: number | null): string => (pid === null ? 'by the rules' : `PID ${pid}`);

const idOf = (step: Step): string => (step.kind === 'removed' ? step.before.id : step.after.id);

/**
 * Returns the uploaded file; null if it is too large. @throws AppError invalid if the form has no file named
 * `platforms`
 */
async function fileOf(request: FastifyRequest): Promise<Buffer | null> {
  const part = request.isMultipart()
    ? await request.file({ limits: { fileSize: PLATFORMS_FILE_BYTES, files: 1 } })
    : undefined;
  if (part === undefined || part.fieldname !== 'platforms') {
    part?.file.resume();
    throw new AppError('invalid', { platforms: 'Send the file as form field platforms' });
  }
  const bytes = await part.toBuffer();
  return part.file.truncated ? null : bytes;
}
