import { texts } from '../missions/texts.ts';
import { useLiveMissions } from '../missions/useLiveMissions.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';

type Options = {
  openId: string | null;
  /** Called when more missions were lost than the event can name. */
  onAll: () => void;
  onGone: (ids: readonly string[]) => void;
};

/** Keeps the page true while missions change, and says so where the open one is lost. */
export function useLostMissions({ openId, onAll, onGone }: Options): void {
  const { show } = useSnackbar();
  useLiveMissions((ids, all) => {
    if (all) onAll();
    if (openId !== null && ids.includes(openId)) show(texts.revoked, 'warning');
    onGone(ids);
  });
}
