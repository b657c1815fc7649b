import type { Mission } from '@osprey/contract';
import { plainText } from '../app/format.ts';

/** The name of a platform that has none. */
const NO_NAME = '-';

/** What stands beside the platform: its name, else that of its mission. */
export const platformNameOf = ({ platform, name }: Pick<Mission, 'platform' | 'name'>): string =>
  platform.name === NO_NAME ? name : plainText(platform.name);
