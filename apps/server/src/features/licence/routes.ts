import {
  AppError,
  getLicenceFile,
  getLicenceInfo,
  getLicenceLogo,
  isAdmin,
  type LicenceInfo,
  productOptions,
  uploadLicence,
} from '@osprey/contract';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { readSetting } from '../../base/db/settings.ts';
import { callRoute, type Http, publicCallRoute } from '../../base/http/call-route.ts';
import type { LicenceKeeper } from './keeper.ts';
import { checkToken, type Licence, nodeId, storeLicence } from './licence.ts';
import { drawLogo } from './logo.ts';
import type { Seats } from './seats.ts';
import { LicenceRefused } from './token.ts';

/** Maximum size of a token; one with the largest logo has about 350 KiB. */
const FILE_BYTES = 512 * 1024;
const LOGO_BYTES = 256 * 1024;
const LOGO_SECONDS = 86_400;
const FIELD = 'license';

export type LicenceRoutesDeps = Http & {
  db: Kysely<Database>;
  keysFolder: string;
  licence: LicenceKeeper;
  seats: Seats;
  /** Number of platforms that are being recorded now. */
  livePlatforms: () => number;
};

/** Routes of the licence. Everybody may see whether it is valid and its holder; only admins see the rest. */
export function licenceRoutes(deps: LicenceRoutesDeps): void {
  const { db, licence } = deps;

  callRoute(deps, getLicenceInfo, async ({ actor }) => {
    const now = licence.current();
    const shown = { valid: now.valid, message: now.message, company: now.company };
    return isAdmin(actor) ? { ...shown, details: await details(deps, now) } : shown;
  });

  callRoute(deps, getLicenceFile, async () => {
    const stored = await readSetting(db, 'licence');
    return { file: fileText(licence.current(), await nodeId(db)), token: stored?.token ?? '' };
  });

  callRoute(deps, uploadLicence, async ({ request, audit }) => {
    const token = await tokenOf(request);
    try {
      const payload = await checkToken(deps, token);
      const logo = payload.logo === undefined ? null : await drawLogo(logoBytes(payload.logo));
      await storeLicence(db, token, logo);
      await audit.write({ action: 'license.upload', result: 'valid', reason: payload.id });
    } catch (error) {
      if (!(error instanceof LicenceRefused)) throw error;
      await audit.write({ action: 'license.upload', decision: 'refused', result: 'invalid', reason: error.message });
      return { valid: false, message: error.message };
    }
    await licence.refresh();
    return { valid: true, message: licence.current().message };
  });

  publicCallRoute(deps, getLicenceLogo, async ({ input, reply }) => {
    const logo = licence.current().logo;
    if (logo === null || logo.version !== input.params.version) throw new AppError('notFound');
    reply.header('content-type', 'image/png').header('x-content-type-options', 'nosniff');
    reply.header('cache-control', `public, max-age=${LOGO_SECONDS}, immutable`);
    return logo.png;
  });
}

async function details({ db, seats, livePlatforms }: LicenceRoutesDeps, now: Licence) {
  const { payload } = now;
  return {
    state: now.state,
    node: await nodeId(db),
    issued: payload?.issued ?? null,
    expires: payload?.expires ?? null,
    users: { now: seats.count(), limit: now.usersMax },
    platforms: { now: livePlatforms(), limit: now.platformsMax },
    options: productOptions.map((option) => ({ option, on: now.options.has(option) })),
  } satisfies LicenceInfo['details'];
}

async function tokenOf(request: FastifyRequest): Promise<string> {
  if (!request.isMultipart()) throw new AppError('invalid', { body: `Send a form with the field ${FIELD}` });
  const part = await request.file({ limits: { fileSize: FILE_BYTES, files: 1, fields: 4 } });
  if (part === undefined || part.fieldname !== FIELD) {
    part?.file.resume();
    throw new AppError('invalid', { body: `The form has no file ${FIELD}` });
  }
  const bytes: Buffer[] = [];
  for await (const chunk of part.file) bytes.push(chunk as Buffer);
  if (part.file.truncated) throw new AppError('bodyTooLarge');
  return Buffer.concat(bytes).toString('utf8');
}

function logoBytes(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > LOGO_BYTES) throw new LicenceRefused('Its logo is larger than 256 KiB.');
  return bytes;
}

/** Text for human readers; times in ISO 8601. */
function fileText({ state, valid, message, payload }: Licence, node: string): string {
  const iso = (timeUs: number | undefined) => (timeUs === undefined ? 'none' : new Date(timeUs / 1000).toISOString());
  const { logo, ...rest } = payload ?? {};
  const shown = {
    license: state,
    valid,
    message,
    node,
    ...(payload === null
      ? { limits: 'none', options: productOptions }
      : { ...rest, issued: iso(payload.issued), expires: iso(payload.expires), logo: logo ? 'yes' : 'no' }),
  };
  return JSON.stringify(shown, null, 2);
}
