import type { Mission } from '@osprey/contract';
import { ErrorBoundary } from '../shell/ErrorBoundary.tsx';
import { later } from '../ui/later.tsx';
import { TopSection } from './TopSection.tsx';

const MissionsMap = later(async () => (await import('./MissionsMap.tsx')).MissionsMap);

type Props = {
  missions: readonly Mission[];
  /** Null until it is known. */
  count: number | null;
  /** The map may be fetched. */
  idle: boolean;
  onSelect: (id: string) => void;
};

/** The places of all missions, above their table. */
export const MissionsTop = ({ missions, count, idle, onSelect }: Props) => (
  <TopSection count={count}>
    {idle && (
      // A map that cannot be loaded does not take the table with it.
      <ErrorBoundary>
        <MissionsMap missions={missions} onSelect={onSelect} />
      </ErrorBoundary>
    )}
  </TopSection>
);
