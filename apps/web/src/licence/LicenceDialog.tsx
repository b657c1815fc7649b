import { mdiContentCopy } from '@mdi/js';
import { Alert, Box, LinearProgress, Skeleton, Typography } from '@mui/material';
import type { LicenceInfo } from '@osprey/contract';
import { formatDate } from '../base/format.ts';
import { Action } from '../ui/Action.tsx';
import { FileDrop } from '../ui/fields/FileDrop.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { StateDot } from '../ui/StateDot.tsx';
import { TabbedDialog } from './TabbedDialog.tsx';
import { texts } from './texts.ts';
import { usageText } from './usage.ts';
import { useLicence, useUploadLicence } from './useLicence.ts';

const words = texts.dialog;

/** Dialog with the tabs NodeInfo, Upload and Options, which contain everything needed to change the licence. */
export function LicenceDialog({ onClose }: { onClose: () => void }) {
  const { licence } = useLicence();
  const details = licence?.details;
  const waiting = <Skeleton variant="rectangular" height={160} />;
  const tabs = [
    { name: words.tabs.node, content: details ? <Node node={details.node} /> : waiting },
    { name: words.tabs.upload, content: <Upload onAccepted={onClose} /> },
    { name: words.tabs.options, content: details ? <Options details={details} /> : waiting },
  ];
  return <TabbedDialog title={words.title} tabs={tabs} onClose={onClose} />;
}

function Node({ node }: { node: string }) {
  const { show } = useSnackbar();
  return (
    <>
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 4 }}>
        {words.nodeLead}
      </Typography>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {words.node}
        </Box>
        <Box component="output" sx={{ fontSize: 16, fontWeight: 600, overflowWrap: 'anywhere' }}>
          {node}
        </Box>
        <Action
          label={words.copy}
          icon={mdiContentCopy}
          onClick={() => void navigator.clipboard.writeText(node).then(() => show(words.copied))}
        />
      </Box>
    </>
  );
}

function Upload({ onAccepted }: { onAccepted: () => void }) {
  const { upload, busy, refusal } = useUploadLicence(onAccepted);
  return (
    <>
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 4 }}>
        {words.uploadLead}
      </Typography>
      <FileDrop
        what={words.drop}
        name={words.file}
        accept=".license,.txt,.jwt,text/plain"
        onFiles={([file]) => file && void upload(file)}
      />
      {busy && <LinearProgress aria-label={words.uploading} sx={{ mt: 3 }} />}
      {refusal !== null && (
        <Alert severity="warning" sx={{ mt: 3 }}>
          {refusal}
        </Alert>
      )}
    </>
  );
}

function Options({ details }: { details: NonNullable<LicenceInfo['details']> }) {
  const limits = [
    [texts.card.until, details.expires === null ? texts.card.forEver : formatDate(details.expires)],
    [texts.card.users, usageText(details.users)],
    [texts.card.platforms, usageText(details.platforms)],
  ] as const;
  return (
    <>
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 3 }}>
        {words.optionsLead}
      </Typography>
      <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: '1fr auto', rowGap: 2, columnGap: 4 }}>
        {limits.map(([name, value]) => (
          <Row key={name} name={name}>
            {value}
          </Row>
        ))}
        {details.options.map(({ option, on }) => (
          <Row key={option} name={texts.options[option]}>
            <StateDot state={on ? 'online' : 'offline'} />
            {on ? words.on : words.off}
          </Row>
        ))}
      </Box>
    </>
  );
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <Box component="dt" sx={{ color: 'text.secondary' }}>
        {name}
      </Box>
      <Box component="dd" sx={{ m: 0, display: 'flex', alignItems: 'center', justifyContent: 'flex-end', gap: 2 }}>
        {children}
      </Box>
    </>
  );
}
