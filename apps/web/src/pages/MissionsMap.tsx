import { Box } from '@mui/material';
import type { Mission } from '@osprey/contract';
import { useMemo } from 'react';
import { useAnnotationsGuest } from '../annotations/useAnnotationsOverlay.ts';
import { LastSeenMenu } from '../coverage/LastSeenMenu.tsx';
import { useLastSeenGuest } from '../coverage/useLastSeenGuest.ts';
import { PlacesMap } from '../map/PlacesMap.tsx';

type Props = { missions: readonly Mission[]; onSelect: (id: string) => void };

/** Map of all missions, with annotations and, if enabled, when the ground was last seen. */
export function MissionsMap({ missions, onSelect }: Props) {
  const annotations = useAnnotationsGuest();
  const layer = useLastSeenGuest();
  const { guest } = layer;
  const guests = useMemo(() => (guest === null ? [annotations] : [guest, annotations]), [annotations, guest]);
  return (
    <PlacesMap missions={missions} onSelect={onSelect} guests={guests}>
      <Box sx={{ position: 'absolute', top: 8, right: 8 }}>
        <LastSeenMenu layer={layer} />
      </Box>
    </PlacesMap>
  );
}
