import { z } from 'zod';
import { defineCall, micros } from './core/call.ts';

/** Facts about the server. Without a login, only the fields up to `singleSignOn` are returned. */
export const info = z.object({
  serverName: z.string(),
  serverVer: z.string(),
  company: z.string().nullable(),
  logo: z.string().nullable(),
  registration: z.enum(['off', 'approval', 'open']),
  guest: z.boolean(),
  singleSignOn: z.boolean(),
  /** Label of the single sign-on button, if single sign-on is on. */
  singleSignOnName: z.string().optional(),
  serverStartTime: micros.optional(),
  demoMode: z.boolean().optional(),
  passwordMin: z.int().optional(),
  clientId: z.string().optional(),
  clientIp: z.string().optional(),
  useReverseProxy: z.boolean().optional(),
  useWebRtcVideo: z.boolean().optional(),
  useAis: z.boolean().optional(),
  /** Address of an external page about a ship, with `{mmsi}` as the placeholder for its MMSI; null if there is none. */
  shipLink: z.string().nullable().optional(),
  useLiveRtspHls: z.boolean().optional(),
  useLiveLowLatency: z.boolean().optional(),
  /** Null means this server itself, at live/{sensor}/whep. */
  webrtc_server_url: z.string().nullable().optional(),
  /** Address of the WebRTC service; null if WebRTC is switched off. */
  webrtc_service: z.string().nullable().optional(),
  /**
   * ICE servers in the format of RTCPeerConnection. TURN servers come with a username and credential for the caller,
   * valid for 10 minutes.
   */
  iceServers: z
    .array(z.object({ urls: z.string(), username: z.string().optional(), credential: z.string().optional() }))
    .optional(),
  playbackDataDelay: z.number().optional(),
  /** Whether conference rooms are available: not switched off and not excluded by the licence. */
  useConference: z.boolean().optional(),
  /** Roles that may create and delete rooms: only admins, or also groupAdmins for their own usergroups. */
  conferenceCreate: z.enum(['admins', 'groupAdmins']).optional(),
  conferenceServerUrl: z.string().nullable().optional(),
  conferenceServerPort: z.int().nullable().optional(),
  lk_url: z.string().nullable().optional(),
  custom_conference_server_url: z.string().nullable().optional(),
  /** Fields from here on are returned to superAdmin and admin only. */
  nodeInfo: z.string().optional(),
  videoDir: z.string().optional(),
  documentDir: z.string().optional(),
  supervisorPort: z.int().nullable().optional(),
  /** Address to which /stsupervisor redirects; null if none is configured. */
  supervisorUrl: z.string().nullable().optional(),
});
export type Info = z.output<typeof info>;

export const getInfo = defineCall({
  method: 'GET',
  path: '/info',
  summary: 'Returns name, version and features of this server',
  action: 'public.use',
  input: z.object({}),
  answer: info,
  errors: [],
});

export const getSystemInfo = defineCall({
  method: 'GET',
  path: '/systeminfo',
  summary: 'Returns the uptime of the machine, in seconds',
  action: 'system.read',
  input: z.object({}),
  answer: z.object({ systemUptime: z.number() }),
  errors: ['notSignedIn', 'forbidden'],
});

export const healthCheck = z.object({
  name: z.string(),
  state: z.enum(['ok', 'warning', 'failed']),
  /** A whole sentence; if something is wrong, it says how to fix it. */
  text: z.string(),
});
export type HealthCheck = z.output<typeof healthCheck>;

export const getHealth = defineCall({
  method: 'GET',
  path: '/health',
  summary: 'Returns whether the server is up; for superAdmin and admin also its checks',
  action: 'public.use',
  input: z.object({}),
  answer: z.object({
    status: z.enum(['up', 'down']),
    checks: z.array(healthCheck).optional(),
  }),
  errors: ['unavailable'],
});
