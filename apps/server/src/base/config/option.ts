/** A single option that an operator may set, for a configuration with the given keys. */
export type OptionOf<Config, K extends keyof Config = keyof Config> = {
  key: K;
  /** Name without `OSPREY_`. The flag is the same name in kebab-case. */
  name: string;
  /** Placeholder for the value in the help text; null for switches. */
  value: string | null;
  help: string;
  allowed: string;
  fallback: Config[K];
  /** Returns undefined if the value is not allowed. */
  parse: (text: string) => Config[K] | undefined;
};
