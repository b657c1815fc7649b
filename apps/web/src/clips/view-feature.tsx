import { mdiBriefcasePlusOutline, mdiMovieOpenOutline } from '@mdi/js';
import { can, type Mission } from '@osprey/contract';
import { type ComponentProps, useEffect, useMemo, useState } from 'react';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { factsOf } from '../base/mission-rights.ts';
import { errorText } from '../base/transport-error.ts';
import type { InView, OpenLive, OpenView, ViewFeature } from '../missionview/feature.ts';
import { texts as viewTexts } from '../missionview/texts.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { useSelection } from '../timeline/marks.ts';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { ClipToCaseAction } from './ClipToCaseAction.tsx';
import { clipsView } from './clips-view.ts';
import { ExportAction } from './ExportAction.tsx';
import { barsOf } from './pins.ts';
import { texts } from './texts.ts';
import { useClips } from './useClips.ts';
import { useMayClip } from './useMayClip.ts';

const ClipToCaseDialog = laterDialog(async () => (await import('./ClipToCaseDialog.tsx')).ClipToCaseDialog);
const ExportDialog = laterDialog(async () => (await import('./ExportDialog.tsx')).ExportDialog);

export const clipsFeature: ViewFeature = {
  id: 'clips',
  keys: [
    { keys: { E: 'export' }, text: 'Export from In to Out' },
    { keys: { C: 'clipToCase' }, text: 'Clip from In to Out into a case' },
  ],
  menu: [
    { command: 'export', label: texts.menu, icon: mdiMovieOpenOutline, isOffered: ({ marked }) => marked !== null },
    { command: 'export', label: texts.keptMenu, icon: mdiMovieOpenOutline, isOffered: ({ marked }) => marked === null },
    {
      command: 'clipToCase',
      label: texts.toCase.menu,
      icon: mdiBriefcasePlusOutline,
      isOffered: ({ marked }) => marked !== null,
    },
  ],
  actions: [
    { group: 'span', onPhone: true, Button: ExportAction },
    { group: 'span', Button: ClipToCaseAction },
  ],
  useInView: useClipsInView,
  activityTexts: {
    'clip.export': 'Exported a clip',
    'clip.exported': 'Clip was sent',
    'clip.read': 'Opened clips',
    'clip.create': 'Added a clip',
    'clip.update': 'Changed a clip',
    'clip.delete': 'Deleted a clip',
  },
};

/** The sensor that a dialog begins with, and the end of the playable time. */
type Chosen = { sensorId: string; endUs: number };

function useClipsInView(view: OpenView): InView {
  const { mission, onOrdered } = view;
  const actor = useActor();
  const { clock } = useViewServices();
  const { show } = useSnackbar();
  const api = useApi();
  const { clips } = useClips(mission?._id ?? null);
  const [exporting, setExporting] = useState<Chosen | null>(null);
  const [collecting, setCollecting] = useState<Chosen | null>(null);
  const mayClip = useMayClip(view) && can(actor, 'case.createAny').allowed;
  const mayExport = mission !== null && can(actor, 'clip.export', { ...factsOf(mission), authorId: null }).allowed;
  useEffect(() => {
    if (mission) clipsView.set({ mission, clock, mayExport, onOrdered });
    return () => clipsView.set(null);
  }, [mission, clock, mayExport, onOrdered]);

  function exportClip() {
    if (view.view === 'live') {
      if (view.stream === null) return show(viewTexts.noMaster, 'warning');
      if (view.marked === null && actor.role === 'guest') return show(texts.guest, 'warning');
      if (view.marked === null) return void exportUnrecorded(view.stream);
    }
    // The mission of the running recording has not been read yet.
    if (mission === null) return;
    if (!mayExport) return show(texts.guest, 'warning');
    setExporting(chosen(mission));
  }

  function clipToCase() {
    if (view.marked === null) return show(viewTexts.unrecorded, 'warning');
    if (mission === null) return;
    if (!mayClip) return show(texts.toCase.notAllowed, 'warning');
    setCollecting(chosen(mission));
  }

  /** Returns what a dialog begins with; null if there is no video. */
  function chosen(of: Mission): Chosen | null {
    const sensorId = sensorToExport(of);
    if (sensorId === undefined) return null;
    // Playback of a recording is paused behind the dialog; live pictures continue.
    if (view.view === 'mission') clock.pause();
    return { sensorId, endUs: clock.get().endUs };
  }

  async function exportUnrecorded({ sensor, platform }: NonNullable<OpenLive['stream']>) {
    try {
      const { exportKept } = await import('./export-kept.ts');
      show(await exportKept(api, sensor._id, `${platform.name} ${sensor.name}`), 'info');
    } catch (error) {
      show(fill(texts.keptFailed, { text: errorText(error) }), 'error');
    }
  }

  /** Returns the id, in the mission, of the sensor to export. */
  function sensorToExport({ sensors }: Mission): string | undefined {
    const led = view.view === 'live' ? view.stream?.sensor.missionSensor : clock.get().leader;
    return led ?? sensors.find(({ type }) => type === 'video')?._id;
  }

  const sensors = view.view === 'mission' ? view.sensors : (mission?.sensors ?? []);
  return {
    marks: useMemo(() => barsOf(clips), [clips]),
    commands: { export: exportClip, clipToCase },
    dialogs: mission && (
      <>
        {exporting && (
          <ExportOfSelection {...{ mission, sensors, onOrdered, ...exporting }} onClose={() => setExporting(null)} />
        )}
        {collecting && <CaseOfSelection {...{ mission, sensors, ...collecting }} onClose={() => setCollecting(null)} />}
      </>
    ),
  };
}

function ExportOfSelection(props: Omit<ComponentProps<typeof ExportDialog>, 'inUs' | 'outUs'>) {
  const { inUs = null, outUs = null } = useSelection() ?? {};
  return <ExportDialog {...props} inUs={inUs} outUs={outUs} />;
}

function CaseOfSelection(props: Omit<ComponentProps<typeof ClipToCaseDialog>, 'inUs' | 'outUs'>) {
  const { inUs = null, outUs = null } = useSelection() ?? {};
  return <ClipToCaseDialog {...props} inUs={inUs} outUs={outUs} />;
}
