import { mdiFileAlertOutline } from '@mdi/js';
import { Box, Button, LinearProgress, Link, Paper, Typography } from '@mui/material';
import type { DamagedItem } from '@osprey/contract';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { fill, formatCount, formatTime } from '../base/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { AcceptLoss } from './AcceptLoss.tsx';
import { texts } from './texts.ts';
import { useDamaged, useDamagedOrders } from './useDamaged.ts';

const words = texts.damaged;

/**
 * List of the stored files that are damaged. Each can be restored from the backups, or its loss accepted. Renders
 * nothing if no file is damaged.
 */
export function DamagedFiles({ busy }: { busy: boolean }) {
  const { data } = useDamaged();
  const { restore, restoreAll } = useDamagedOrders();
  const [accepting, setAccepting] = useState<DamagedItem | null>(null);
  if (data === undefined || data.files.length + data.others === 0) return null;
  const { files, others } = data;
  const restorable = files.filter((file) => file.restorable && file.progress === null);
  return (
    <Paper
      component="section"
      aria-labelledby="damaged-files"
      variant="outlined"
      sx={{ px: 4, py: 3, borderRadius: 2, flex: '0 1 auto', minHeight: 120, overflow: 'auto' }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        <Icon path={mdiFileAlertOutline} sx={{ color: 'error.main' }} />
        <Typography variant="h3" component="h2" id="damaged-files">
          {formatCount(files.length + others, words.title)}
        </Typography>
        {restorable.length > 1 && (
          <Button
            variant="contained"
            color="primary"
            disabled={busy}
            onClick={() => void restoreAll(restorable)}
            sx={{ ml: 'auto' }}
          >
            {fill(words.restoreAll, { count: formatCount(restorable.length, words.files) })}
          </Button>
        )}
      </Box>
      <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1, maxWidth: 800 }}>
        {words.lead}
      </Typography>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {files.map((file) => (
          <Box
            key={file._id}
            component="li"
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'center',
              columnGap: 4,
              rowGap: 1,
              py: 2,
              borderTop: 1,
              borderColor: 'divider',
              mt: 2,
            }}
          >
            <Damage file={file} />
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, ml: 'auto' }}>
              {file.restorable && (
                <Button
                  variant="contained"
                  color="primary"
                  aria-label={fill(words.restoreLabel, { name: file.name })}
                  disabled={busy || file.progress !== null}
                  onClick={() => void restore(file)}
                >
                  {words.restore}
                </Button>
              )}
              <Button
                aria-label={fill(words.acceptLabel, { name: file.name })}
                disabled={file.progress !== null}
                onClick={() => setAccepting(file)}
              >
                {words.accept}
              </Button>
            </Box>
          </Box>
        ))}
      </Box>
      {others > 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary', mt: 2 }}>
          {formatCount(others, words.others)}
        </Typography>
      )}
      {accepting && <AcceptLoss file={accepting} onClose={() => setAccepting(null)} />}
    </Paper>
  );
}

/** Describes a damaged file: its name, what is wrong with it, and the progress of restoring it. */
function Damage({ file }: { file: DamagedItem }) {
  const { name, mission, securityClassification, text, found, restorable, progress, error } = file;
  return (
    <Box sx={{ flex: '1 1 280px', minWidth: 0, overflowWrap: 'anywhere' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <Box component="strong">{name}</Box>
        <LabelMark label={securityClassification} />
        {mission === null ? (
          words.ofDocuments
        ) : (
          <Link component={RouterLink} to={`/missions?mission=${mission._id}`}>
            {fill(words.ofMission, { mission: mission.name, sensor: mission.sensor })}
          </Link>
        )}
      </Box>
      <Box>{fill(words.what, { text, time: `${formatTime(found)} Z` })}</Box>
      <Box sx={{ color: 'text.secondary' }}>{restorable ? words.held : words.notHeld}</Box>
      {error !== null && <Box sx={{ color: 'error.main' }}>{fill(words.lastFailed, { text: error })}</Box>}
      {progress !== null && (
        <LinearProgress
          variant="determinate"
          value={progress}
          aria-label={fill(words.restoring, { name })}
          sx={{ mt: 1, maxWidth: 320 }}
        />
      )}
    </Box>
  );
}
