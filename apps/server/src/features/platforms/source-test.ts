import {
  type Actor,
  classificationOf,
  classificationRank,
  type LicenceOption,
  type SourceTested,
  type testSource,
} from '@osprey/contract';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { SecretBox } from '../../base/access/secret-box.ts';
import { DecoderError, type Ffmpeg } from '../../base/ffmpeg/ffmpeg.ts';
import type { RecorderMirror } from '../../live/rows/mirror.ts';
import type { Probed } from '../../recorder-wire/protocol.ts';
import { type SourceCheck, sendersProblem } from '../../recorder-wire/source-address.ts';
import type { PlatformConfiguration } from './configuration.ts';
import { refusal } from './refusal.ts';
import { sealedAddress } from './requested.ts';
import type { StoredPlatform } from './stored.ts';

const PICTURE_WIDTH = 640;

export type SourceTestDeps = {
  configuration: Pick<PlatformConfiguration, 'current'>;
  box: SecretBox;
  checkSource: SourceCheck;
  probe: RecorderMirror['probe'];
  pictureAt: Ffmpeg['pictureAt'];
  licence: () => { options: ReadonlySet<LicenceOption> };
  log: Logger;
};

type Asked = z.output<typeof testSource.input>['body'];

/** `address` is shown without its secrets; `platform` is the one whose password was used, if any. */
type Tested = { result: SourceTested; address: string; platform: StoredPlatform | null };

export type SourceTest = ReturnType<typeof sourceTest>;

/** Tests an address before it is saved, under the rules of saving it. Nothing is stored. */
export function sourceTest(deps: SourceTestDeps) {
  const { configuration, box, checkSource, probe, pictureAt, licence, log } = deps;

  async function picture({ packets, error }: Probed): Promise<Pick<SourceTested, 'picture' | 'problem'>> {
    if (packets === null) return { picture: null, problem: error };
    try {
      const order = { bytes: Buffer.from(packets, 'base64'), width: PICTURE_WIDTH, type: 'jpeg' } as const;
      return { picture: (await pictureAt(order)).toString('base64'), problem: null };
    } catch (failure) {
      if (!(failure instanceof DecoderError)) throw failure;
      log.warn({ error: failure, detail: failure.detail }, 'the picture of a tested address could not be decoded');
      return { picture: null, problem: 'Video arrives, but its first picture cannot be decoded' };
    }
  }

  /**
   * @param signal ends the test when the caller leaves
   * @throws AppError ruleRefused if the address could not be saved either
   */
  return async (actor: Actor, { url, from, stored }: Asked, signal: AbortSignal): Promise<Tested> => {
    if (!licence().options.has('live')) throw refusal('The licence does not include live streams.');
    if (/^replay:/i.test(url)) throw refusal('A recording that is replayed needs no test.');
    const platforms = stored === undefined ? [] : await configuration.current(actor);
    const platform = platforms.find(({ id }) => id === stored?.platform) ?? null;
    const existing = platform?.sensors.find(({ name }) => name === stored?.sensor);
    const address = sealedAddress(box, { url, type: 'video' }, existing);
    if (typeof address === 'string') throw refusal(`${address}.`);
    const problem = (from.length > 0 ? sendersProblem(url) : null) ?? (await checkSource(url)).problem;
    if (problem !== null) throw refusal(`${problem}.`);

    const order = { sensorId: crypto.randomUUID(), name: 'test', type: 'video', senders: from, on: true } as const;
    const found = await probe({ ...order, senders: [...from], ...address }, signal);
    const { rank, klv, video, designation } = found;
    if (rank !== null && rank > classificationRank(actor.clearance)) {
      const hidden = { picture: null, name: null, mark: null, klv: false, video: null };
      const result = { ...hidden, problem: 'The security mark of the stream is above your clearance' };
      return { result, address: address.url, platform };
    }
    const mark = rank === null ? null : classificationOf(rank);
    const result = { ...(await picture(found)), name: designation, mark, klv, video };
    return { result, address: address.url, platform };
  };
}
