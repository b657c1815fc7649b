import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulateToFile } from '@osprey/simulator';
import { afterAll, expect, it } from 'vitest';
import { recordingServer } from '../../../test/recordings.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const folder = await mkdtemp(join(tmpdir(), 'osprey-jmisb-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const SECONDS = 5;
const FLIGHT = { seconds: 20, width: 320, height: 180, fps: 10, startUs: Date.UTC(2026, 5, 1, 9) * 1000 };
/** Programs without which clips cannot be read by jmisb. */
const PROGRAMS = [
  ['ffmpeg', '-version'],
  ['javac', '-version'],
  ['mvn', '-version'],
] as const;

/** Only what reads KLV: jmisb would bring a decoder for ten systems along. */
const dependency = (group: string, artifact: string, version: string): string =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>` +
  '<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency>';
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>reads</groupId><artifactId>klv</artifactId><version>1</version><dependencies>
${dependency('org.jmisb', 'jmisb-api', '1.10.0')}
${dependency('org.jmisb', 'jmisb-core', '1.10.0')}
${dependency('org.slf4j', 'slf4j-api', '1.7.30')}
</dependencies></project>`;

/** Prints each set of a file with its items, by their names in jmisb. */
const JAVA = `
import java.nio.file.*;
import org.jmisb.api.klv.*;
public class ReadKlv {
  static void print(String path, INestedKlvValue set) {
    for (IKlvKey key : set.getIdentifiers()) {
      IKlvValue value = set.getField(key);
      System.out.println(path + key + "=" + value.getDisplayableValue());
      if (value instanceof INestedKlvValue) print(path + key + "/", (INestedKlvValue) value);
    }
  }
  public static void main(String[] paths) throws Exception {
    for (IMisbMessage message : KlvParser.parseBytes(Files.readAllBytes(Path.of(paths[0])))) {
      System.out.println("# " + message.displayHeader());
      print("", message);
    }
  }
}
`;

/** The classes of jmisb, or the reason why they are not there. */
async function jmisb(): Promise<{ classes: string } | { reason: string }> {
  const absent = PROGRAMS.find(([program, flag]) => spawnSync(program, [flag]).status !== 0);
  if (absent) return { reason: `${absent[0]} is not installed` };
  await writeFile(join(folder, 'pom.xml'), POM);
  await writeFile(join(folder, 'ReadKlv.java'), JAVA);
  const words = ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=classes'];
  const { status, stdout } = spawnSync('mvn', words, { cwd: folder, timeout: 180_000 });
  return status === 0
    ? { classes: 'classes/*' }
    : { reason: `Maven gave no jmisb 1.10.0: ${String(stdout).slice(0, 300)}` };
}

it('jmisb 1.10.0 reads telemetry and label of exported clips', { tags: 'long', timeout: 300_000 }, async ({ skip }) => {
  const found = await jmisb();
  if ('reason' in found) {
    process.stderr.write(`Clips are not read by jmisb: ${found.reason}\n`);
    skip(found.reason);
    return;
  }
  const path = join(folder, 'flight.ts');
  await simulateToFile(FLIGHT, path);
  const usergroups = [server.groups.G1!];
  const sharing = { securityClassification: 'CONFIDENTIAL', audience: 'groups', usergroups } as const;
  const { mission } = await server.record({ name: 'Kea', ...sharing }, [{ path }]);

  for (const format of ['ts', 'mp4']) {
    const url = `/api/sensors/exportVideo/${mission._id}/${mission.sensors[0]!._id}?format=${format}&markIn=4&markOut=${4 + SECONDS}`;
    const clip = join(folder, `clip.${format}`);
    await writeFile(clip, (await server.ask('U1').get(url)).raw);
    const sets = [0, 1].map((stream) => {
      const file = `${format}-${stream}.klv`;
      const words = ['-v', 'error', '-y', '-i', clip, '-map', `0:d:${stream}`, '-c', 'copy', '-f', 'data', file];
      execFileSync('ffmpeg', words, { cwd: folder });
      return execFileSync('java', ['-cp', found.classes, 'ReadKlv.java', file], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
        .toString()
        .split('\n');
    });
    const count = (lines: readonly string[], line: RegExp) => lines.filter((one) => line.test(one)).length;
    const [telemetry, label] = sets as [string[], string[]];
    expect((await readFile(join(folder, `${format}-0.klv`))).length).toBeGreaterThan(0);
    expect(count(telemetry, /^# ST 0601/), format).toBeGreaterThanOrEqual(SECONDS * 5);
    expect(count(telemetry, /^SensorLatitude=3\d\.\d+/), format).toBe(count(telemetry, /^# ST 0601/));
    for (const line of [/^# ST 0601/, /SecurityClassification=CONFIDENTIAL$/, /LocalMetadataSet\/Version=12$/]) {
      expect(count(label, line), `${format} ${line}`).toBeGreaterThanOrEqual(SECONDS);
    }
  }
});
