import type { Server } from 'node:http';
import type { OpenReads } from '../base/access/open-reads.ts';
import type { Ffmpeg } from '../base/ffmpeg/ffmpeg.ts';
import type { Http } from '../base/http/call-route.ts';
import type { ConnectionLimit } from '../base/http/connection-limit.ts';
import type { Contents } from '../base/items/content.ts';
import type { LiveRights } from '../base/items/live-rights.ts';
import type { MediaTokens } from '../base/items/media-token.ts';
import type { Hub } from '../base/ws/hub.ts';
import type { LicenceKeeper } from '../features/licence/keeper.ts';
import type { Seats } from '../features/licence/seats.ts';
import type { Restart } from '../features/system/restart.ts';
import type { Usergroups } from '../features/usergroups/repository.ts';
import type { Users } from '../features/users/repository.ts';
import type { Audit } from './audit.ts';
import type { Backups } from './backups.ts';
import type { Conference } from './conference.ts';
import type { Dependencies } from './dependencies.ts';
import type { Documents } from './documents.ts';
import type { Identity } from './identity.ts';
import type { Licensing } from './licence.ts';
import type { Live } from './live.ts';
import type { Recordings } from './recordings.ts';
import type { Samples } from './samples.ts';
import type { Tiles } from './tiles.ts';
import type { Uploads } from './uploads.ts';

/** All that the api process opens before it serves its features; each takes of it what it needs. */
export type ApiDependencies = {
  http: Http;
  dependencies: Dependencies;
  /** The decoders of this process, which share one limit; the available isolation is found out at the first picture. */
  ffmpeg: () => Promise<Ffmpeg>;
  server: Server;
  hosts: ReadonlySet<string>;
  tls: boolean;
  databaseUrl: string;
  startedUs: number;
  connections: ConnectionLimit;
  restart: Restart | null;
  /** Returns whether notices of lost rights can be received. If not, nothing may be served based on cached rights. */
  isServing: () => boolean;
  live: LiveRights;
  reads: OpenReads;
  hub: Hub;
  audit: Audit;
  identity: Identity;
  mediaTokens: MediaTokens;
  users: Users;
  usergroups: Usergroups;
  guestAllowed: () => Promise<boolean>;
  /** Notifies an account's open pages of a change that was made to the account. */
  notifyAccount: (userId: string, action: string, result?: string | null) => void;
  licensing: Licensing;
  licence: LicenceKeeper;
  seats: Seats;
  nodeId: string;
  exportRefusal: () => string | null;
  /** Key that signs tickets of exports. */
  ticketKey: Buffer;
  setUp: { code: string | null; done: () => void };
  coordination: Live;
  mirror: Live['mirror'];
  contents: Contents;
} & Uploads &
  Documents &
  Recordings &
  Samples &
  Tiles &
  Backups &
  Conference;
