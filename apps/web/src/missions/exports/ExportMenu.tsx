import { mdiTrayArrowDown } from '@mdi/js';
import { Button, MenuItem } from '@mui/material';
import { can, exportMissions, type Mission } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api.ts';
import { useActor } from '../../api/session.ts';
import { fill, formatCount, namesText } from '../../base/format.ts';
import { factsOf } from '../../base/mission-rights.ts';
import { errorText } from '../../base/transport-error.ts';
import { Action } from '../../ui/Action.tsx';
import { Menu } from '../../ui/Floating.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { downloadList } from './download.ts';
import { requestedExports } from './export-store.ts';
import { texts } from './texts.ts';

type Props = { missions: readonly Mission[]; look: 'icon' | 'button' };

/** Menu that exports the chosen missions as archives or lists. */
export function ExportMenu({ missions, look }: Props) {
  const api = useApi();
  const actor = useActor();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const ids = missions.map(({ _id }) => _id);
  const names = namesText(missions);

  function open(button: HTMLElement) {
    const refused = missions.filter((mission) => !can(actor, 'mission.export', factsOf(mission)).allowed);
    if (missions.length === 0) show(texts.none, 'warning');
    else if (refused.length > 0) show(fill(texts.notAllowed, { names: namesText(refused) }), 'warning');
    else setAnchor(button);
  }

  async function run(work: () => Promise<void>) {
    setAnchor(null);
    try {
      await work();
    } catch (error) {
      show(fill(texts.failed, { names, text: errorText(error) }), 'error');
    }
  }

  async function archive() {
    show(fill(texts.creating, { names }), 'info');
    const { id } = await api.call(exportMissions, { body: { missions: ids, async: true } });
    requestedExports.add(id);
    await queries.invalidateQueries({ queryKey: ['exports'] });
  }

  async function list(format: 'json' | 'csv') {
    await downloadList(format, ids);
    show(fill(formatCount(ids.length, texts.exported), { names }));
  }

  const trigger = { 'aria-haspopup': 'menu', 'aria-expanded': anchor !== null } as const;
  return (
    <>
      {look === 'icon' ? (
        <Action
          label={texts.button}
          icon={mdiTrayArrowDown}
          {...trigger}
          onClick={(event) => open(event.currentTarget)}
        />
      ) : (
        <Button
          variant="text"
          startIcon={<Icon path={mdiTrayArrowDown} />}
          {...trigger}
          onClick={(event) => open(event.currentTarget)}
        >
          {texts.button}
        </Button>
      )}
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <MenuItem onClick={() => void run(archive)}>{texts.archive}</MenuItem>
        <MenuItem onClick={() => void run(() => list('json'))}>{texts.json}</MenuItem>
        <MenuItem onClick={() => void run(() => list('csv'))}>{texts.csv}</MenuItem>
      </Menu>
    </>
  );
}
