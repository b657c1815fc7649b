import { mdiFolderZipOutline } from '@mdi/js';
import { Box } from '@mui/material';
import type { CaseExport, CaseRow } from '@osprey/contract';
import { useState } from 'react';
import { fill, formatSize, plainText } from '../../base/format.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { FailedNotice } from '../../ui/notice/FailedNotice.tsx';
import { Notice } from '../../ui/notice/Notice.tsx';
import { ExportRow } from './ExportRow.tsx';
import { holdsText } from './holds-text.ts';
import { texts } from './texts.ts';
import type { ExportActs, useExports } from './useExports.ts';

type Props = { row: CaseRow; listed: ReturnType<typeof useExports>; acts: ExportActs };

/** List of the exported versions of a case, newest first. */
export function ExportsPart({ row, listed, acts }: Props) {
  const { exports, loading, error, refetch } = listed;
  const [asking, setAsking] = useState<{ about: 'release' | 'remove'; version: CaseExport } | null>(null);
  if (error !== null && exports.length === 0) {
    return <FailedNotice title={texts.failed} error={error} onRetry={refetch} />;
  }
  if (!loading && exports.length === 0) {
    const { title, text, reader } = texts.none;
    return <Notice icon={mdiFolderZipOutline} title={title} text={row.exportable ? text : reader} />;
  }
  return (
    <>
      <Box component="ol" aria-label={texts.label} sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {exports.map((version) => (
          <ExportRow
            key={version._id}
            caseId={row._id}
            version={version}
            mayDownload={row.exportable}
            onRelease={() => setAsking({ about: 'release', version })}
            onRemove={() => setAsking({ about: 'remove', version })}
          />
        ))}
      </Box>
      {asking && <Question {...asking} acts={acts} onClose={() => setAsking(null)} />}
    </>
  );
}

type QuestionProps = { about: 'release' | 'remove'; version: CaseExport; acts: ExportActs; onClose: () => void };

function Question({ about, version: one, acts, onClose }: QuestionProps) {
  const [busy, setBusy] = useState(false);
  const { version, state } = one;
  const isOpen = state === 'Making' || state === 'WaitsForRelease';
  const { releaseQuestion: release, removeQuestion: remove } = texts;
  const title = about === 'release' ? release.title : isOpen ? remove.cancelTitle : remove.title;
  const text = about === 'release' ? release.text : isOpen ? remove.cancelText : remove.text;
  const parts = holdsText(one);
  const values = { version, by: plainText(one.by), parts, size: formatSize(one.sizeBytes ?? 0) };

  async function confirm() {
    setBusy(true);
    await (about === 'release' ? acts.release(one._id) : acts.remove(one._id));
    onClose();
  }

  return (
    <ConfirmDialog
      title={fill(title, values)}
      mark={<ShownMark label={one.securityClassification} />}
      confirmText={about === 'release' ? release.confirm : isOpen ? remove.cancelConfirm : remove.confirm}
      {...(about === 'remove' && isOpen && { cancelText: remove.keep })}
      danger={about === 'remove'}
      busy={busy}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {fill(text, values)}
    </ConfirmDialog>
  );
}
