/** Maximum number of stack frames that are logged; deeper ones are the same for every call. */
const FRAMES_MAX = 12;
const CAUSES_MAX = 3;
/** SQLSTATE class 22, data exceptions. Their message quotes the value, which may be a mission's title. */
const SQLSTATE_DATA_EXCEPTION = '22';

type Fault = Error & {
  code?: unknown;
  severity?: unknown;
  table?: unknown;
  constraint?: unknown;
  syscall?: unknown;
  path?: unknown;
};

/**
 * Returns the log fields of an error: type, location and cause. They never contain values of a row: detail and context
 * of database errors are left out, and so are paths of file system errors, since a file may be named after its mission.
 */
export function faultOf(error: unknown, causesLeft = CAUSES_MAX): unknown {
  if (!(error instanceof Error)) return error;
  const { name, code, syscall, message, table, constraint, stack = '' }: Fault = error;
  const ofAll = error instanceof AggregateError && causesLeft > 0;
  return {
    type: name,
    code,
    syscall,
    ...(quotes(error) ? {} : { message }),
    table,
    constraint,
    at: stack
      .match(/^ +at .*$/gm)
      ?.slice(0, FRAMES_MAX)
      .map((frame) => frame.trim().slice('at '.length)),
    ...(ofAll && { errors: error.errors.slice(0, CAUSES_MAX).map((each) => faultOf(each, causesLeft - 1)) }),
    ...(error.cause !== undefined && causesLeft > 0 && { cause: faultOf(error.cause, causesLeft - 1) }),
  };
}

/** Returns whether the message of an error may quote a secret value. */
const quotes = ({ code, severity, syscall, path }: Fault): boolean =>
  (severity !== undefined && typeof code === 'string' && code.startsWith(SQLSTATE_DATA_EXCEPTION)) ||
  (syscall !== undefined && path !== undefined);
