import { mdiMovieOpenOutline } from '@mdi/js';
import { can } from '@osprey/contract';
import { type ComponentProps, useEffect, useMemo, useState } from 'react';
import { useActor } from '../api/session.ts';
import { factsOf } from '../base/mission-rights.ts';
import type { InView, OpenView, ViewFeature } from '../missionview/feature.ts';
import { useMoment } from '../missionview/useMoment.ts';
import { useParts } from '../onscreen/parts.ts';
import { useSelection } from '../timeline/marks.ts';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { clipsView } from './clips-view.ts';
import { ExportAction } from './ExportAction.tsx';
import { barsOf } from './pins.ts';
import { texts } from './texts.ts';
import { useClips } from './useClips.ts';

const ExportDialog = laterDialog(async () => (await import('./ExportDialog.tsx')).ExportDialog);

export const clipsFeature: ViewFeature = {
  id: 'clips',
  keys: [{ keys: { E: 'export' }, text: 'Export from In to Out', listedIn: 'mission' }],
  menu: [{ command: 'export', label: texts.menu, icon: mdiMovieOpenOutline }],
  actions: [{ group: 'span', onPhone: true, Button: ExportAction }],
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

function useClipsInView(view: OpenView): InView {
  const open = view.view === 'mission' ? view : null;
  const { mission = null, onOrdered } = open ?? {};
  const actor = useActor();
  const { clock } = useParts();
  const { show } = useSnackbar();
  const { spanInMission } = useMoment(view);
  const { clips } = useClips(mission?._id ?? null);
  const [exporting, setExporting] = useState<string | null>(null);
  const mayExport = mission !== null && can(actor, 'clip.export', { ...factsOf(mission), authorId: null }).allowed;
  useEffect(() => {
    if (mission && onOrdered) clipsView.set({ mission, clock, mayExport, onOrdered });
    return () => clipsView.set(null);
  }, [mission, clock, mayExport, onOrdered]);

  function exportClip() {
    if (open === null) return spanInMission();
    if (!mayExport) return show(texts.guest, 'warning');
    const sensorId = clock.get().leader ?? open.sensors.find(({ type }) => type === 'video')?._id;
    if (sensorId === undefined) return;
    clock.pause();
    setExporting(sensorId);
  }

  return {
    marks: useMemo(() => barsOf(clips), [clips]),
    commands: { export: exportClip },
    dialogs: open && exporting && (
      <ExportOfSelection
        {...{ mission: open.mission, sensors: open.sensors, sensorId: exporting, onOrdered: open.onOrdered }}
        onClose={() => setExporting(null)}
      />
    ),
  };
}

function ExportOfSelection(props: Omit<ComponentProps<typeof ExportDialog>, 'inUs' | 'outUs'>) {
  const { inUs = null, outUs = null } = useSelection() ?? {};
  return <ExportDialog {...props} inUs={inUs} outUs={outUs} />;
}
