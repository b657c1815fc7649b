import { Box } from '@mui/material';
import { formatCount } from '../base/format.ts';
import { SearchField } from '../ui/filter/SearchField.tsx';
import { StateDot } from '../ui/StateDot.tsx';
import { ColumnsMenu } from '../ui/table/ColumnsMenu.tsx';
import { platformColumns } from './columns.tsx';
import { texts } from './texts.ts';
import type { LivePlatforms } from './useLivePlatforms.ts';
import type { PlatformsView } from './usePlatformsView.ts';

const columns = platformColumns(undefined);
const words = texts.recording;

const recordingText = (count: number): string => (count === 0 ? words.none : formatCount(count, words));

/** Toolbar of the table of platforms: the number recorded, the search, and the choice of columns. */
export function PlatformsTools({ live, view }: { live: LivePlatforms; view: PlatformsView }) {
  const recording = live.platforms.filter((platform) => platform.live).length;
  return (
    <>
      <Box
        role="status"
        sx={{ display: 'flex', alignItems: 'center', gap: 1.5, whiteSpace: 'nowrap', color: 'text.secondary' }}
      >
        <StateDot state={recording > 0 ? 'live' : 'offline'} />
        {recordingText(recording)}
      </Box>
      <SearchField label={texts.search} value={view.filter.search} onChange={view.setSearch} />
      <Box sx={{ display: { xs: 'none', sm: 'block' } }}>
        <ColumnsMenu
          columns={columns}
          hidden={view.columns.choice.hidden}
          onToggle={view.columns.toggle}
          onReset={view.columns.reset}
        />
      </Box>
    </>
  );
}
