import { uptime } from 'node:os';
import { join } from 'node:path';
import { getHealth, getInfo, getSystemInfo, type Info, isAdmin, PRODUCT_VERSION } from '@osprey/contract';
import type { Config } from '../../base/config/config.ts';
import { callRoute, type Http, publicCallRoute } from '../../base/http/call-route.ts';
import type { HealthCheck } from './checks.ts';
import { healthLook } from './health-look.ts';
import { iceServersOf } from './ice-servers.ts';

export type SystemDeps = Http & {
  config: Pick<
    Config,
    | 'serverName'
    | 'shipLink'
    | 'company'
    | 'registration'
    | 'passwordMin'
    | 'dataDir'
    | 'trustedProxies'
    | 'supervisorUrl'
    | 'oidcIssuer'
    | 'oidcName'
    | 'liveLowLatency'
    | 'liveWebRtc'
    | 'liveHls'
    | 'iceServers'
    | 'playbackDataDelay'
    | 'turnServers'
    | 'turnSecret'
    | 'conferenceCreate'
    | 'conferenceUrl'
    | 'livekitUrl'
  >;
  startedUs: number;
  guestAllowed: () => Promise<boolean>;
  /** The licence: its holder, the address of its logo, and whether it is valid. */
  licence: () => { company: string | null; logo: string | null; valid: boolean };
  /** Returns whether AIS is received and shown. */
  useAis: () => boolean;
  nodeId: string;
  /** Returns whether conferences are offered now. */
  useConference: () => boolean;
  /** Folder of the storage. */
  filesFolder: string;
  checks: readonly HealthCheck[];
};

/** Serves the name, health and uptime of this server. */
export function systemRoutes(deps: SystemDeps): void {
  const health = healthLook({ checks: deps.checks, nowMs: () => performance.now() });

  publicCallRoute(deps, getInfo, async ({ actor, session, request }) => {
    const short = {
      serverName: deps.config.serverName,
      serverVer: PRODUCT_VERSION,
      company: deps.licence().company ?? deps.config.company,
      logo: deps.licence().logo,
      registration: deps.config.registration,
      guest: await deps.guestAllowed(),
      singleSignOn: deps.config.oidcIssuer !== null,
      ...(deps.config.oidcIssuer === null ? {} : { singleSignOnName: deps.config.oidcName }),
    };
    if (actor === null) return short;
    const own = { passwordMin: deps.config.passwordMin, clientId: session.id ?? actor.id, clientIp: request.ip };
    const iceServers = iceServersOf(deps.config, actor.id, deps.nowUs());
    return { ...short, ...features(deps), iceServers, ...own, ...(isAdmin(actor) ? places(deps) : {}) };
  });

  callRoute(deps, getSystemInfo, async () => ({ systemUptime: Math.floor(uptime()) }));

  publicCallRoute(deps, getHealth, async ({ actor, reply }) => {
    const seesDetails = actor !== null && isAdmin(actor);
    const results = await (seesDetails ? health.fresh() : health.shared());
    const isUp = results.every(({ vital, state }) => !vital || state !== 'failed');
    if (!isUp) reply.status(503);
    const shown = results.map(({ name, state, text }) => ({ name, state, text }));
    const status = isUp ? ('up' as const) : ('down' as const);
    return { status, ...(seesDetails ? { checks: shown } : {}) };
  });
}

function features({ startedUs, config, licence, useAis, useConference }: SystemDeps): Partial<Info> {
  const isOffered = useConference();
  return {
    serverStartTime: startedUs,
    demoMode: !licence().valid,
    useReverseProxy: config.trustedProxies.length > 0,
    useWebRtcVideo: config.liveWebRtc,
    useAis: useAis(),
    shipLink: useAis() ? config.shipLink : null,
    useLiveRtspHls: config.liveHls,
    useLiveLowLatency: config.liveLowLatency,
    webrtc_server_url: null,
    webrtc_service: config.liveWebRtc ? 'whep' : null,
    playbackDataDelay: config.playbackDataDelay,
    useConference: isOffered,
    conferenceCreate: config.conferenceCreate,
    ...conferenceOf(config, isOffered),
  };
}

/** Returns the first available conference address: a page of the site, a LiveKit server, or a page of this server. */
function conferenceOf({ conferenceUrl, livekitUrl }: SystemDeps['config'], isOffered: boolean): Partial<Info> {
  const url = isOffered ? (conferenceUrl ?? livekitUrl ?? '/conference') : null;
  return {
    conferenceServerUrl: url,
    conferenceServerPort: portOf(url),
    lk_url: isOffered ? livekitUrl : null,
    custom_conference_server_url: isOffered ? conferenceUrl : null,
  };
}

function places({ config, nodeId, filesFolder }: SystemDeps): Partial<Info> {
  return {
    nodeInfo: nodeId,
    videoDir: join(filesFolder, 'originals'),
    documentDir: join(filesFolder, 'documents'),
    supervisorPort: portOf(config.supervisorUrl),
    supervisorUrl: config.supervisorUrl,
  };
}

/**
 * Returns only the port, as the specification requires; clients use the complete address. Null if there is no address,
 * or if it is on this server.
 */
function portOf(url: string | null): number | null {
  const parsed = url === null ? null : URL.parse(url);
  if (parsed === null) return null;
  return Number(parsed.port) || (/^(?:https|wss):$/.test(parsed.protocol) ? 443 : 80);
}
