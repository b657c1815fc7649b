import type { Classification, LivePlatform } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { highestOf } from '../base/shown-labels.ts';
import { missionQuery } from '../player/open-queries.ts';

/**
 * Returns the label for a dialog that names a platform and its recording, since a mission may have a higher label than
 * its platform.
 */
export function useRecordedLabel({ mission, securityClassification }: LivePlatform): Classification {
  const api = useApi();
  const { data } = useQuery({ ...missionQuery(api, mission ?? ''), enabled: mission !== null });
  return highestOf([securityClassification, data?.securityClassification ?? securityClassification]);
}
