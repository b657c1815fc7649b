import {
  type Actor,
  AppError,
  type ApplyOptions,
  type ChangedPlatform,
  type Classification,
  platformConfig,
} from '@osprey/contract';
import { authorize } from '../../base/access/authorize.ts';
import { refuseSharing } from '../../base/access/sharing.ts';
import { type Applied, type PlatformConfiguration, revisionOf } from './configuration.ts';
import { refusal } from './refusal.ts';
import { factsOf, type StoredPlatform } from './stored.ts';
import { configOf } from './write-file.ts';

/** `id`: id of the platform that was created or changed. */
export type Edited = Applied & { id: string; name: string };

/** Groups and label of a platform that is created with a name only. */
type EmptyPlatform = { ids: readonly string[]; securityClassification?: Classification | undefined };

/** Changes single platforms, applying the rules and versions of the whole configuration. */
export function platformEdit({ change, want, current, groupNames, lowestCeiling }: PlatformConfiguration) {
  /**
   * Creates a platform if `id` is null, or else changes that platform. @throws AppError notFound, revisionConflict,
   * ruleRefused, reasonNeeded
   */
  async function put(
    actor: Actor,
    id: string | null,
    changed: ChangedPlatform,
    options: ApplyOptions,
    fixed: Partial<StoredPlatform> = {},
  ): Promise<Edited> {
    const { revision, ...config } = changed;
    let written = '';
    const requested = await want(actor, [config]);
    const applied = await change(actor, options, async (tx, before) => {
      const old = id === null ? undefined : oneOf(before, id);
      if (old !== undefined && revision !== undefined && revision !== revisionOf([old])) {
        throw new AppError('revisionConflict');
      }
      const others = before.filter((platform) => platform !== old);
      if (others.some(({ name }) => name === config.name)) throw refusal(`Platform ${config.name} already exists.`);
      // The old platform is passed with its new name, so that it is matched as the same platform.
      const found = await requested(tx, old === undefined ? [] : [{ ...old, name: config.name }]);
      const [platform] = found.platforms;
      if (found.errors[0]) throw refusal(`${found.errors[0].text}.`);
      if (platform === undefined) throw new Error('A configuration came to no platform');
      written = platform.id;
      return { ...found, platforms: [...others, { ...platform, ...fixed }] };
    });
    return { ...applied, id: written, name: config.name };
  }

  return {
    put,

    /** @throws AppError notFound */
    async remove(actor: Actor, id: string): Promise<Edited> {
      let name = '';
      const applied = await change(actor, {}, async (_tx, before) => {
        name = oneOf(before, id).name;
        return unchecked(before.filter((platform) => platform.id !== id));
      });
      return { ...applied, id, name };
    },

    /**
     * Shares a platform with exactly these usergroups.
     *
     * @throws AppError notFound, forbidden, reasonNeeded, and the errors found by `shareProblem`
     */
    async share(actor: Actor, ref: string, usergroups: readonly string[], options: ApplyOptions): Promise<Edited> {
      let edited = { id: '', name: '' };
      const applied = await change(actor, options, async (tx, before) => {
        const old = before.find(({ id, name }) => id === ref || name === ref);
        if (old === undefined) throw new AppError('notFound');
        authorize(actor, 'platform.control', factsOf(old));
        const requested: StoredPlatform = { ...old, audience: 'groups', usergroups: [...new Set(usergroups)].sort() };
        await refuseSharing(tx, actor, factsOf(requested), old.usergroups);
        edited = old;
        return unchecked(before.map((platform) => (platform === old ? requested : platform)));
      });
      return { ...applied, id: edited.id, name: edited.name };
    },

    /**
     * Adds an empty platform with this name, shared with these usergroups. Its label counts as not chosen by a user.
     */
    async addEmpty(actor: Actor, name: string, { ids, securityClassification }: EmptyPlatform): Promise<Edited> {
      authorize(actor, 'platformConfig.manage');
      const groups = await groupNames();
      const names = ids.map((id) => groups.get(id));
      if (names.includes(undefined)) throw new AppError('unknownUsergroup');
      const label = securityClassification ?? (await lowestCeiling(ids));
      const config = platformConfig.safeParse({
        ...{ name, usergroups: names },
        ...(label && { securityClassification: label }),
      });
      if (!config.success) throw new AppError('invalid', { 'params.name': 'Not a name of a platform' });
      return put(actor, null, config.data, {}, { marked: false });
    },

    /** Returns the platform as it would be in the configuration file, and its revision. @throws AppError notFound */
    async config(actor: Actor, id: string) {
      const groups = await groupNames();
      const platform = oneOf(await current(actor), id);
      const config = { ...configOf(platform, (group) => groups.get(group)), revision: revisionOf([platform]) };
      return { config, platform };
    },
  };
}

export type PlatformEdit = ReturnType<typeof platformEdit>;

/** @throws AppError notFound */
function oneOf(platforms: readonly StoredPlatform[], id: string): StoredPlatform {
  const found = platforms.find((platform) => platform.id === id);
  if (found === undefined) throw new AppError('notFound');
  return found;
}

const unchecked = (platforms: StoredPlatform[]) => ({ platforms, errors: [], warnings: [] });
