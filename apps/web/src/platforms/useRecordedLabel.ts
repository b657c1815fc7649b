import type { Classification, LivePlatform } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { highestOf } from '../base/shown-labels.ts';
import { missionQuery } from '../player/open-queries.ts';

/** The label of a dialog that names a platform and what is recorded of it: a mission may be above its platform. */
export function useRecordedLabel({ mission, securityClassification }: LivePlatform): Classification {
  const api = useApi();
  const { data } = useQuery({ ...missionQuery(api, mission ?? ''), enabled: mission !== null });
  return highestOf([securityClassification, data?.securityClassification ?? securityClassification]);
}
