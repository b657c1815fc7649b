import { Box, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import type { PlatformChange, PlatformsConfigResult } from '@osprey/contract';
import { formatCount } from '../base/format.ts';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { texts } from './texts.ts';

const words = texts.file;

/** Lists the changes that a configuration would make, by platform and field. */
export function PlatformChanges({ result }: { result: PlatformsConfigResult }) {
  const { changes, unchanged, warnings } = result;
  return (
    <>
      <Typography variant="h3" role="status">
        {changes.length === 0 ? words.nothing : words.changes}
      </Typography>
      {unchanged > 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {formatCount(unchanged, words.unchanged)}
        </Typography>
      )}
      {/* Before the tables, which can be long: Apply is always in sight. */}
      {warnings.length > 0 && (
        <>
          <Typography variant="h3" sx={{ mt: 3 }}>
            {words.warnings}
          </Typography>
          <Box component="ul" sx={{ m: 0, pl: 5 }}>
            {warnings.map((text) => (
              <Typography key={text} component="li" variant="body2">
                {text}
              </Typography>
            ))}
          </Box>
        </>
      )}
      {changes.map((change) => (
        <Change key={`${change.kind} ${change.platform}`} change={change} />
      ))}
    </>
  );
}

function Change({ change }: { change: PlatformChange }) {
  const { kind, platform, securityClassification, marked, fields } = change;
  const title = `${words.kinds[kind]}: ${platform}`;
  return (
    <Box sx={{ mt: 3 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        <Typography variant="h4" component="h3" sx={{ color: kind === 'removed' ? 'error.main' : 'text.primary' }}>
          {title}
        </Typography>
        <LabelMark label={securityClassification} marked={marked} />
      </Box>
      {fields.length > 0 && (
        <Box sx={{ overflowX: 'auto' }}>
          <Table size="small" aria-label={title}>
            <TableHead>
              <TableRow>
                <TableCell>{words.field}</TableCell>
                {kind !== 'added' && <TableCell>{words.before}</TableCell>}
                {kind !== 'removed' && <TableCell>{words.after}</TableCell>}
              </TableRow>
            </TableHead>
            <TableBody>
              {fields.map(({ field, before, after }) => (
                <TableRow key={field}>
                  <TableCell component="th" scope="row" sx={{ color: 'text.secondary' }}>
                    {field}
                  </TableCell>
                  {kind !== 'added' && <Value>{before}</Value>}
                  {kind !== 'removed' && <Value>{after}</Value>}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Box>
      )}
    </Box>
  );
}

const Value = ({ children }: { children: string | null }) => (
  <TableCell sx={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>{children || words.none}</TableCell>
);
