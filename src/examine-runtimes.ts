import { formatBytes } from './lib/format-quantity.js';
import { inferencePrecisions } from './lib/variant.js';
import { asOptimiseModelError } from './messages/as-error.js';
import type { DoctorReport } from './report/documents/run-result.js';
import { probeRuntimes, type RuntimeProbe } from './runtimes/probe-runtimes.js';
import { describeEngineIsolated } from './runtimes/run-isolated.js';

type Section = DoctorReport['sections'][number];
type Row = Section['rows'][number];
type FoundRuntime = Extract<RuntimeProbe, { found: true }>;

/**
 * Looks which engines are here, and what OpenVINO can do on this processor. It is asked in a process of its own: an
 * OpenVINO that crashes takes only that down. Without one nothing is started.
 *
 * @returns A section of name, value and note.
 */
export async function examineRuntimes(): Promise<Section> {
  const probes = await probeRuntimes();
  const rows = await Promise.all(probes.map(describeProbe));
  return { title: 'Runtimes', rows: rows.flat() };
}

async function describeProbe(probe: RuntimeProbe): Promise<readonly Row[]> {
  if (!probe.found) return [row(probe.engine, 'missing', `${probe.reason} ${probe.remedy}`)];
  if (probe.engine === 'openvino') return describeOpenvino(probe);
  const { engine, version, path, librarySizeBytes } = probe;
  return [row(engine, version, `library ${formatBytes(librarySizeBytes)}, in ${path}`)];
}

async function describeOpenvino(probe: FoundRuntime): Promise<readonly Row[]> {
  const { engine, path, foundBy, packSizeBytes, converter, readsOnnx } = probe;
  const where = `${formatBytes(packSizeBytes)} with the reader of IR, found by ${foundBy}, in ${path}`;
  const converting =
    converter === null
      ? row(
          'openvino converts',
          'missing',
          'for IR and blob variants: Run `python3 -m pip install openvino`.',
        )
      : row('openvino converts', 'ovc', `for IR and blob variants, in ${converter}`);
  const reading = readsOnnx
    ? []
    : [
        row(
          'openvino reads ONNX',
          'missing',
          'libopenvino_onnx_frontend is not beside its library, so that it opens IR and blob alone: Run `python3 -m pip install --force-reinstall openvino`.',
        ),
      ];
  try {
    const { version, device, inferencePrecisions: able } = await describeEngineIsolated(engine);
    const others = inferencePrecisions.filter((each) => !able.includes(each));
    const lacking = others.length === 0 ? '' : `, which has no ${others.join(' and ')}`;
    const computing = `what FP32 can be computed in on this ${device ?? 'processor'}${lacking}`;
    return [
      row(engine, version, where),
      row('openvino computes', able.join(', '), computing),
      ...reading,
      converting,
    ];
  } catch (thrown) {
    const error = asOptimiseModelError(thrown);
    return [row(engine, 'unusable', `${error.message} ${error.remedy}`), ...reading, converting];
  }
}

function row(name: string, value: string, note: string): Row {
  return { name, value, note };
}
