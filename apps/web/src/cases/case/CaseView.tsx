import {
  mdiAccountArrowRightOutline,
  mdiArrowLeft,
  mdiFolderZipOutline,
  mdiLockOpenVariantOutline,
  mdiLockOutline,
  mdiNotePlusOutline,
  mdiPencilOutline,
  mdiSortClockAscendingOutline,
  mdiTrashCanOutline,
} from '@mdi/js';
import { Box, Button, Tooltip, Typography } from '@mui/material';
import type { CasePart, CaseRow } from '@osprey/contract';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { fill, formatCount, formatNumber, plainText } from '../../base/format.ts';
import { useShownLabels } from '../../base/shown-labels.ts';
import { size } from '../../base/sizes.ts';
import { Action } from '../../ui/Action.tsx';
import { laterDialog } from '../../ui/dialog/later-dialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { TabStrip, tabPanelProps } from '../../ui/TabStrip.tsx';
import { DeleteCases } from '../DeleteCases.tsx';
import { ExportsPart } from '../exports/ExportsPart.tsx';
import { texts as exports } from '../exports/texts.ts';
import { useExportActs, useExports } from '../exports/useExports.ts';
import { texts as cases } from '../texts.ts';
import { CaseMap } from './CaseMap.tsx';
import { CommentsPart } from './CommentsPart.tsx';
import { FactsPart } from './FactsPart.tsx';
import { PartsList, showRow } from './PartsList.tsx';
import { idsByTime, isSameOrder } from './part-order.ts';
import { texts } from './texts.ts';
import { useCaseParts } from './useCaseParts.ts';
import { useComments } from './useComments.ts';
import { usePartActs } from './usePartActs.ts';

const CaseDialog = laterDialog(async () => (await import('../CaseDialog.tsx')).CaseDialog);
const ExportDialog = laterDialog(async () => (await import('../exports/ExportDialog.tsx')).ExportDialog);
const HandOverDialog = laterDialog(async () => (await import('./HandOverDialog.tsx')).HandOverDialog);
const HoldDialog = laterDialog(async () => (await import('./HoldDialog.tsx')).HoldDialog);
const NoteDialog = laterDialog(async () => (await import('./NoteDialog.tsx')).NoteDialog);

type Props = { row: CaseRow; onLeave: () => void };

type Doing = { kind: 'edit' | 'export' | 'handOver' | 'hold' | 'delete' } | { kind: 'note'; note: CasePart | null };

/** Page of one case, with its parts in order, their places on a map, and the comments. */
export function CaseView({ row, onLeave }: Props) {
  const { show } = useSnackbar();
  const listed = useCaseParts(row);
  const comments = useComments(row._id);
  const acts = usePartActs(row);
  const exported = useExports(row._id);
  const exportActs = useExportActs(row);
  const [chosen, setChosen] = useState<string | null>(null);
  const [doing, setDoing] = useState<Doing | null>(null);
  const [tab, setTab] = useState('comments');
  const focus = useRef(false);
  const { parts } = listed;
  useShownLabels(useMemo(() => [row, ...parts].map((one) => one.securityClassification), [row, parts]));
  const close = () => setDoing(null);

  function sortByTime() {
    const before = parts.map(({ _id }) => _id);
    const sorted = idsByTime(parts);
    if (!isSameOrder(before, sorted)) listed.reorder(sorted);
    const undo = { label: texts.undo, onClick: () => listed.reorder(before) };
    show(texts.sorted, 'success', ...(isSameOrder(before, sorted) ? [] : [undo]));
  }

  function chooseOnMap(id: string) {
    setChosen(id);
    // Wait for one animation frame, since the row may not be rendered yet.
    requestAnimationFrame(() => showRow(id));
  }

  const count = comments.comments.length;
  const tabs = [
    {
      id: 'comments',
      label: count === 0 ? texts.tabs.comments : fill(texts.tabs.commentsCount, { count: formatNumber(count) }),
    },
    {
      id: 'exports',
      label:
        exported.exports.length === 0
          ? exports.tab
          : fill(exports.tabCount, { count: formatNumber(exported.exports.length) }),
    },
    { id: 'facts', label: texts.tabs.facts },
  ];
  return (
    <Box
      component="section"
      aria-label={fill(cases.number, { number: row.number })}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        height: '100%',
        minHeight: 0,
        gap: 2,
        overflowY: { xs: 'auto', md: 'hidden' },
      }}
    >
      <Panel sx={{ flex: 'none' }}>
        <Box
          role="toolbar"
          aria-label={fill(cases.number, { number: row.number })}
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            gap: 2,
            minHeight: size.toolbar,
            px: 2,
            py: 1,
          }}
        >
          <Action component={Link} {...({ to: '/cases' } as object)} label={texts.back} icon={mdiArrowLeft} />
          <Typography variant="h2" component="h1" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <Box component="span" sx={{ color: 'text.secondary', fontWeight: 500, mr: 2 }}>
              {fill(cases.number, { number: row.number })}
            </Box>
            {plainText(row.name)}
          </Typography>
          <LabelMark label={row.securityClassification} marked={row.marked} />
          {row.held && (
            <Tooltip title={texts.heldHint}>
              <Box
                component="span"
                tabIndex={0}
                sx={{ display: 'inline-flex', alignItems: 'center', gap: 1, color: 'warning.main', fontSize: 12 }}
              >
                <Icon path={mdiLockOutline} sx={{ fontSize: 16 }} />
                {texts.held}
              </Box>
            </Tooltip>
          )}
          <Box sx={{ flex: 1 }} />
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
            {row.editable && (
              <Action label={texts.edit} icon={mdiPencilOutline} onClick={() => setDoing({ kind: 'edit' })} />
            )}
            {row.holdable && (
              <Action
                label={row.held ? texts.release : texts.hold}
                icon={row.held ? mdiLockOpenVariantOutline : mdiLockOutline}
                onClick={() => setDoing({ kind: 'hold' })}
              />
            )}
            {row.deletable && (
              <Action
                label={texts.handOver}
                icon={mdiAccountArrowRightOutline}
                onClick={() => setDoing({ kind: 'handOver' })}
              />
            )}
            {row.deletable && (
              <Action
                label={texts.remove}
                hint={row.held ? cases.heldRow : undefined}
                icon={mdiTrashCanOutline}
                disabled={row.held}
                onClick={() => setDoing({ kind: 'delete' })}
              />
            )}
            {row.exportable && (
              <Button
                variant="contained"
                color="primary"
                startIcon={<Icon path={mdiFolderZipOutline} />}
                aria-label={exports.exportLabel}
                onClick={() => setDoing({ kind: 'export' })}
              >
                {exports.export}
              </Button>
            )}
          </Box>
        </Box>
      </Panel>
      <Box
        sx={{
          flex: { xs: 'none', md: 1 },
          minHeight: 0,
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1.5fr) minmax(0, 1fr)' },
          gridTemplateRows: { md: 'minmax(0, 1fr)' },
        }}
      >
        <Panel>
          <Box
            sx={{
              display: 'flex',
              alignItems: 'center',
              gap: 2,
              px: 3,
              minHeight: size.toolbar,
              borderBottom: 1,
              borderColor: 'divider',
            }}
          >
            <Typography variant="h3" component="h2">
              {texts.parts}
            </Typography>
            <Box component="span" role="status" sx={{ color: 'text.secondary', fontSize: 12 }}>
              {!listed.loading && formatCount(parts.length, texts.partsOf)}
            </Box>
            <Box sx={{ flex: 1 }} />
            {row.editable && parts.length > 1 && (
              <Action label={texts.sort} icon={mdiSortClockAscendingOutline} onClick={sortByTime} />
            )}
            {row.editable && (
              <Button
                aria-label={texts.addNoteLabel}
                startIcon={<Icon path={mdiNotePlusOutline} />}
                onClick={() => setDoing({ kind: 'note', note: null })}
              >
                {texts.addNote}
              </Button>
            )}
          </Box>
          <Box sx={{ flex: 1, minHeight: 0, overflowY: { md: 'auto' } }}>
            <PartsList
              row={row}
              listed={listed}
              acts={acts}
              chosen={chosen}
              onChoose={setChosen}
              onEditNote={(note) => setDoing({ kind: 'note', note })}
            />
            {row.editable && parts.length > 1 && (
              <Box sx={{ px: 3, py: 2, color: 'text.secondary', fontSize: 12, display: { xs: 'none', md: 'block' } }}>
                {texts.orderHelp}
              </Box>
            )}
          </Box>
        </Panel>
        <Box
          sx={{
            display: 'grid',
            gap: 2,
            minHeight: 0,
            gridTemplateColumns: 'minmax(0, 1fr)',
            gridTemplateRows: { xs: '280px auto', md: 'minmax(200px, 1fr) minmax(0, 1fr)' },
          }}
        >
          <Panel>
            <CaseMap parts={parts} chosen={chosen} onChoose={chooseOnMap} />
          </Panel>
          <Panel>
            <Box sx={{ borderBottom: 1, borderColor: 'divider', px: 1 }}>
              <TabStrip label={texts.tabs.label} tabs={tabs} chosen={tab} onChoose={setTab} focus={focus} />
            </Box>
            <Box {...tabPanelProps(tab)} sx={{ flex: 1, minHeight: 0, overflowY: { md: 'auto' } }}>
              {tab === 'comments' && <CommentsPart row={row} listed={comments} />}
              {tab === 'exports' && <ExportsPart row={row} listed={exported} acts={exportActs} />}
              {tab === 'facts' && <FactsPart row={row} />}
            </Box>
          </Panel>
        </Box>
      </Box>
      {doing?.kind === 'edit' && <CaseDialog row={row} onClose={close} />}
      {doing?.kind === 'export' && (
        <ExportDialog
          row={row}
          acts={exportActs}
          onClose={close}
          onBegun={() => {
            close();
            setTab('exports');
          }}
        />
      )}
      {doing?.kind === 'handOver' && <HandOverDialog row={row} onClose={close} />}
      {doing?.kind === 'hold' && <HoldDialog row={row} onClose={close} />}
      {doing?.kind === 'delete' && <DeleteCases rows={[row]} onClose={close} onDeleted={onLeave} />}
      {doing?.kind === 'note' && <NoteDialog row={row} note={doing.note} parts={parts} acts={acts} onClose={close} />}
    </Box>
  );
}

function Panel({ sx = {}, children }: { sx?: object; children: ReactNode }) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: 'column',
        minWidth: 0,
        minHeight: 0,
        border: 1,
        borderColor: 'divider',
        borderRadius: 2,
        overflow: 'hidden',
        bgcolor: 'surface.panel',
        ...sx,
      }}
    >
      {children}
    </Box>
  );
}
