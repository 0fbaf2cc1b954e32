import { formatExactBytes } from '../../lib/format-quantity.js';
import type { PickReport } from '../documents/pick-result.js';
import { cell, columns, type ReportTable } from './report-table.js';

const engineNames = { onnxruntime: 'ONNX Runtime', openvino: 'OpenVINO' } as const;

/**
 * Lists what a release pipeline deploys of a choice, as names and values.
 *
 * @param shipment - What is shipped.
 * @returns Such as `digest` and the digest; what is not known is said.
 */
export function listShipment(
  shipment: NonNullable<PickReport['shipment']>,
): readonly (readonly [string, string])[] {
  const { artifactUrl, digest, release, engine, engineVersion, memoryMiB, ephemeralMiB } = shipment;
  const { threads, session, environment, samProblem, binding, architecture } = shipment;
  return [
    ['artifact', artifactUrl ?? 'in no store yet'],
    ['digest', digest],
    ['release', release ?? 'none with this choice'],
    ['engine', `${engineNames[engine]}${engineVersion === null ? '' : ` ${engineVersion}`}`],
    ...(binding === null ? [] : [['bound', binding] as const]),
    ...(architecture === 'any' ? [] : [['architecture', architecture] as const]),
    ['memory', memoryMiB === null ? 'not known: none was imitated' : `${formatExactBytes(memoryMiB)} MiB`],
    ['ephemeral storage', `${formatExactBytes(ephemeralMiB)} MiB`],
    ['threads', threads === null ? 'as the loader chooses' : String(threads)],
    ...(session === null
      ? []
      : [
          [
            'session',
            `prepacking ${session.prepacking ? 'on' : 'off'}, optimisation ${session.optimisation}`,
          ] as const,
        ]),
    ...listLayers(shipment),
    ...Object.entries(environment).map(([name, value]) => ['variable', `${name}=${value}`] as const),
    ['SAM', samProblem === null ? '`optimise-model pick --sam-parameters`' : `no parameters: ${samProblem}`],
  ];
}

/** A layer NAME lies below /opt in a function. */
function listLayers({
  delivery,
  engine,
}: NonNullable<PickReport['shipment']>): readonly (readonly [string, string])[] {
  return [
    ...(delivery === 'layer'
      ? [
          [
            'model layer',
            "the artifact's folder as NAME: /opt/NAME in the function, for `layerDir` of the loader; without a store MODEL_SOURCE is /opt/NAME/artifact.json",
          ] as const,
        ]
      : []),
    ...(engine === 'openvino'
      ? [
          [
            'engine layer',
            'the libraries that `optimise-model check ARTIFACT --json` lists, in openvino/libs: /opt/openvino/libs in the function',
          ] as const,
        ]
      : []),
  ];
}

/**
 * Lists the same as a table.
 *
 * @param shipment - What is shipped.
 * @returns The table.
 */
export function tabulateShipment(shipment: NonNullable<PickReport['shipment']>): ReportTable {
  return {
    title: 'What is deployed',
    columns: columns('Part', '~Value'),
    rows: listShipment(shipment).map(([name, value]) => [
      cell(name),
      cell(name === 'variable' ? `\`${value}\`` : value),
    ]),
    notes: [],
  };
}
