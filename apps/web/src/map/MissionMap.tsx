import type { Mission } from '@osprey/contract';
import { useCallback } from 'react';
import { platformNameOf } from '../onscreen/platform-name.ts';
import { MapPane } from './MapPane.tsx';
import type { LayerDeps } from './useFrameMap.ts';

/** The map of a mission view: what the frames of its one platform show. */
export function MissionMap({ mission }: { mission: Mission }) {
  const { type, presentation } = mission.platform;
  const name = platformNameOf(mission);
  const startLayer = useCallback(
    async (deps: LayerDeps) =>
      (await import('./overlays/live-layer.ts')).createLiveLayer({ ...deps, platform: { type, name } }),
    [type, name],
  );
  return <MapPane startLayer={startLayer} colour={presentation.color} mission={mission} />;
}
