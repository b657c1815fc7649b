import { mdiAccessPointOff, mdiVideoOffOutline } from '@mdi/js';
import { Notice } from '../ui/notice/Notice.tsx';
import { texts } from './texts.ts';

type Props = {
  /** True if something is selected in the table, but none of it is video. */
  chosen: boolean;
};

/** Notice that says why the live view has no player. If there are no platforms, the table below says so. */
export function NothingWatched({ chosen }: Props) {
  return chosen ? (
    <Notice icon={mdiVideoOffOutline} {...texts.none} />
  ) : (
    <Notice icon={mdiAccessPointOff} {...texts.nothing} />
  );
}
