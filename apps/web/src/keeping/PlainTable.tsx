import { Table, TableBody, TableCell, TableContainer, TableHead, TableRow } from '@mui/material';
import type { ReactNode } from 'react';

type Props<Row> = {
  label: string;
  head: readonly string[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  cells: (row: Row) => readonly ReactNode[];
  /** Returns the buttons of a row, each with its own accessible name. */
  actions?: (row: Row) => ReactNode;
};

/** Table for short lists such as rules, folders and reports, without sorting or selection. */
export function PlainTable<Row>({ label, head, rows, idOf, cells, actions }: Props<Row>) {
  return (
    <TableContainer tabIndex={0} role="region" aria-label={label}>
      <Table size="small" aria-label={label}>
        <TableHead>
          <TableRow>
            {head.map((name) => (
              <TableCell key={name}>{name}</TableCell>
            ))}
            {actions && <TableCell aria-hidden="true" />}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={idOf(row)}>
              {cells(row).map((cell, index) => (
                <TableCell key={head[index]} sx={{ overflowWrap: 'anywhere' }}>
                  {cell}
                </TableCell>
              ))}
              {actions && (
                <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
                  {actions(row)}
                </TableCell>
              )}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
