import { edit } from './edit-message.js';
import type {
  AttributeProto,
  FunctionProto,
  GraphProto,
  ModelProto,
  NodeProto,
  TensorProto,
} from './proto.js';

/** Changes a tensor, or gives it back as it is. */
export type ChangeTensor = (tensor: TensorProto) => TensorProto;

/**
 * Changes tensors wherever they are in a model: initializers, attributes, sparse ones, bodies, functions, training.
 *
 * @param model - The model, which stays as it is.
 * @param change - Called once per tensor.
 * @returns The edited model; the very same one when no tensor changed.
 */
export function mapTensors(model: ModelProto, change: ChangeTensor): ModelProto {
  const graph = model.graph ? mapGraph(model.graph, change) : undefined;
  const functions = mapList(model.functions, (fn) => mapNodes(fn, change));
  const trainingInfo = mapList(model.trainingInfo, (info) => {
    const initialization = info.initialization && mapGraph(info.initialization, change);
    const algorithm = info.algorithm && mapGraph(info.algorithm, change);
    const isSame = initialization === info.initialization && algorithm === info.algorithm;
    return isSame
      ? info
      : edit(info, { initialization: initialization ?? null, algorithm: algorithm ?? null });
  });
  const changes = {
    ...(graph && graph !== model.graph && { graph }),
    ...(functions && { functions }),
    ...(trainingInfo && { trainingInfo }),
  };
  return Object.keys(changes).length === 0 ? model : edit<ModelProto>(model, changes);
}

function mapGraph(graph: GraphProto, change: ChangeTensor): GraphProto {
  const withNodes = mapNodes(graph, change);
  const initializer = mapList(graph.initializer, change);
  const sparseInitializer = mapList(graph.sparseInitializer, (sparse) => mapSparse(sparse, change));
  const changes = { ...(initializer && { initializer }), ...(sparseInitializer && { sparseInitializer }) };
  return Object.keys(changes).length === 0 ? withNodes : edit(withNodes, changes);
}

function mapNodes<T extends GraphProto | FunctionProto>(owner: T, change: ChangeTensor): T {
  const node = mapList(owner.node, (item) => mapNode(item, change));
  return node === undefined ? owner : (edit<GraphProto | FunctionProto>(owner, { node }) as T);
}

function mapNode(node: NodeProto, change: ChangeTensor): NodeProto {
  const attribute = mapList(node.attribute, (item) => mapAttribute(item, change));
  return attribute === undefined ? node : edit(node, { attribute });
}

function mapAttribute(attribute: AttributeProto, change: ChangeTensor): AttributeProto {
  const t = attribute.t && change(attribute.t);
  const g = attribute.g && mapGraph(attribute.g, change);
  const sparseTensor = attribute.sparseTensor && mapSparse(attribute.sparseTensor, change);
  const tensors = mapList(attribute.tensors, change);
  const graphs = mapList(attribute.graphs, (graph) => mapGraph(graph, change));
  const sparseTensors = mapList(attribute.sparseTensors, (sparse) => mapSparse(sparse, change));
  const changes = {
    ...(t && t !== attribute.t && { t }),
    ...(g && g !== attribute.g && { g }),
    ...(sparseTensor && sparseTensor !== attribute.sparseTensor && { sparseTensor }),
    ...(tensors && { tensors }),
    ...(graphs && { graphs }),
    ...(sparseTensors && { sparseTensors }),
  };
  return Object.keys(changes).length === 0 ? attribute : edit(attribute, changes);
}

type Sparse = NonNullable<GraphProto['sparseInitializer']>[number];

function mapSparse(sparse: Sparse, change: ChangeTensor): Sparse {
  const values = sparse.values && change(sparse.values);
  const indices = sparse.indices && change(sparse.indices);
  const isSame = values === sparse.values && indices === sparse.indices;
  return isSame ? sparse : edit(sparse, { values: values ?? null, indices: indices ?? null });
}

/** Undefined when all items stay. */
function mapList<T>(items: readonly T[] | null | undefined, change: (item: T) => T): T[] | undefined {
  const changed = items?.map(change);
  return changed?.some((item, index) => item !== items?.[index]) ? changed : undefined;
}
