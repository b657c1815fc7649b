import { mdiAccessPointOff, mdiVideoOffOutline } from '@mdi/js';
import { Notice } from '../ui/notice/Notice.tsx';
import { texts } from './texts.ts';

type Props = {
  /** Something is chosen in the table, but nothing of it is video. */
  chosen: boolean;
};

/** Why the live view has no player; that there are no platforms, the table below says. */
export function NothingWatched({ chosen }: Props) {
  return chosen ? (
    <Notice icon={mdiVideoOffOutline} {...texts.none} />
  ) : (
    <Notice icon={mdiAccessPointOff} {...texts.nothing} />
  );
}
