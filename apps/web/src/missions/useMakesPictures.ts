import { isOfRecording, type Job } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';

/**
 * Returns whether pictures of a mission or sensor are being made. The tray reads the jobs, of the missions that the
 * account may edit; nothing is requested here.
 */
export function useMakesPictures(id: string): boolean {
  const { data } = useQuery<Job[], Error, boolean>({
    queryKey: ['jobs'],
    enabled: false,
    select: (jobs) => jobs.some((job) => isOfRecording(job) && isMaking(job) && isOf(job, id)),
  });
  return data ?? false;
}

const isMaking = ({ kind, state }: Job): boolean =>
  kind === 'thumbnails' && (state === 'waiting' || state === 'running');

const isOf = ({ missionId, sensorId }: { missionId: string; sensorId: string }, id: string): boolean =>
  missionId === id || sensorId === id;
