/** Line formats of tools that write NMEA 2000 frames as text. */
const FORMS: readonly RegExp[] = [
  // Linux candump, as log file and as screen output.
  /^\(\d+\.\d+\) \S+ [\dA-F]{8}#[\dA-F]*/i,
  /^\s*\S*can\d\s+[\dA-F]{8}\s+\[\d\]/i,
  // Actisense N2K ASCII.
  /^A\d{6}\.\d{3} [\dA-F]{5} [\dA-F]{5} [\dA-F]+/i,
  // Yacht Devices RAW.
  /^\d\d:\d\d:\d\d\.\d{3} [RT] [\dA-F]{8}( [\dA-F]{2})+/i,
  // Wrapped in sentences: SeaSmart.Net, Digital Yacht iKonvert, MiniPlex.
  /^\$PCDIN,[\dA-F]{6},/i,
  /^!PDGY,\d{5,6},/,
  /^\$MXPGN,[\dA-F]{6},/i,
  // canboat: time, priority, PGN, source, destination, length, bytes.
  /^\d{4}-\d\d-\d\d[-T]\d\d:\d\d:\d\d\S*,\d,\d{5,6},\d+,\d+,\d+(,[\dA-F]{2})+/i,
];

/** Returns whether a line is a JSON report by gpsd about a message, which lacks the sentence itself. */
export const isGpsdJson = (line: string): boolean => /^\s*\{.*"class"\s*:\s*"AIS"/.test(line);

export const isNmea2000 = (line: string): boolean => FORMS.some((form) => form.test(line));
