import type { Mission } from '@osprey/contract';
import { type ReactNode, useContext, useMemo } from 'react';
import { MapPane } from '../map/MapPane.tsx';
import { landOverlay, namesOverlay } from '../map/overlays/base-overlays.ts';
import { frameOverlay } from '../map/overlays/frame-overlay.ts';
import { graticuleOverlay } from '../map/overlays/graticule-overlay.ts';
import { useRecordingOverlays } from '../map/overlays/useRecordingOverlays.ts';
import { useSiteOverlays } from '../map/overlays/useSiteOverlays.ts';
import { PageOverlays } from '../map/page-overlays.ts';
import { platformNameOf } from '../onscreen/platform-name.ts';

/**
 * Map of a mission view: shows the platform and what is known of each frame, and the server's data on the whole
 * recording.
 */
export function MissionMap({ mission, corner = null }: { mission: Mission; corner?: ReactNode }) {
  const { type, presentation } = mission.platform;
  const name = platformNameOf(mission);
  const { color: colour } = presentation;
  const site = useSiteOverlays();
  const recording = useRecordingOverlays(mission);
  const added = useContext(PageOverlays);
  const frame = useMemo(() => frameOverlay({ type, name, colour }), [type, name, colour]);
  const overlays = useMemo(
    () => [landOverlay, namesOverlay, ...site, graticuleOverlay, frame, ...recording, ...added],
    [site, frame, recording, added],
  );
  return <MapPane overlays={overlays} corner={corner} />;
}
