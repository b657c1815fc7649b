import { Box, Button, Checkbox, FormControlLabel, Skeleton, Typography } from '@mui/material';
import type { CaseRow } from '@osprey/contract';
import { useState } from 'react';
import { useActor } from '../../api/session.ts';
import { fill, formatSize } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { Hint } from '../../ui/Hint.tsx';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { texts as ui } from '../../ui/texts.ts';
import { grouped } from './fingerprint.ts';
import { holdsText } from './holds-text.ts';
import { texts } from './texts.ts';
import { type ExportActs, useExportPlan } from './useExports.ts';

type Props = { row: CaseRow; acts: ExportActs; onClose: () => void; onBegun: () => void };

const words = texts.dialog;

/** Dialog that shows the content and the signing key of an export before it is made. */
export function ExportDialog({ row, acts, onClose, onBegun }: Props) {
  const actor = useActor();
  const [mp4, setMp4] = useState(false);
  const { data: plan, error } = useExportPlan(row._id, { mp4 });
  const [busy, setBusy] = useState(false);
  const isRefused = plan === undefined || plan.refusals.length > 0;

  async function submit() {
    if (isRefused || busy) return;
    setBusy(true);
    const begun = await acts.make({ mp4 });
    setBusy(false);
    if (begun) onBegun();
  }

  return (
    <FormDialog
      title={fill(words.title, { number: row.number })}
      mark={<ShownMark label={row.securityClassification} marked={row.marked} />}
      width={520}
      dirty={false}
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Box sx={{ flex: 1 }} />
          <Button autoFocus onClick={onClose}>
            {ui.cancel}
          </Button>
          <Button type="submit" variant="contained" color="primary" disabled={isRefused || busy}>
            {words.submit}
          </Button>
        </>
      }
    >
      {error !== null && <Box role="alert">{fill(words.planFailed, { text: errorText(error) })}</Box>}
      {plan === undefined && error === null && <Skeleton variant="rectangular" height={160} />}
      {plan && (
        <Box sx={{ display: 'grid', gap: 3 }}>
          {plan.refusals.map((text) => (
            <Box key={text} role="alert" sx={{ color: 'error.main' }}>
              {text}
            </Box>
          ))}
          <Typography variant="body2">
            {fill(words.lead, { parts: holdsText(plan), size: sizeText(plan.sizeBytes) })}
          </Typography>
          {plan.clips > 0 && (
            <FormControlLabel
              control={<Checkbox checked={mp4} onChange={(_event, checked) => setMp4(checked)} />}
              label={words.mp4}
            />
          )}
          {plan.leftOut && <Hint>{fill(words.leftOut, { maker: actor.username })}</Hint>}
          {plan.needsRelease && <Hint>{words.needsRelease}</Hint>}
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {words.key}
          </Typography>
          <Box
            component="code"
            aria-label={words.fingerprint}
            sx={{
              fontSize: 12,
              lineHeight: '20px',
              overflowWrap: 'anywhere',
              p: 2,
              bgcolor: 'surface.base',
              borderRadius: 1,
            }}
          >
            {grouped(plan.keyFingerprint)}
          </Box>
        </Box>
      )}
    </FormDialog>
  );
}

/** Formats the size; empty if there are only texts, whose size is negligible. */
const sizeText = (bytes: number): string => (bytes === 0 ? '' : fill(words.size, { size: formatSize(bytes) }));
