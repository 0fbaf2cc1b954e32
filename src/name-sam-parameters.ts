import type { Shipment } from './describe-shipment.js';

/** Parameters of `pipelines/lambda/template.yaml`, by name. */
export type SamParameters = Readonly<Record<string, string>>;

type Shipped = Omit<Shipment, 'samParameters' | 'samProblem'>;

/** What the parameters rest on besides what is shipped. */
type Ground = {
  /** That provisioned concurrency keeps ready. */
  readonly readyProcesses: number;
  /** ARN of a layer with the libraries of OpenVINO; null where none was named. */
  readonly openvinoLayer: string | null;
  /** What the processor must have, as Linux names it. */
  readonly instructionSets: readonly string[];
};

/**
 * Puts what is shipped into parameters of the template in `pipelines/lambda`, as far as its Node.js function can ship it.
 *
 * @param shipped - What is shipped.
 * @param ground - What else they rest on.
 * @returns The parameters, or why there are none.
 */
export function nameSamParameters(
  shipped: Shipped,
  ground: Ground,
): Pick<Shipment, 'samParameters' | 'samProblem'> {
  const samProblem = findProblem(shipped, ground);
  if (samProblem !== null) return { samParameters: null, samProblem };
  const { storeUrl, environment, memoryMiB, ephemeralMiB, startMode, engine } = shipped;
  const { readyProcesses, openvinoLayer } = ground;
  const variables = Object.entries(parameterOfVariable).flatMap(([variable, parameter]) => {
    const value = environment[variable];
    return value === undefined ? [] : [[parameter, value] as const];
  });
  return {
    samParameters: {
      ModelBucket: bucketOf(storeUrl) ?? '',
      ...Object.fromEntries(variables),
      ...(memoryMiB === null ? {} : { LoaderMemoryMiB: String(memoryMiB) }),
      LoaderEphemeralMiB: String(ephemeralMiB),
      ...(engine === 'openvino' && openvinoLayer !== null ? { OpenvinoLayer: openvinoLayer } : {}),
      ...(startMode === 'provisioned' ? { LoaderReadyProcesses: String(readyProcesses) } : {}),
    },
    samProblem: null,
  };
}

const parameterOfVariable: Readonly<Record<string, string>> = {
  MODEL_SOURCE: 'ModelSource',
  MODEL_DELIVERY: 'ModelDelivery',
  OPTIMISE_MODEL_RELEASE: 'ModelRelease',
};

/** What the function of the template gets from its store by itself. */
const fromStore: readonly string[] = ['s3-copy', 'lazy', 'stream'];

/**
 * What each x64 processor of Lambda has: AVX2, and what is no younger.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/runtimes-avx2.html
 */
const setsOfLambda: readonly string[] = ['sse4_2', 'avx', 'avx2', 'fma', 'f16c'];

function findProblem(shipped: Shipped, { openvinoLayer, instructionSets }: Ground): string | null {
  const { storeUrl, delivery, startMode, engine, architecture } = shipped;
  const rare = instructionSets.filter((each) => !setsOfLambda.includes(each));
  if (bucketOf(storeUrl) === null) return 'the artifact is in no S3 bucket (`stage.to`)';
  if (!fromStore.includes(delivery)) {
    return `the function of the template reads its model from a bucket, and ${delivery} does not`;
  }
  if (startMode === 'snapstart')
    return 'the function of the template is a zip file on Node.js, and SnapStart takes that as a container image only';
  if (!['any', 'x64'].includes(architecture))
    return `the functions of the template are x86_64, and the artifact is made for ${architecture}`;
  if (rare.length > 0)
    return `the artifact is bound to a processor with ${rare.join(', ')}, which not every one of Lambda has`;
  return engine === 'openvino' && openvinoLayer === null
    ? 'the function needs a layer with the libraries of OpenVINO in openvino/libs: give its ARN (`--openvino-layer ARN`, `pick.openvinoLayer`)'
    : null;
}

function bucketOf(storeUrl: string | null): string | null {
  return /^s3:\/\/([^/]+)/.exec(storeUrl ?? '')?.[1] ?? null;
}
