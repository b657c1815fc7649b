import { type Mission, NO_PLATFORM_NAME } from '@osprey/contract';
import { plainText } from '../base/format.ts';

/** Label of the platform on the map: its name, or that of its mission if it has none. */
export const platformNameOf = ({ platform, name }: Pick<Mission, 'platform' | 'name'>): string =>
  platform.name === NO_PLATFORM_NAME ? name : plainText(platform.name);
