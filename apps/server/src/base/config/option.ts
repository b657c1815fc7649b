/** One thing that an operator may set, of a configuration with these keys. */
export type OptionOf<Config, K extends keyof Config = keyof Config> = {
  key: K;
  /** Without `OSPREY_`; the flag is the same in kebab-case. */
  name: string;
  /** Placeholder of the value in the help; absent for switches. */
  value: string | null;
  help: string;
  allowed: string;
  fallback: Config[K];
  /** Undefined for what is not allowed. */
  parse: (text: string) => Config[K] | undefined;
};
