import { mdiClose } from '@mdi/js';
import { Box, Button, Typography } from '@mui/material';
import {
  AIS_VESSELS_MAX,
  getShipList,
  type ListedShip,
  listAisVessels,
  SHIP_NOTE_MAX,
  type ShipListRow,
} from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useApi } from '../../api/api.ts';
import { fill, formatCount, plainText } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { Action } from '../../ui/Action.tsx';
import { PlainDialog } from '../../ui/dialog/PlainDialog.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { SearchField } from '../../ui/filter/SearchField.tsx';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import { mmsiText } from '../columns.tsx';
import { listTexts as texts } from './texts.ts';
import { useSaveShips } from './useSaveShips.ts';

/** Maximum number of rows that are drawn; the others are found with the search field. */
const SHOWN_MAX = 200;
const words = texts.listed;

type Props = { row: ShipListRow; onClose: () => void };

/** Shows the ships of one list, with the names that the user may see. */
export function ListShips({ row, onClose }: Props) {
  const api = useApi();
  const { takeOff } = useSaveShips();
  const [search, setSearch] = useState('');
  const list = useQuery({
    queryKey: ['shiplists', 'one', row._id],
    queryFn: ({ signal }) => api.call(getShipList, { params: { id: row._id } }, { signal }),
  });
  const ships = list.data?.listed ?? [];
  const names = useNames(ships);
  const nameOf = ({ mmsi }: ListedShip) => plainText(names.get(mmsi) ?? '');
  const requested = search.trim().toLowerCase();
  const found = ships.filter((ship) =>
    [String(ship.mmsi), nameOf(ship), ship.note].some((text) => text.toLowerCase().includes(requested)),
  );
  return (
    <PlainDialog
      title={fill(texts.row.ships, { name: plainText(row.name) })}
      mark={<LabelMark label={row.securityClassification} marked />}
      onClose={onClose}
    >
      <Box sx={{ p: 4, display: 'grid', gap: 3, gridTemplateRows: 'auto auto 1fr', minHeight: 0, overflowY: 'auto' }}>
        {row.editable && <AddShip row={row} />}
        {ships.length > 10 && <SearchField label={words.find} value={search} onChange={setSearch} />}
        {list.error !== null && (
          <Typography color="error">{fill(texts.failed, { text: errorText(list.error) })}</Typography>
        )}
        {list.data && found.length === 0 && (
          <Typography sx={{ color: 'text.secondary' }}>{ships.length === 0 ? words.none : words.noMatch}</Typography>
        )}
        <Box component="ul" aria-label={fill(texts.row.ships, { name: plainText(row.name) })} sx={listSx}>
          {found.slice(0, SHOWN_MAX).map((ship) => (
            <Box component="li" key={ship.mmsi} sx={{ display: 'flex', alignItems: 'center', gap: 3, minHeight: 36 }}>
              <Box component="span" sx={{ fontVariantNumeric: 'tabular-nums', flex: 'none' }}>
                {mmsiText(ship.mmsi)}
              </Box>
              <Box component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
                <Box component="span" sx={{ fontWeight: 600 }}>
                  {nameOf(ship)}
                </Box>
                {ship.note !== '' && (
                  <Box component="span" sx={{ color: 'text.secondary', ml: nameOf(ship) === '' ? 0 : 2 }}>
                    {plainText(ship.note)}
                  </Box>
                )}
              </Box>
              {row.editable && (
                <Action
                  label={fill(words.remove, { name: nameOf(ship) || mmsiText(ship.mmsi) })}
                  icon={mdiClose}
                  onClick={() => void takeOff(row, [ship.mmsi])}
                />
              )}
            </Box>
          ))}
        </Box>
        {found.length > SHOWN_MAX && (
          <Typography sx={{ color: 'text.secondary' }}>{formatCount(found.length - SHOWN_MAX, words.more)}</Typography>
        )}
      </Box>
    </PlainDialog>
  );
}

const listSx = { listStyle: 'none', m: 0, p: 0, '& li + li': { borderTop: 1, borderColor: 'divider' } } as const;

/** Reads the names of the first AIS_VESSELS_MAX ships. */
function useNames(ships: readonly ListedShip[]): ReadonlyMap<number, string | null> {
  const api = useApi();
  const mmsi = ships.slice(0, AIS_VESSELS_MAX).map((ship) => String(ship.mmsi));
  const { data } = useQuery({
    queryKey: ['ais', 'listed', mmsi],
    queryFn: ({ signal }) => api.call(listAisVessels, { query: { mmsi } }, { signal }),
    enabled: mmsi.length > 0,
  });
  return new Map((data ?? []).map((vessel) => [vessel.mmsi, vessel.name]));
}

function AddShip({ row }: Pick<Props, 'row'>) {
  const { add } = useSaveShips();
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
  const digits = text.replace(/\s/g, '');
  const mmsi = /^\d{1,9}$/.test(digits) ? Number(digits) : 0;

  async function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    setTried(true);
    if (mmsi === 0 || !(await add(row, [{ mmsi, note: note.trim() }]))) return;
    setText('');
    setNote('');
    setTried(false);
  }

  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event: FormEvent) => void submit(event)}
      sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '160px 1fr auto' }, gap: 3, alignItems: 'end' }}
    >
      <Field
        label={words.mmsi}
        value={text}
        onChange={(event) => setText(event.target.value)}
        problem={tried && mmsi === 0 ? words.mmsiWrong : undefined}
        slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 15 } }}
      />
      <Field
        label={words.note}
        value={note}
        onChange={(event) => setNote(event.target.value)}
        slotProps={{ htmlInput: { maxLength: SHIP_NOTE_MAX } }}
      />
      <Button type="submit" variant="outlined">
        {words.add}
      </Button>
    </Box>
  );
}
