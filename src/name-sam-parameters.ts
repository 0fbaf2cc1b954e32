import type { Shipment } from './describe-shipment.js';

/** Parameters of `pipelines/lambda/template.yaml`, by name. */
export type SamParameters = Readonly<Record<string, string>>;

type Shipped = Omit<Shipment, 'samParameters' | 'samProblem'>;

/**
 * Puts what is shipped into parameters of the template in `pipelines/lambda`, as far as its Node.js function can ship it.
 *
 * @param shipped - What is shipped.
 * @param readyProcesses - That provisioned concurrency keeps ready.
 * @returns The parameters, or why there are none.
 */
export function nameSamParameters(
  shipped: Shipped,
  readyProcesses: number,
): Pick<Shipment, 'samParameters' | 'samProblem'> {
  const samProblem = findProblem(shipped);
  if (samProblem !== null) return { samParameters: null, samProblem };
  const { storeUrl, environment, memoryMiB, ephemeralMiB, startMode } = shipped;
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
      ...(startMode === 'provisioned' ? { LoaderReadyProcesses: String(readyProcesses) } : {}),
    },
    samProblem: null,
  };
}

const parameterOfVariable: Readonly<Record<string, string>> = {
  MODEL_SOURCE: 'ModelSource',
  MODEL_DELIVERY: 'ModelDelivery',
  OPTIMISE_MODEL_RELEASE: 'ModelRelease',
  OPENVINO_LIB_PATH: 'OpenvinoLibPath',
};

/** What the function of the template gets from its store by itself. */
const fromStore: readonly string[] = ['s3-copy', 'lazy', 'stream'];

function findProblem({ storeUrl, delivery, startMode }: Shipped): string | null {
  if (bucketOf(storeUrl) === null) return 'the artifact is in no S3 bucket (`stage.to`)';
  if (!fromStore.includes(delivery)) {
    return `the function of the template reads its model from a bucket, and ${delivery} does not`;
  }
  return startMode === 'snapstart'
    ? 'the function of the template is a zip file on Node.js, and SnapStart takes that as a container image only'
    : null;
}

function bucketOf(storeUrl: string | null): string | null {
  return /^s3:\/\/([^/]+)/.exec(storeUrl ?? '')?.[1] ?? null;
}
