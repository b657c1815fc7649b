import {
  Box,
  FormControlLabel,
  InputBase,
  Switch,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
} from '@mui/material';
import type { KlvHealth } from '@osprey/contract';
import { useState } from 'react';
import { fill, formatNumber } from '../base/format.ts';
import { copyText } from '../telemetry/values.ts';
import { Block } from './Card.tsx';
import { knownTagCount, shareOf } from './report.ts';
import { texts } from './texts.ts';

/** The last value says more: where there is no room for both, the first goes whole. */
const firstSx = { minWidth: 140, '@container (max-width: 640px)': { display: 'none' } } as const;

type Props = { health: KlvHealth; chosen: number | null; onChoose: (tag: number) => void };

/** Table of all items that occur, with their frequency, first value and last value. Selecting a row draws its curve. */
export function TagTable({ health, chosen, onChoose }: Props) {
  const [search, setSearch] = useState('');
  const [incomplete, setIncomplete] = useState(false);
  const words = search.toLowerCase();
  const rows = health.tags.filter(
    ({ tag, name, sets }) =>
      (words === '' || `${tag} ${name}`.toLowerCase().includes(words)) && (!incomplete || sets < health.sets),
  );
  const names = texts.columns;

  return (
    <Block
      title={texts.tags}
      aside={
        <>
          <Box component="span" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
            {fill(texts.tagsSeen, { count: health.tags.length, all: knownTagCount })}
          </Box>
          <InputBase
            placeholder={texts.search}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            inputProps={{ 'aria-label': texts.search, type: 'search' }}
            sx={{ ml: 'auto', fontSize: 12, width: 120 }}
          />
          <FormControlLabel
            control={<Switch checked={incomplete} onChange={(event) => setIncomplete(event.target.checked)} />}
            label={texts.missingOnly}
            slotProps={{ typography: { sx: { fontSize: 12, whiteSpace: 'nowrap' } } }}
            sx={{ mr: 0 }}
          />
        </>
      }
    >
      <Box sx={{ overflow: 'auto', containerType: 'inline-size' }} tabIndex={0} role="group" aria-label={texts.tags}>
        <Table size="small" stickyHeader aria-label={texts.tags} sx={{ '& td, & th': { height: 30, px: 2 } }}>
          <TableHead>
            <TableRow>
              <TableCell>{names.tag}</TableCell>
              <TableCell>{names.name}</TableCell>
              <TableCell>{names.present}</TableCell>
              <TableCell align="right">{names.rate}</TableCell>
              <TableCell sx={firstSx}>{names.first}</TableCell>
              <TableCell>{names.last}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.map((item) => (
              <TableRow
                key={item.tag}
                hover
                selected={item.tag === chosen}
                onClick={() => onChoose(item.tag)}
                sx={{ cursor: 'pointer' }}
              >
                <TableCell>{item.tag}</TableCell>
                <TableCell sx={{ maxWidth: 220 }} title={item.name}>
                  <button
                    type="button"
                    aria-pressed={item.tag === chosen}
                    style={{ all: 'unset', cursor: 'pointer', outline: 'revert' }}
                  >
                    {item.name}
                  </button>
                </TableCell>
                <TableCell>
                  <Presence share={shareOf(item.sets, health.sets)} />
                </TableCell>
                <TableCell align="right">{rateOf(item.sets, health)}</TableCell>
                <TableCell sx={firstSx}>{copyText(String(item.tag), item.first)}</TableCell>
                <TableCell sx={{ minWidth: 140 }}>{copyText(String(item.tag), item.last)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
    </Block>
  );
}

function rateOf(sets: number, { ratePerSecond, sets: all }: KlvHealth): string {
  return ratePerSecond === null ? formatNumber(null) : formatNumber(ratePerSecond * shareOf(sets, all), 1);
}

/** Shows the share of sets that contain a tag, as a bar and in percent; amber below 100 %. */
function Presence({ share }: { share: number }) {
  const percent = share >= 1 ? 100 : Math.min(99, Math.round(share * 100));
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5 }}>
      <Box sx={{ width: 40, height: 3, borderRadius: 1, bgcolor: 'surface.lineStrong', overflow: 'hidden' }}>
        <Box sx={{ width: `${percent}%`, height: '100%', bgcolor: share >= 1 ? 'success.main' : 'warning.main' }} />
      </Box>
      <Box component="span" sx={{ width: 44, textAlign: 'right' }}>
        {fill(texts.percent, { percent })}
      </Box>
    </Box>
  );
}
