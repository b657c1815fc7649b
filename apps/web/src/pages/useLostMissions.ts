import { texts } from '../missions/texts.ts';
import { useLiveMissions } from '../missions/useLiveMissions.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';

type Options = {
  openId: string | null;
  /** Called if more missions became inaccessible than the event can list. */
  onAll: () => void;
  onGone: (ids: readonly string[]) => void;
};

/** Keeps the page up to date while missions change, and shows a message if the open one becomes inaccessible. */
export function useLostMissions({ openId, onAll, onGone }: Options): void {
  const { show } = useSnackbar();
  useLiveMissions((ids, all) => {
    if (all) onAll();
    if (openId !== null && ids.includes(openId)) show(texts.revoked, 'warning');
    onGone(ids);
  });
}
