/** One row of a table. `line` is the line of the text in which it begins, counted from 1. */
export type CsvRow = {
  cells: string[];
  line: number;
  /** Whether the last cell begins with a quotation mark and lacks the closing one. */
  isOpen: boolean;
};

export type CsvOptions = {
  separator: string;
  /** Whether a quoted cell may hold ends of lines. If not, a quotation mark that is never closed costs one row. */
  linesInCells: boolean;
  /** Characters of one row; a longer one throws RangeError. */
  rowMax?: number;
};

/**
 * Tokenizer of tables (RFC 4180) that come in pieces. Rows end with LF, CRLF or CR. A quoted cell may hold the separator
 * and doubled quotation marks; blanks before its first mark stay in the cell.
 */
export function createCsvTokenizer({ separator, linesInCells, rowMax = Number.POSITIVE_INFINITY }: CsvOptions) {
  let cells: string[] = [];
  let cell = '';
  let isBlank = true;
  let isQuoted = false;
  /** A quotation mark inside a quoted cell: the next character says whether it ends the cell. */
  let isMarkSeen = false;
  let isReturnSeen = false;
  let line = 1;
  let rowLine = 1;
  let rowLength = 0;
  let rows: CsvRow[] = [];

  function endCell(): void {
    cells.push(cell);
    cell = '';
    isBlank = true;
  }

  function endRow(): void {
    endCell();
    rows.push({ cells, line: rowLine, isOpen: isQuoted });
    cells = [];
    isQuoted = false;
    rowLine = line;
    rowLength = 0;
  }

  function keep(char: string): void {
    cell += char;
    if (isBlank && char.trim() !== '') isBlank = false;
  }

  function take(char: string): void {
    if (isMarkSeen) {
      isMarkSeen = false;
      if (char === '"') {
        keep(char);
        return;
      }
      isQuoted = false;
    }
    const isSecondOfEnd = isReturnSeen && char === '\n';
    isReturnSeen = char === '\r';
    const isEnd = char === '\n' || char === '\r';
    if (isEnd && !isSecondOfEnd) line += 1;
    if (isQuoted && (linesInCells || !isEnd)) {
      if (char === '"') isMarkSeen = true;
      else keep(char);
    } else if (isEnd) {
      if (!isSecondOfEnd) endRow();
    } else if (char === separator) endCell();
    else if (char === '"' && isBlank) isQuoted = true;
    else keep(char);
  }

  return {
    /** Takes a piece of text; returns the rows that ended in it. */
    push(piece: string): CsvRow[] {
      rows = [];
      for (let at = 0; at < piece.length; at += 1) {
        rowLength += 1;
        if (rowLength > rowMax) throw new RangeError('A line is too long');
        take(piece[at]!);
      }
      return rows;
    },
    /** Returns the last row if it has no line end. */
    end(): CsvRow[] {
      rows = [];
      if (isMarkSeen) isQuoted = false;
      if (rowLength > 0) endRow();
      return rows;
    },
  };
}

/** All rows of a text, empty lines included. */
export function csvRows(text: string, options: CsvOptions): CsvRow[] {
  const tokenizer = createCsvTokenizer(options);
  return [...tokenizer.push(text), ...tokenizer.end()];
}

/** The cells of one line. */
export const csvCells = (line: string, separator: string): string[] =>
  csvRows(line, { separator, linesInCells: false })[0]?.cells ?? [];
