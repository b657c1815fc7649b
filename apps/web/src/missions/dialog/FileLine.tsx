import { mdiFileDocumentOutline, mdiFileVideoOutline, mdiMapMarkerPath } from '@mdi/js';
import { Box } from '@mui/material';
import type { DragEvent, ReactNode } from 'react';
import { formatSize } from '../../base/format.ts';
import { Icon } from '../../ui/Icon.tsx';
import { MANIFEST_NAME, TELEMETRY_NAME } from './files.ts';

type Props = {
  name: string;
  sizeBytes: number;
  /** Text shown below the line, while it applies. */
  note?: string | null;
  /** Makes the line draggable. */
  onDragStart?: (event: DragEvent) => void;
  children: ReactNode;
};

function iconOf(name: string): string {
  if (TELEMETRY_NAME.test(name)) return mdiMapMarkerPath;
  return MANIFEST_NAME.test(name) ? mdiFileDocumentOutline : mdiFileVideoOutline;
}

/** One line for a file of a sensor: its name, its size, and its state or actions. */
export function FileLine({ name, sizeBytes, note = null, onDragStart, children }: Props) {
  return (
    <Box component="li" sx={{ px: 3, py: { xs: 2, sm: 0 } }} {...(onDragStart && { draggable: true, onDragStart })}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 3, minHeight: 40 }}>
        <Box component="span" sx={{ flex: '1 1 220px', minWidth: 0, display: 'flex', alignItems: 'center', gap: 3 }}>
          <Icon path={iconOf(name)} sx={{ color: 'text.secondary' }} />
          <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            {name}
          </Box>
        </Box>
        {/* On a phone a line of its own, below the name. */}
        <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 2, ml: 'auto', minHeight: 40 }}>
          <Box component="span" sx={{ color: 'text.secondary', whiteSpace: 'nowrap', mr: 1 }}>
            {formatSize(sizeBytes)}
          </Box>
          {children}
        </Box>
      </Box>
      {note !== null && <Box sx={{ pl: 8, pb: 2, color: 'text.secondary', overflowWrap: 'anywhere' }}>{note}</Box>}
    </Box>
  );
}
