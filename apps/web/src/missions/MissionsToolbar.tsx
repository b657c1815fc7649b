import { mdiPencilOutline, mdiPlus, mdiShareVariantOutline } from '@mdi/js';
import { Box, Button, FormControlLabel, Switch } from '@mui/material';
import type { ReactNode } from 'react';
import { size } from '../base/sizes.ts';
import { Action } from '../ui/Action.tsx';
import { SearchField } from '../ui/filter/SearchField.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ColumnsMenu } from '../ui/table/ColumnsMenu.tsx';
import type { Columns } from '../ui/table/useColumnChoice.ts';
import { missionColumns } from './columns.tsx';
import { texts } from './texts.ts';

type Props = {
  /** Tabs at the left end. */
  tabs: ReactNode;
  search: string;
  onSearch: (text: string) => void;
  columns: Columns;
  /** Whether admin mode is on; null: the role has no admin mode. */
  adminMode: boolean | null;
  /** True if admin mode cannot be turned off here. */
  adminFixed: boolean;
  onAdminMode: (on: boolean) => void;
  onAdd: () => void;
  onEdit: () => void;
  onShare: () => void;
  /** Additional actions of admin mode. */
  adminActions: ReactNode;
};

const words = texts.toolbar;

export function MissionsToolbar(props: Props) {
  const { tabs, search, onSearch, columns, adminMode, adminFixed, onAdminMode, onAdd, onEdit, onShare } = props;
  const { adminActions } = props;
  return (
    <Box
      role="toolbar"
      aria-label={texts.title}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 2,
        minHeight: size.toolbar,
        px: 2,
        py: { xs: 1, sm: 0.5 },
      }}
    >
      {tabs}
      <Box sx={{ flex: 1 }} />
      <SearchField label={texts.search.label} value={search} onChange={onSearch} />
      <Box sx={{ display: { xs: 'none', sm: 'block' } }}>
        <ColumnsMenu
          columns={missionColumns}
          hidden={columns.choice.hidden}
          onToggle={columns.toggle}
          onReset={columns.reset}
        />
      </Box>
      <Action label={words.share} icon={mdiShareVariantOutline} onClick={onShare} />
      {adminMode && <Action label={words.edit} icon={mdiPencilOutline} onClick={onEdit} />}
      {adminMode && adminActions}
      {adminMode !== null && !adminFixed && (
        <FormControlLabel
          control={<Switch checked={adminMode} onChange={(event) => onAdminMode(event.target.checked)} />}
          label={words.adminMode}
          labelPlacement="start"
          slotProps={{ typography: { variant: 'body2' } }}
          sx={{ mr: 1, color: 'text.secondary' }}
        />
      )}
      {adminMode && (
        <Button
          variant="contained"
          color="primary"
          startIcon={<Icon path={mdiPlus} />}
          onClick={onAdd}
          aria-label={words.addLabel}
        >
          {words.add}
        </Button>
      )}
    </Box>
  );
}
