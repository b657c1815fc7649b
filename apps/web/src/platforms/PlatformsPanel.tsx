import { mdiPlus, mdiQuadcopter, mdiTrayArrowUp } from '@mdi/js';
import { Button, Typography } from '@mui/material';
import { can, type LivePlatform } from '@osprey/contract';
import { type ReactNode, useState } from 'react';
import { useActor } from '../api/session.ts';
import { useEvents } from '../events/events.ts';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { TablePanel } from '../ui/table/TablePanel.tsx';
import { usePlatformControl } from './control/usePlatformControl.ts';
import { DeletePlatform } from './edit/DeletePlatform.tsx';
import { texts as edit } from './edit/texts.ts';
import { LivePlatformsTable } from './LivePlatformsTable.tsx';
import type { Preview } from './LiveStateCell.tsx';
import { PlatformFilterBar } from './PlatformFilterBar.tsx';
import { PlatformsTools } from './PlatformsTools.tsx';
import { RowActions } from './RowActions.tsx';
import { texts } from './texts.ts';
import { useLivePlatforms } from './useLivePlatforms.ts';
import { useLiveSelection } from './useLiveSelection.ts';
import { usePlatformsView } from './usePlatformsView.ts';

const PlatformDialog = laterDialog(async () => (await import('./edit/PlatformDialog.tsx')).PlatformDialog);

type Asked = { kind: 'add' | 'upload' } | { kind: 'edit' | 'delete'; platform: LivePlatform };
type Props = {
  /** Component that shows the picture while the pointer is over a state. */
  preview: Preview;
  /** Renders the dialog for the upload of a whole configuration. */
  uploadDialog: (onClose: () => void) => ReactNode;
};

/** Table of the platforms, with the actions on them. */
export function PlatformsPanel({ preview, uploadDialog }: Props) {
  const actor = useActor();
  const { offlineSince } = useEvents();
  const live = useLivePlatforms();
  const selection = useLiveSelection(live.platforms);
  const view = usePlatformsView();
  const control = usePlatformControl();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const maySetUp = can(actor, 'platformConfig.manage').allowed;
  return (
    <>
      <TablePanel
        label={texts.title}
        tabs={
          <Typography variant="h2" component="p" sx={{ px: 2 }}>
            {texts.title}
          </Typography>
        }
        tools={
          <>
            <PlatformsTools live={live} view={view} />
            {maySetUp && (
              <Button
                variant="contained"
                color="primary"
                startIcon={<Icon path={mdiPlus} />}
                aria-label={edit.addLabel}
                onClick={() => setAsked({ kind: 'add' })}
              >
                {edit.add}
              </Button>
            )}
          </>
        }
        filters={<PlatformFilterBar live={live} view={view} />}
        faded={offlineSince !== null}
      >
        <LivePlatformsTable
          live={live}
          selection={selection}
          view={view}
          preview={preview}
          actions={{
            width: maySetUp ? 112 : 44,
            of: (row) => (
              <RowActions
                row={row}
                control={control}
                onEdit={(platform) => setAsked({ kind: 'edit', platform })}
                onDelete={(platform) => setAsked({ kind: 'delete', platform })}
              />
            ),
          }}
        >
          {maySetUp && (
            <Notice icon={mdiQuadcopter} title={texts.empty.title} text={texts.empty.admin}>
              <Button startIcon={<Icon path={mdiTrayArrowUp} />} onClick={() => setAsked({ kind: 'upload' })}>
                {edit.upload}
              </Button>
            </Notice>
          )}
        </LivePlatformsTable>
      </TablePanel>
      {asked?.kind === 'upload' && uploadDialog(close)}
      {asked?.kind === 'add' && <PlatformDialog platform={null} onClose={close} />}
      {asked?.kind === 'edit' && <PlatformDialog platform={asked.platform} onClose={close} />}
      {asked?.kind === 'delete' && <DeletePlatform platform={asked.platform} onClose={close} />}
    </>
  );
}
