import { mdiClose, mdiDragVertical } from '@mdi/js';
import { Box } from '@mui/material';
import type { ReactNode } from 'react';
import { FloatingPanel, TELEMETRY_WIDTH } from '../telemetry/FloatingPanel.tsx';
import { Action } from '../ui/Action.tsx';
import { Icon } from '../ui/Icon.tsx';
import { texts } from './texts.ts';

type Props = {
  map: ReactNode;
  /** The telemetry floats in the default place, so the map is put next to it. */
  besideTelemetry: boolean;
  onClose: () => void;
};

const BESIDE = { x: TELEMETRY_WIDTH + 10 };

/** Small floating map over the video. */
export function FloatingMap({ map, besideTelemetry, onClose }: Props) {
  return (
    <FloatingPanel storageKey="floatingMap" first={besideTelemetry ? BESIDE : {}}>
      {(head) => (
        <Box sx={{ display: 'flex', flexDirection: 'column', height: '100%' }}>
          <Box
            {...head}
            tabIndex={0}
            role="group"
            aria-label={texts.moveMap}
            sx={{ display: 'flex', alignItems: 'center', height: 30, pl: 0.5, flex: 'none', cursor: 'move' }}
          >
            <Icon path={mdiDragVertical} sx={{ fontSize: 16, color: 'text.disabled' }} />
            <Box component="span" sx={{ flex: 1, fontSize: 13, fontWeight: 600 }}>
              {texts.mapTab}
            </Box>
            <Action label={texts.closeMap} icon={mdiClose} onClick={onClose} sx={{ width: 26, height: 26 }} />
          </Box>
          <Box sx={{ flex: 1, minHeight: 0 }}>{map}</Box>
        </Box>
      )}
    </FloatingPanel>
  );
}
