import { Autocomplete, Box } from '@mui/material';
import { type AisTarget, SEARCH_MAX } from '@osprey/contract';
import { useDeferredValue, useState } from 'react';
import { fill, plainText } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { Field } from '../../ui/fields/Field.tsx';
import { mmsiText } from '../columns.tsx';
import { compareTexts as texts } from './texts.ts';
import { type ShipScope, useShipsInScope } from './useShipNow.ts';

type Props = { except: number; value: AisTarget | null; scope: ShipScope; onChange: (ship: AisTarget | null) => void };

export const nameOf = ({ name, mmsi }: AisTarget): string => plainText(name ?? '') || mmsiText(mmsi);

/** Field to choose another ship of those shown; the ships are searched in the same way as in the table. */
export function ShipField({ except, value, scope, onChange }: Props) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const search = useDeferredValue(text.trim().slice(0, SEARCH_MAX));
  const found = useShipsInScope(search, scope, open);
  return (
    <Autocomplete
      open={open}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      options={(found.data ?? []).filter(({ mmsi }) => mmsi !== except)}
      value={value}
      onChange={(_event, ship) => onChange(ship)}
      onInputChange={(_event, typed, reason) => setText(reason === 'input' ? typed : '')}
      isOptionEqualToValue={(one, other) => one.mmsi === other.mmsi}
      getOptionLabel={nameOf}
      getOptionKey={({ mmsi }) => mmsi}
      filterOptions={(options) => options}
      loading={found.isFetching}
      loadingText={texts.searching}
      noOptionsText={search === '' ? texts.noShips : texts.noMatch}
      openOnFocus
      autoHighlight={search !== ''}
      renderOption={({ key, ...option }, row) => (
        <Box component="li" key={key} {...option} sx={{ gap: 2 }}>
          <Box component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
            {nameOf(row)}
          </Box>
          <Box component="span" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
            {mmsiText(row.mmsi)}
          </Box>
        </Box>
      )}
      renderInput={(params) => (
        <Field
          {...params}
          label={texts.search}
          problem={found.error === null ? undefined : fill(texts.failed, { message: errorText(found.error) })}
        />
      )}
    />
  );
}
