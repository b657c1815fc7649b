import { mdiRefresh, mdiShieldCheckOutline, mdiTrayArrowDown } from '@mdi/js';
import { Box, Button, Menu, MenuItem } from '@mui/material';
import { type AuditVerification, verifyAudit } from '@osprey/contract';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { addressOf } from '../api/http-api.ts';
import { fill, formatNumber, formatTime } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { Action } from '../ui/Action.tsx';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts as ui } from '../ui/texts.ts';
import { texts } from './texts.ts';
import { type Filter, toAuditQuery, toQuery, type View } from './useActivityFilter.ts';

type Props = { view: Exclude<View, 'sessions'>; filter: Filter; onRefresh: () => void };

/** Buttons that refresh the rows, export the filtered rows and, for the audit, verify its hash chain. */
export function TrailTools({ view, filter, onRefresh }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  const choices =
    view === 'audit'
      ? (['csv', 'ndjson'] as const).map((format) => ({
          text: texts.export[format],
          address: addressOf('/audit/export', { query: { ...toAuditQuery(filter), format } }),
        }))
      : (['csv', 'json'] as const).map((format) => ({
          text: texts.export[format],
          address: addressOf('/activity/export', { query: { ...toQuery(filter), format } }),
        }));
  return (
    <>
      {view === 'audit' && <Verify />}
      <Action label={texts.refresh} icon={mdiRefresh} onClick={onRefresh} />
      <Button
        startIcon={<Icon path={mdiTrayArrowDown} />}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {texts.export.label}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close}>
        {choices.map(({ text, address }) => (
          // Downloaded by the browser itself: the session cookie authorizes the request, and the file need not be held
          // in memory.
          <MenuItem key={text} component="a" href={address} download onClick={close}>
            {text}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

const words = texts.verify;

function Verify() {
  const api = useApi();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<AuditVerification | null>(null);

  async function verify() {
    if (busy) return;
    setBusy(true);
    try {
      setFound(await api.call(verifyAudit, {}));
    } catch (error) {
      show(fill(words.failed, { text: errorText(error) }), 'error');
    }
    setBusy(false);
  }

  return (
    <>
      {/* Never disabled: it would lose the focus, which comes back to it from the answer. */}
      <Button startIcon={<Icon path={mdiShieldCheckOutline} />} aria-busy={busy} onClick={() => void verify()}>
        {busy ? words.running : words.button}
      </Button>
      {found && (
        <ConfirmDialog
          title={found.holds ? words.holds : words.broken}
          confirmText={words.button}
          cancelText={ui.close}
          busy={busy}
          onConfirm={() => void verify()}
          onCancel={() => setFound(null)}
        >
          {fill(found.holds ? words.holdsText : words.brokenText, {
            rows: formatNumber(found.rows),
            checkpoints: formatNumber(found.checkpoints),
          })}{' '}
          {found.lastCheckpoint === null
            ? words.noCheckpoint
            : fill(words.last, { time: formatTime(found.lastCheckpoint) })}
          <Box component="ul" sx={{ m: 0, mt: 2, pl: 4 }}>
            {found.faults.map(({ node, seq, kind, text }) => (
              <li key={`${node} ${seq} ${kind}`}>{text}</li>
            ))}
          </Box>
        </ConfirmDialog>
      )}
    </>
  );
}
