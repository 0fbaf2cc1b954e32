import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FaultRule, FaultScript } from './fault.js';
import { FaultyExchange, type Moment } from './faulty-exchange.js';
import { nameS3Call, type S3Call } from './s3-call.js';
import type { RunningS3 } from './versitygw.mjs';

/** What happens to the requests of one bucket. */
export type ProxyScript = {
  readonly rules?: readonly FaultRule[];
  /** Told of each moment before anything goes on; `drop` breaks the connection there. */
  readonly onMoment?: (moment: Moment, call: S3Call) => Promise<'go' | 'drop'>;
};

/** What the proxy saw of one bucket. */
export type ProxyLog = {
  /** Every request in the order of arrival. */
  readonly calls: readonly S3Call[];
  /** How often each rule was applied. */
  readonly hits: () => readonly number[];
  /** What went wrong without a rule for it. */
  readonly troubles: readonly string[];
};

/** A proxy in front of a real S3 server that lets requests go wrong as it was told. */
export type FaultProxy = {
  readonly endpoint: string;
  /** Sets the script of a bucket, from its next request on; buckets without one are passed through. */
  readonly play: (bucket: string, script: ProxyScript) => ProxyLog;
  readonly stop: () => Promise<void>;
};

type Lane = {
  readonly script: FaultScript;
  readonly onMoment: NonNullable<ProxyScript['onMoment']>;
  readonly clock: { aheadMs: number };
  readonly calls: S3Call[];
  readonly counts: Map<string, number>;
  readonly troubles: string[];
};

/**
 * Starts a proxy. Requests keep the host and signature that they came with.
 *
 * @param s3 - The server behind it.
 * @returns The proxy.
 */
export async function startFaultProxy(s3: RunningS3): Promise<FaultProxy> {
  const lanes = new Map<string, Lane>();
  const play = (bucket: string, script: ProxyScript): ProxyLog => {
    const lane = makeLane(script);
    lanes.set(bucket, lane);
    return { calls: lane.calls, troubles: lane.troubles, hits: () => lane.script.hits };
  };
  const server = createServer((request, response) => {
    const lane = lanes.get(nameS3Call(request).bucket) ?? makeLane({});
    void serve(s3, lane, request, response);
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    play,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function makeLane({ rules = [], onMoment = async () => 'go' }: ProxyScript): Lane {
  const log = { calls: [], counts: new Map<string, number>(), troubles: [] };
  return { script: new FaultScript(rules), onMoment, clock: { aheadMs: 0 }, ...log };
}

async function serve(
  s3: RunningS3,
  lane: Lane,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const named = nameS3Call(request);
  const count = (lane.counts.get(named.name) ?? 0) + 1;
  lane.counts.set(named.name, count);
  const call = { ...named, count };
  lane.calls.push(call);
  const exchange = new FaultyExchange(request, response, lane.script.next(call), {
    target: new URL(s3.endpoint),
    secretAccessKey: s3.secretAccessKey,
    clock: lane.clock,
    onMoment: (moment) => lane.onMoment(moment, call),
  });
  try {
    await exchange.run();
  } catch (error) {
    // A client that has gone ends its request with an error; anything else is a fault that nobody ordered.
    if (request.socket?.destroyed === false) lane.troubles.push(`${call.name}: ${String(error)}`);
    request.socket?.destroy();
  }
}
