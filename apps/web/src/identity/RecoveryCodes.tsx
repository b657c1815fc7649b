import { Box, Button, Stack, Typography } from '@mui/material';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './second-factor-texts.ts';

const words = texts.codes;

/** Shows the recovery codes, only this once, with buttons to save them. */
export function RecoveryCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const { show } = useSnackbar();
  const text = `${codes.join('\n')}\n`;

  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => show(words.copied),
      () => show(words.copyFailed, 'error'),
    );

  return (
    <Stack spacing={4}>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {words.lead}
      </Typography>
      <Box
        component="ul"
        aria-label={words.title}
        sx={{
          m: 0,
          p: 3,
          listStyle: 'none',
          display: 'grid',
          gridTemplateColumns: '1fr 1fr',
          gap: 1,
          justifyItems: 'center',
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
          fontFamily: 'monospace',
          fontSize: 14,
        }}
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Box>
      <Stack direction="row" spacing={2} useFlexGap sx={{ flexWrap: 'wrap' }}>
        <Button onClick={() => void copy()}>{words.copy}</Button>
        <Button component="a" href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`} download={words.file}>
          {words.save}
        </Button>
        <Button variant="contained" color="primary" onClick={onSaved} sx={{ '&&': { ml: 'auto' } }}>
          {words.kept}
        </Button>
      </Stack>
    </Stack>
  );
}
