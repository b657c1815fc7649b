import type { Mission } from '@osprey/contract';
import { useCallback } from 'react';
import { MapPane } from './MapPane.tsx';
import type { LayerDeps } from './useFrameMap.ts';

/** The map of a mission view: what the frames of its one platform show. */
export function MissionMap({ mission }: { mission: Mission }) {
  const { type, name, presentation } = mission.platform;
  const startLayer = useCallback(
    async (deps: LayerDeps) => (await import('./liveLayer.ts')).createLiveLayer({ ...deps, platform: { type, name } }),
    [type, name],
  );
  return <MapPane startLayer={startLayer} colour={presentation.color} mission={mission} />;
}
