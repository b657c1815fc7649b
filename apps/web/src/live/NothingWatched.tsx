import { mdiAccessPointOff, mdiVideoOffOutline } from '@mdi/js';
import { Notice } from '../ui/Notice.tsx';
import { texts } from './texts.ts';

type Props = {
  /** Something is chosen in the table, but nothing of it is video. */
  chosen: boolean;
  /** There are platforms. */
  any: boolean;
};

/** Why the live view has no player. */
export function NothingWatched({ chosen, any }: Props) {
  if (!any) return <Notice icon={mdiAccessPointOff} {...texts.noPlatforms} />;
  return chosen ? (
    <Notice icon={mdiVideoOffOutline} {...texts.none} />
  ) : (
    <Notice icon={mdiAccessPointOff} {...texts.nothing} />
  );
}
