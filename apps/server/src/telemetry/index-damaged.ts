/** Thrown when a telemetry index is missing or corrupt. The index is then rebuilt from the original. */
export class IndexDamaged extends Error {
  override name = 'IndexDamaged';

  /** @param key storage key of the index, `indexes/{sensorId}/…` */
  constructor(key: string, cause: unknown) {
    super(`The index ${key} is damaged`, { cause });
  }
}
