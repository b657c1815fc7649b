import { type Mission, NO_PLATFORM_NAME } from '@osprey/contract';
import { plainText } from '../base/format.ts';

/** Text next to the platform: its name, else that of its mission. */
export const platformNameOf = ({ platform, name }: Pick<Mission, 'platform' | 'name'>): string =>
  platform.name === NO_PLATFORM_NAME ? name : plainText(platform.name);
