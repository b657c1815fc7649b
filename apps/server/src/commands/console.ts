import { ConfigError } from '../base/config/config.ts';

type Kind = abstract new (...args: never[]) => Error;

type Command = {
  help: string;
  /**
   * Error classes whose message is sufficient for the user, without a stack. Configuration errors always belong to
   * them.
   */
  expected: readonly Kind[];
  main: (args: readonly string[]) => Promise<void>;
};

/** Runs a console command with its arguments; prints its help if there are none, or with --help. */
export async function runConsole({ help, expected, main }: Command): Promise<void> {
  const args = process.argv.slice(2);
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help);
    return;
  }
  try {
    await main(args);
  } catch (error) {
    const { message } = error as Error;
    const isExpected = [ConfigError, ...expected].some((kind) => error instanceof kind);
    process.stderr.write(`${isExpected ? message : `It failed: ${message}`}\n`);
    process.exitCode = 1;
  }
}
