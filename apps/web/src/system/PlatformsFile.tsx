import { Box, Button, TextField, Typography } from '@mui/material';
import { type PlatformsConfigResult, type PlatformVersion, REASON_MIN } from '@osprey/contract';
import { useState } from 'react';
import { fill, formatCount, formatTime } from '../base/format.ts';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { FileDrop } from '../ui/fields/FileDrop.tsx';
import { HighestMark } from '../ui/label/HighestMark.tsx';
import { texts as ui } from '../ui/texts.ts';
import { PlatformChanges } from './PlatformChanges.tsx';
import { texts } from './texts.ts';
import { usePlatformsFile, usePlatformVersions } from './usePlatformsFile.ts';

const words = texts.file;

/**
 * Dialog to upload platforms.yml: choose a file, review the differences, apply them; or restore an earlier
 * configuration.
 */
export function PlatformsFile({ onClose }: { onClose: () => void }) {
  const [reason, setReason] = useState('');
  const file = usePlatformsFile(onClose);
  const { result, busy } = file;
  const hasChanges = result?.valid === true && result.changes.length > 0;
  const reasonMissing = result?.needsReason === true && reason.trim().length < REASON_MIN;
  return (
    <FormDialog
      title={words.title}
      mark={hasChanges && <HighestMark items={result.changes} />}
      width={720}
      dirty={reason !== ''}
      onClose={onClose}
      onSubmit={() => {
        if (hasChanges && !reasonMissing) void file.apply(reason.trim());
      }}
      actions={
        <>
          {result !== null && (
            <Button sx={{ mr: 'auto' }} onClick={file.back}>
              {words.back}
            </Button>
          )}
          <Button onClick={onClose}>{ui.cancel}</Button>
          {hasChanges && (
            <Button type="submit" variant="contained" color="primary" disabled={busy || reasonMissing}>
              {words.apply}
            </Button>
          )}
        </>
      }
    >
      {result === null ? (
        <Choose busy={busy} onPreview={file.preview} />
      ) : (
        <>
          <Shown result={result} />
          {result.needsReason && (
            <TextField
              label={words.reason}
              helperText={words.reasonHelp}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
              fullWidth
              sx={{ mt: 3 }}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

type ChooseProps = { busy: boolean; onPreview: ReturnType<typeof usePlatformsFile>['preview'] };

function Choose({ busy, onPreview }: ChooseProps) {
  const { data: versions } = usePlatformVersions();
  return (
    <>
      <Typography variant="body2" sx={{ mb: 3 }}>
        {words.lead}
      </Typography>
      <FileDrop
        what={words.drop}
        name={words.name}
        accept=".yml,.yaml"
        onFiles={([chosen]) => {
          if (chosen && !busy) void onPreview({ kind: 'file', file: chosen });
        }}
      />
      <Typography variant="h3" sx={{ mt: 4, mb: 1 }}>
        {words.versions}
      </Typography>
      {versions?.length === 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {words.noVersions}
        </Typography>
      )}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {versions?.map((version) => (
          <Version
            key={version.version}
            version={version}
            busy={busy}
            onRestore={() => void onPreview({ kind: 'version', version: version.version })}
          />
        ))}
      </Box>
    </>
  );
}

type VersionProps = { version: PlatformVersion; busy: boolean; onRestore: () => void };

function Version({ version, busy, onRestore }: VersionProps) {
  const title = fill(words.version, { version: version.version });
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 2,
        minHeight: 40,
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ fontWeight: 600 }}>{title}</Box>
      <Box sx={{ color: 'text.secondary', flex: 1 }}>
        {fill(words.versionText, {
          time: formatTime(version.created),
          author: version.author ?? words.somebody,
          platforms: formatCount(version.platforms, words.platforms),
        })}
      </Box>
      {version.current ? (
        <Box sx={{ color: 'text.secondary', pr: 3 }}>{words.current}</Box>
      ) : (
        <Button variant="text" disabled={busy} aria-label={`${words.restore} ${title}`} onClick={onRestore}>
          {words.restore}
        </Button>
      )}
    </Box>
  );
}

function Shown({ result }: { result: PlatformsConfigResult }) {
  if (!result.valid) {
    return (
      <Box role="alert">
        <Typography variant="h3" sx={{ mb: 2 }}>
          {words.notTaken}
        </Typography>
        <Box component="ul" sx={{ m: 0, pl: 5 }}>
          {result.errors.map(({ line, text }) => (
            <Typography key={`${line} ${text}`} component="li" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
              {line === null ? text : `${fill(words.line, { line })}: ${text}`}
            </Typography>
          ))}
        </Box>
      </Box>
    );
  }
  return <PlatformChanges result={result} />;
}
