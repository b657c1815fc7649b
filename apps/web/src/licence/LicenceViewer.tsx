import { Box, Button, Skeleton, Typography } from '@mui/material';
import { type DecodedToken, decodeToken } from '@osprey/contract';
import { useState } from 'react';
import { fill } from '../base/format.ts';
import { Field } from '../ui/fields/Field.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { TabbedDialog } from './TabbedDialog.tsx';
import { texts } from './texts.ts';
import { useLicenceFile } from './useLicence.ts';

const words = texts.viewer;

/** Dialog that shows the licence as a text, and its token with the decoded content. */
export function LicenceViewer({ onClose }: { onClose: () => void }) {
  const file = useLicenceFile();
  if (file.data) {
    const tabs = [
      { name: words.tabs.license, content: <Text label={words.tabs.license}>{file.data.file}</Text> },
      { name: words.tabs.token, content: <Token token={file.data.token} /> },
    ];
    return <TabbedDialog title={words.title} tabs={tabs} onClose={onClose} />;
  }
  const content = file.isError ? (
    <FailedNotice title={texts.card.failed} error={file.error} onRetry={file.refetch} />
  ) : (
    <Skeleton variant="rectangular" height={200} />
  );
  return <TabbedDialog title={words.title} tabs={[{ name: words.tabs.license, content }]} onClose={onClose} />;
}

function Token({ token }: { token: string }) {
  const { show } = useSnackbar();
  const [typed, setTyped] = useState(token);
  const [decoded, setDecoded] = useState<DecodedToken | null>(null);

  function decode() {
    try {
      setDecoded(decodeToken(typed));
      show(texts.decoded);
    } catch (error) {
      setDecoded(null);
      show(fill(texts.notDecoded, { reason: (error as Error).message }), 'error');
    }
  }

  return (
    <>
      <Field
        label={words.token}
        help={words.tokenHelp}
        value={typed}
        multiline
        minRows={3}
        maxRows={8}
        onChange={({ target }) => setTyped(target.value)}
        slotProps={{ htmlInput: { spellCheck: false, style: { overflowWrap: 'anywhere' } } }}
      />
      <Button variant="contained" color="primary" onClick={decode} sx={{ mt: 2, mb: 3 }}>
        {words.decode}
      </Button>
      {decoded !== null && (
        <>
          <Text label={words.header}>{JSON.stringify(decoded.header, null, 2)}</Text>
          <Text label={words.payload}>{JSON.stringify(shortLogo(decoded.payload), null, 2)}</Text>
        </>
      )}
    </>
  );
}

/** Shortens the logo in the content of the token, which is a long encoded picture. */
function shortLogo(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null || !('logo' in payload)) return payload;
  return { ...payload, logo: `${String(payload.logo).slice(0, 24)}…` };
}

function Text({ label, children }: { label: string; children: string }) {
  return (
    <Box sx={{ mb: 3 }}>
      <Typography variant="caption" component="h3" sx={{ color: 'text.secondary' }}>
        {label}
      </Typography>
      <Box
        component="pre"
        // A scrollable region must be reachable by keyboard.
        tabIndex={0}
        aria-label={label}
        role="region"
        sx={{
          m: 0,
          p: 3,
          borderRadius: 1.5,
          bgcolor: 'surface.base',
          fontSize: 12,
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
        }}
      >
        {children}
      </Box>
    </Box>
  );
}
