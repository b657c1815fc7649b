import { Box, Tab, Tabs } from '@mui/material';
import { can } from '@osprey/contract';
import { useSearchParams } from 'react-router';
import { useActor } from '../api/session.ts';
import { size } from '../base/sizes.ts';
import { BinPanel } from '../keeping/BinPanel.tsx';
import { FoldersPanel } from '../keeping/FoldersPanel.tsx';
import { ImportPanel } from '../keeping/ImportPanel.tsx';
import { PlacesPanel } from '../keeping/PlacesPanel.tsx';
import { RetentionPanel } from '../keeping/RetentionPanel.tsx';
import { TilesPanel } from '../keeping/TilesPanel.tsx';
import { texts } from '../keeping/texts.ts';
import { NoRights } from './AdminFrame.tsx';
import { texts as pages } from './texts.ts';
import { usePageTitle } from './usePageTitle.ts';

const panels = {
  bin: { Panel: BinPanel, action: 'bin.list' },
  retention: { Panel: RetentionPanel, action: 'retention.manage' },
  imports: { Panel: ImportPanel, action: 'mission.createAny' },
  folders: { Panel: FoldersPanel, action: 'intake.manage' },
  tiles: { Panel: TilesPanel, action: 'tiles.manage' },
  places: { Panel: PlacesPanel, action: 'places.manage' },
} as const;
type Name = keyof typeof panels;

/**
 * Page with the bin, retention, imports, watched folders, map layers and places, limited to those that the role may
 * use.
 */
export function StoragePage() {
  usePageTitle(texts.title);
  const actor = useActor();
  const [query, setQuery] = useSearchParams();
  const own = (Object.keys(panels) as Name[]).filter((name) => can(actor, panels[name].action).allowed);
  const asked = own.find((name) => name === query.get('tab'));
  const current = asked ?? own[0];
  if (current === undefined) {
    return (
      <Box sx={{ height: '100%', display: 'flex' }}>
        <NoRights {...pages.noRights} />
      </Box>
    );
  }
  const { Panel } = panels[current];
  return (
    <Box
      sx={{
        position: 'relative',
        display: 'flex',
        flexDirection: 'column',
        height: '100%',
        minHeight: 0,
        m: { xs: 0, sm: 2 },
        maxHeight: { sm: 'calc(100% - 16px)' },
        border: { sm: 1 },
        borderColor: { sm: 'divider' },
        borderRadius: { sm: 2 },
        overflow: 'hidden',
        bgcolor: 'surface.panel',
      }}
    >
      <Tabs
        value={current}
        onChange={(_event, name: Name) => setQuery({ tab: name }, { replace: true })}
        variant="scrollable"
        aria-label={texts.title}
        sx={{ minHeight: size.toolbar, px: 2, borderBottom: 1, borderColor: 'divider', flex: 'none' }}
      >
        {own.map((name) => (
          <Tab
            key={name}
            value={name}
            label={texts.tabs[name]}
            id={`storage-tab-${name}`}
            aria-controls="storage-panel"
          />
        ))}
      </Tabs>
      <Box
        role="tabpanel"
        id="storage-panel"
        aria-labelledby={`storage-tab-${current}`}
        sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}
      >
        <Panel />
      </Box>
    </Box>
  );
}
