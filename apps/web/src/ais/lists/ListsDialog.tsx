import {
  mdiFerry,
  mdiFormatListBulleted,
  mdiPencilOutline,
  mdiPlus,
  mdiTrashCanOutline,
  mdiTrayArrowDown,
  mdiTrayArrowUp,
} from '@mdi/js';
import { Box, Button, Checkbox, IconButton, Tooltip, Typography } from '@mui/material';
import { can, deleteShipList, SHIP_LIST_SHIPS_MAX, type ShipListRow } from '@osprey/contract';
import { type ChangeEvent, useRef, useState } from 'react';
import { useApi } from '../../api/api.ts';
import { addressOf } from '../../api/http-api.ts';
import { useActor } from '../../api/session.ts';
import { fill, formatCount, formatNumber, plainText } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { Action } from '../../ui/Action.tsx';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { PlainDialog } from '../../ui/dialog/PlainDialog.tsx';
import { useDelete } from '../../ui/dialog/useDelete.ts';
import { Icon } from '../../ui/Icon.tsx';
import { HighestMark } from '../../ui/label/HighestMark.tsx';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import { Notice } from '../../ui/notice/Notice.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { Swatch } from '../../ui/Swatch.tsx';
import type { AisFilter } from '../ais-filter.ts';
import { ListDialog, type ListStart } from './ListDialog.tsx';
import { ListShips } from './ListShips.tsx';
import { readShipsCsv } from './read-csv.ts';
import { listTexts as texts } from './texts.ts';
import { useShipLists } from './useShipLists.ts';

const FILE_MAX_BYTES = 1_000_000;

type Props = {
  filter: Pick<AisFilter, 'plain'>;
  onChange: (part: Pick<AisFilter, 'plain'>) => void;
  onClose: () => void;
};
type Open = { what: 'ships' | 'edit' | 'remove'; row: ShipListRow } | { what: 'create'; start: ListStart };

/** Dialog with all ship lists that the user can see, and the actions on them. */
export function ListsDialog({ filter, onChange, onClose }: Props) {
  const actor = useActor();
  const { rows, error, isRead } = useShipLists(filter);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const mayMake = can(actor, 'shiplist.createAny').allowed;
  const toggle = (id: string, isShown: boolean) =>
    onChange({ plain: isShown ? filter.plain.filter((one) => one !== id) : [...filter.plain, id] });
  return (
    <>
      <PlainDialog
        title={texts.title}
        mark={rows.length > 0 && <HighestMark items={rows.map((row) => ({ ...row, marked: true }))} />}
        onClose={onClose}
      >
        <Box sx={{ p: 4, display: 'grid', gap: 3, alignContent: 'start', minHeight: 240, overflowY: 'auto' }}>
          {mayMake && (
            <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap' }}>
              <Button
                variant="outlined"
                startIcon={<Icon path={mdiPlus} />}
                onClick={() => setOpen({ what: 'create', start: { name: '', ships: [] } })}
              >
                {texts.add}
              </Button>
              <CsvButton onRead={(start) => setOpen({ what: 'create', start })} />
            </Box>
          )}
          {error !== null && <Typography color="error">{fill(texts.failed, { text: errorText(error) })}</Typography>}
          {isRead && rows.length === 0 && (
            <Notice icon={mdiFerry} title={texts.empty.title} text={mayMake ? texts.empty.text : texts.empty.guest} />
          )}
          <Box component="ul" aria-label={texts.title} sx={{ listStyle: 'none', m: 0, p: 0 }}>
            {rows.map((row) => (
              <Row
                key={row._id}
                row={row}
                isShown={!filter.plain.includes(row._id)}
                onShown={(isShown) => toggle(row._id, isShown)}
                onOpen={(what) => setOpen({ what, row })}
              />
            ))}
          </Box>
        </Box>
      </PlainDialog>
      {open?.what === 'create' && <ListDialog row={null} start={open.start} onClose={close} />}
      {open?.what === 'edit' && <ListDialog row={open.row} onClose={close} />}
      {open?.what === 'ships' && (
        // Use the current version of the list, since ships may have been added or removed since the dialog was opened.
        <ListShips row={rows.find(({ _id }) => _id === open.row._id) ?? open.row} onClose={close} />
      )}
      {open?.what === 'remove' && <DeleteList row={open.row} onClose={close} />}
    </>
  );
}

type RowProps = {
  row: ShipListRow;
  isShown: boolean;
  onShown: (isShown: boolean) => void;
  onOpen: (what: 'ships' | 'edit' | 'remove') => void;
};

function Row({ row, isShown, onShown, onOpen }: RowProps) {
  const actor = useActor();
  const name = plainText(row.name);
  const words = texts.row;
  const mayExport = can(actor, 'ais.export').allowed;
  return (
    <Box
      component="li"
      sx={{
        ...{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, py: 1.5 },
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Box sx={{ flex: 'none', width: 32, display: 'flex', justifyContent: 'center' }}>
        {row.colour !== null && (
          <Checkbox
            checked={isShown}
            onChange={(_event, shown) => onShown(shown)}
            slotProps={{ input: { 'aria-label': fill(texts.shownInColour, { name }) } }}
          />
        )}
      </Box>
      {row.colour !== null && <Swatch color={row.colour} />}
      <Box sx={{ flex: '1 1 180px', minWidth: 0 }}>
        <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{name}</Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {formatCount(row.ships, texts.ships)} · {row.own ? texts.own : fill(texts.of, { name: plainText(row.owner) })}
        </Typography>
      </Box>
      <LabelMark label={row.securityClassification} marked />
      <Box sx={{ display: 'flex', ml: 'auto' }}>
        <Action label={fill(words.ships, { name })} icon={mdiFormatListBulleted} onClick={() => onOpen('ships')} />
        {mayExport && (
          <Tooltip title={fill(words.csv, { name })}>
            {/* The browser's own download: nothing is held in memory. */}
            <IconButton
              component="a"
              href={addressOf('/shiplists/:id/csv', { params: { id: row._id } })}
              download
              aria-label={fill(words.csv, { name })}
            >
              <Icon path={mdiTrayArrowDown} />
            </IconButton>
          </Tooltip>
        )}
        {row.deletable && (
          <>
            <Action label={fill(words.edit, { name })} icon={mdiPencilOutline} onClick={() => onOpen('edit')} />
            <Action label={fill(words.remove, { name })} icon={mdiTrashCanOutline} onClick={() => onOpen('remove')} />
          </>
        )}
      </Box>
    </Box>
  );
}

/** Button that lets the user choose a CSV file, and reads the ships in it. */
function CsvButton({ onRead }: { onRead: (start: ListStart) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const { show } = useSnackbar();

  async function read(event: ChangeEvent<HTMLInputElement>) {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (file === undefined) return;
    if (file.size > FILE_MAX_BYTES) return show(texts.csv.tooLarge, 'error');
    const text = await file.text().catch(() => null);
    if (text === null) return show(texts.csv.unread, 'error');
    const { ships, wrong } = readShipsCsv(text);
    if (ships.length === 0) return show(texts.csv.none, 'error');
    if (ships.length > SHIP_LIST_SHIPS_MAX) {
      return show(fill(texts.csv.tooMany, { count: formatNumber(SHIP_LIST_SHIPS_MAX) }), 'error');
    }
    onRead({ name: file.name.replace(/\.[^.]*$/, '').slice(0, 64), ships, skipped: wrong });
  }

  return (
    <>
      <Button startIcon={<Icon path={mdiTrayArrowUp} />} onClick={() => input.current?.click()}>
        {texts.importCsv}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.txt,text/csv,text/plain"
        aria-label={texts.importCsv}
        onChange={(event) => void read(event)}
      />
    </>
  );
}

function DeleteList({ row, onClose }: { row: ShipListRow; onClose: () => void }) {
  const api = useApi();
  const { busy, confirm } = useDelete({
    queryKey: ['shiplists'],
    remove: async () => ({ said: (await api.call(deleteShipList, { params: { id: row._id } })).message }),
    failed: (text) => fill(texts.remove.failed, { text }),
    onClose,
  });

  return (
    <ConfirmDialog
      danger
      mark={<LabelMark label={row.securityClassification} marked />}
      title={fill(texts.remove.title, { name: plainText(row.name) })}
      confirmText={texts.remove.confirm}
      busy={busy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {fill(texts.remove.text, { ships: formatCount(row.ships, texts.ships) })}
    </ConfirmDialog>
  );
}
