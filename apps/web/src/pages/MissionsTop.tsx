import type { Mission } from '@osprey/contract';
import { ErrorBoundary } from '../shell/ErrorBoundary.tsx';
import { later } from '../ui/later.tsx';
import { TopSection } from './TopSection.tsx';

const MissionsMap = later(async () => (await import('./MissionsMap.tsx')).MissionsMap);

type Props = {
  missions: readonly Mission[];
  /** Number of missions; null until it is known. */
  count: number | null;
  /** The map may be loaded now. */
  idle: boolean;
  onSelect: (id: string) => void;
};

/** Section with the map of all missions, above their table. */
export const MissionsTop = ({ missions, count, idle, onSelect }: Props) => (
  <TopSection count={count}>
    {idle && (
      // Confines a failure to load the map, so that the table remains.
      <ErrorBoundary>
        <MissionsMap missions={missions} onSelect={onSelect} />
      </ErrorBoundary>
    )}
  </TopSection>
);
