import { mdiTrashCanOutline, mdiTrayArrowDown } from '@mdi/js';
import { Button, Menu, MenuItem } from '@mui/material';
import { aisExportFormats, type Classification, can } from '@osprey/contract';
import { useState } from 'react';
import { addressOf } from '../api/http-api.ts';
import { useActor } from '../api/session.ts';
import { SearchField } from '../ui/filter/SearchField.tsx';
import { Icon } from '../ui/Icon.tsx';
import { type AisFilter, toQuery } from './ais-filter.ts';
import { DeleteAis } from './DeleteAis.tsx';
import { texts } from './texts.ts';

type Props = {
  filter: AisFilter;
  /** Highest label of the ships that may be shown. */
  label: Classification;
  sort: string;
  search: string;
  onSearch: (text: string) => void;
};
type Asked = 'targets' | 'vessels';

/** Tools of the ship table: search, export to a file, and deletion of ships. */
export function AisTools({ filter, label, sort, search, onSearch }: Props) {
  const actor = useActor();
  const [exporting, setExporting] = useState<HTMLElement | null>(null);
  const [deleting, setDeleting] = useState<HTMLElement | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const addressFor = (format: string) =>
    addressOf('/aistargets/export', { query: { ...toQuery(filter, search, Date.now() * 1000), sort, format } });
  const ask = (what: Asked) => {
    setDeleting(null);
    setAsked(what);
  };
  return (
    <>
      <SearchField label={texts.search} value={search} onChange={onSearch} />
      {can(actor, 'ais.export').allowed && (
        <Button
          startIcon={<Icon path={mdiTrayArrowDown} />}
          aria-haspopup="menu"
          onClick={(event) => setExporting(event.currentTarget)}
        >
          {texts.export}
        </Button>
      )}
      <Menu anchorEl={exporting} open={exporting !== null} onClose={() => setExporting(null)}>
        {exporting !== null &&
          aisExportFormats.map((format) => (
            // Downloaded by the browser itself, so that the file need not be held in memory.
            <MenuItem key={format} component="a" href={addressFor(format)} download onClick={() => setExporting(null)}>
              {texts.exportAs[format]}
            </MenuItem>
          ))}
      </Menu>
      {can(actor, 'ais.delete').allowed && (
        <Button
          color="error"
          startIcon={<Icon path={mdiTrashCanOutline} />}
          aria-haspopup="menu"
          onClick={(event) => setDeleting(event.currentTarget)}
        >
          {texts.delete}
        </Button>
      )}
      <Menu anchorEl={deleting} open={deleting !== null} onClose={() => setDeleting(null)}>
        <MenuItem onClick={() => ask('targets')}>{texts.deleteTargets}</MenuItem>
        <MenuItem onClick={() => ask('vessels')}>{texts.deleteVessels}</MenuItem>
      </Menu>
      {asked !== null && <DeleteAis what={asked} filter={filter} label={label} onClose={() => setAsked(null)} />}
    </>
  );
}
