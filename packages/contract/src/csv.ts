/** One row of a table. `line` is the number of the text line in which it begins, counted from 1. */
export type CsvRow = {
  cells: string[];
  line: number;
  /** Whether the last cell begins with a quotation mark, but lacks the closing one. */
  isOpen: boolean;
};

export type CsvOptions = {
  separator: string;
  /** Whether a quoted cell may contain line ends. If not, a missing closing quotation mark affects only one row. */
  linesInCells: boolean;
  /** Maximum number of characters in one row; a longer one throws RangeError. */
  rowMax?: number;
};

/**
 * Creates a tokenizer for tables (RFC 4180) that are received in pieces. Rows end with LF, CRLF or CR. A quoted cell
 * may contain the separator and doubled quotation marks; blanks before its opening mark are kept in the cell.
 */
export function createCsvTokenizer({ separator, linesInCells, rowMax = Number.POSITIVE_INFINITY }: CsvOptions) {
  let cells: string[] = [];
  let cell = '';
  let isBlank = true;
  let isQuoted = false;
  /** A quotation mark was read inside a quoted cell; the next character determines whether it ends the cell. */
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

  function readChar(char: string): void {
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
    /** Adds a piece of text; returns the rows that ended in it. */
    push(piece: string): CsvRow[] {
      rows = [];
      for (let at = 0; at < piece.length; at += 1) {
        rowLength += 1;
        if (rowLength > rowMax) throw new RangeError('A line is too long');
        readChar(piece[at]!);
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

/** Returns all rows of a text, including empty lines. */
export function csvRows(text: string, options: CsvOptions): CsvRow[] {
  const tokenizer = createCsvTokenizer(options);
  return [...tokenizer.push(text), ...tokenizer.end()];
}

/** Returns the cells of one line. */
export const csvCells = (line: string, separator: string): string[] =>
  csvRows(line, { separator, linesInCells: false })[0]?.cells ?? [];
