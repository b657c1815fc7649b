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

/** `id`: the platform that was made or changed. */
export type Edited = Applied & { id: string; name: string };

/** A platform that is made by its name alone. */
type EmptyPlatform = { ids: readonly string[]; securityClassification?: Classification | undefined };

/** Changes of single platforms, with the rules and versions of the whole configuration. */
export function platformEdit({ change, want, current, groupNames, lowestCeiling }: PlatformConfiguration) {
  /** `id` null: a new one. @throws AppError notFound, revisionConflict, ruleRefused, reasonNeeded */
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
      // Under its new name, so that it is found as the one that it was.
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
     * Shares a platform with these usergroups alone.
     *
     * @throws AppError notFound, forbidden, reasonNeeded, and what `shareProblem` finds
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

    /** Adds a platform of this name with nothing in it, shared with these usergroups. Its label counts as not chosen. */
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

    /** As it would be in the file, and its revision. @throws AppError notFound */
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
