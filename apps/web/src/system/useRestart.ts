import { listMissions, listPlatforms, type Mission, shutdown } from '@osprey/contract';
import { useState } from 'react';
import { type Api, useApi } from '../api/api.ts';
import { errorText } from '../base/transport-error.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

/** Question that a user must answer before a restart. */
type Question = { kind: 'restart' } | { kind: 'recorder'; recorded: readonly Recorded[] };

/** A running recording, with its mission's label. */
export type Recorded = Pick<Mission, '_id' | 'name' | 'securityClassification' | 'marked'> & { platform: string };

/** Restarts the server after confirmation; the second question is asked only if something is being recorded. */
export function useRestart() {
  const api = useApi();
  const { show } = useSnackbar();
  const [question, setQuestion] = useState<Question | null>(null);
  const [busy, setBusy] = useState(false);

  async function restart(withRecorder: boolean) {
    setBusy(true);
    try {
      await api.call(shutdown, { query: { restart: '1', ...(withRecorder && { force: 'true' }) } });
      show(texts.restart.running, 'info');
    } catch (error) {
      show(errorText(error), 'error');
    }
    setBusy(false);
    setQuestion(null);
  }

  async function confirm() {
    setBusy(true);
    // If the recordings cannot be read, the recorder is not restarted, so that nothing is lost.
    const recorded = await readRecorded(api).catch((): Recorded[] => []);
    if (recorded.length === 0) return restart(false);
    setQuestion({ kind: 'recorder', recorded });
    setBusy(false);
  }

  return {
    question,
    busy,
    ask: () => setQuestion({ kind: 'restart' }),
    cancel: () => setQuestion(null),
    confirm,
    restart,
  };
}

async function readRecorded(api: Api): Promise<Recorded[]> {
  const running = (await api.call(listPlatforms, {})).filter(({ live }) => live);
  const ids = running.flatMap(({ mission }) => mission ?? []);
  if (ids.length === 0) return [];
  const missions = await api.call(listMissions, { query: { ids: ids.join(',') } });
  return missions.map(({ _id, name, securityClassification, marked }) => {
    const platform = running.find(({ mission }) => mission === _id)?.name ?? '';
    return { _id, name, securityClassification, marked, platform };
  });
}
