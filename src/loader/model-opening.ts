import type { Delivery } from '../lib/delivery.js';
import { showAddress } from '../lib/show-address.js';
import type { NamedTensors } from '../lib/tensor.js';
import { OptimiseModelError } from '../messages/error.js';
import { installedVersion } from '../runtimes/installed-version.js';
import type { RuntimeSession } from '../runtimes/runtime.js';
import { closeConnections } from '../store/close-connections.js';
import { type ArtifactChoice, chooseArtifact, engineOf, renewStore } from './choose-artifact.js';
import { isSnapshotted, makeColdStartLog } from './cold-start-log.js';
import { type LoadedModel, loadArtifact } from './load-artifact.js';
import type { ResolvedOpenOptions } from './open-options.js';
import type { OpenedModel } from './opened-model.js';
import { makePhaseClock, type PhaseClock } from './phase-clock.js';
import { offerHere, refuseUnmetNeed } from './refuse-unmet-need.js';
import { shareLoad } from './share-load.js';

/** One model on its way from a source to a session: what is known of it so far, and what is still to be done. */
export class ModelOpening {
  readonly #source: string;
  readonly #options: ResolvedOpenOptions;
  readonly #load = shareLoad(() => this.#loadOnce());
  #clock: PhaseClock;
  #choice: ArtifactChoice | null = null;
  /** Of the last try, for whoever asks between two. */
  #lastChoice: ArtifactChoice | null = null;
  #loaded: LoadedModel | null = null;
  #firstRun: 'awaited' | 'running' | 'done' = 'awaited';
  readonly #underWay = new Set<Promise<NamedTensors>>();
  #isClosed = false;
  #isRestored = false;

  /**
   * @param source - What {@link openModel} was given.
   * @param options - Resolved options.
   * @param startMs - Process start to loader entry, milliseconds; null when that is not known.
   */
  constructor(source: string, options: ResolvedOpenOptions, startMs: number | null) {
    this.#source = source;
    this.#options = options;
    this.#clock = makePhaseClock(startMs);
  }

  /**
   * Goes as far as the delivery wants it before the first request.
   *
   * @returns The model as the caller sees it.
   */
  async open(): Promise<OpenedModel> {
    const isLazy = this.#options.delivery === 'lazy' || (await this.#findDelivery()) === 'lazy';
    // A snapshot that did not hold the model would be no help.
    if (!isLazy || isSnapshotted(process.env)) await this.#load.get();
    return this.#present();
  }

  async #findDelivery(): Promise<Delivery> {
    try {
      await this.#choose();
    } catch (error) {
      this.#log(error);
      throw error;
    }
    return this.#delivery();
  }

  async #choose(): Promise<ArtifactChoice> {
    this.#choice ??= await this.#clock.measure('downloadMs', () =>
      chooseArtifact(this.#source, this.#options),
    );
    this.#lastChoice = this.#choice;
    const { record } = this.#choice;
    // Before the engine is loaded and a byte of the model is read, also when that is left to the first request.
    refuseUnmetNeed(record, offerHere(installedVersion(engineOf(record))));
    return this.#choice;
  }

  #delivery(): Delivery {
    const choice = this.#lastChoice;
    const published = this.#options.delivery ?? choice?.release?.delivery;
    if (published !== undefined) return published;
    if (choice === null) return 's3-copy';
    if (choice.localFolder !== null) return 'layer';
    return choice.store.url.startsWith('s3:') ? 's3-copy' : 'url';
  }

  async #loadOnce(): Promise<LoadedModel> {
    try {
      const choice = await this.#choose();
      this.#loaded = await loadArtifact(choice, this.#delivery(), this.#options, this.#clock);
      return this.#loaded;
    } catch (error) {
      this.#log(error);
      // The next try measures itself, long after the process began, and sees what has been published meanwhile.
      this.#clock = makePhaseClock(null);
      this.#choice = null;
      throw error;
    }
  }

  async #use(): Promise<LoadedModel> {
    this.#refuseIfClosed();
    const loaded = await this.#load.get();
    // Whoever closed it meanwhile waits for the same load, and lets the session go next.
    this.#refuseIfClosed();
    return loaded;
  }

  #refuseIfClosed(): void {
    if (this.#isClosed) throw OptimiseModelError.of('model-closed', { source: showAddress(this.#source) });
  }

  async #run(feeds: NamedTensors): Promise<NamedTensors> {
    const { session } = await this.#use();
    const inference = this.#infer(session, feeds);
    this.#underWay.add(inference);
    try {
      return await inference;
    } finally {
      this.#underWay.delete(inference);
    }
  }

  async #infer(session: RuntimeSession, feeds: NamedTensors): Promise<NamedTensors> {
    if (this.#firstRun !== 'awaited') return session.run(feeds);
    this.#firstRun = 'running';
    try {
      const outputs = await this.#clock.measure('firstInferenceMs', () => session.run(feeds));
      this.#firstRun = 'done';
      this.#log(undefined);
      return outputs;
    } finally {
      if (this.#firstRun === 'running') this.#firstRun = 'awaited';
    }
  }

  async #beforeSnapshot(): Promise<void> {
    await this.#use();
    closeConnections();
  }

  async #afterRestore(): Promise<void> {
    closeConnections();
    this.#isRestored = true;
    const choice = this.#choice;
    // A client holds credentials, which may have expired in the snapshot.
    if (this.#loaded === null && choice !== null) this.#choice = await renewStore(choice);
    if (this.#firstRun === 'done') this.#log(undefined);
  }

  async #close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const loaded = await this.#load.peek()?.catch(() => undefined);
    // A session must not be let go under an inference that has begun.
    await Promise.allSettled(this.#underWay);
    await loaded?.close();
  }

  #present(): OpenedModel {
    const opening = this;
    return {
      get delivery() {
        return opening.#delivery();
      },
      get variant() {
        return opening.#lastChoice?.record.variant ?? null;
      },
      get release() {
        return opening.#lastChoice?.release?.id ?? null;
      },
      get threads() {
        return opening.#loaded?.session.threads ?? null;
      },
      get inference() {
        return opening.#loaded?.session.inference ?? null;
      },
      get phases() {
        return opening.#clock.read();
      },
      inputs: async () => (await opening.#use()).session.inputs,
      outputs: async () => (await opening.#use()).session.outputs,
      native: async () => (await opening.#use()).session.native,
      run: (feeds) => opening.#run(feeds),
      beforeSnapshot: () => opening.#beforeSnapshot(),
      afterRestore: () => opening.#afterRestore(),
      close: () => opening.#close(),
    };
  }

  #log(failure: unknown): void {
    const record = this.#choice?.record;
    const settings = this.#loaded?.settings;
    const engine = record === undefined ? null : engineOf(record);
    const facts = {
      source: showAddress(this.#source),
      release: this.#choice?.release?.id ?? null,
      digest: record?.digest ?? null,
      variantId: record?.variant?.id ?? this.#options.variant,
      delivery: this.#choice === null ? this.#options.delivery : this.#delivery(),
      threads: this.#loaded?.session.threads ?? this.#options.threads,
      threadsOrigin: settings?.threadsOrigin ?? null,
      threadsWarning: settings?.threadsWarning ?? null,
      // OpenVINO has none of these.
      session: engine === 'openvino' ? null : (settings?.options ?? null),
      inference: this.#loaded?.session.inference ?? null,
      fromCache: this.#loaded?.session.isFromCache ?? null,
      engine,
      engineVersion: this.#loaded?.engineVersion ?? null,
      sizeBytes: record?.sizeBytes ?? null,
      expandedSizeBytes: this.#loaded?.expandedSizeBytes ?? null,
      reused: this.#loaded?.isReused ?? null,
      restored: this.#isRestored,
      phases: this.#clock.read(),
    };
    this.#options.onLog(makeColdStartLog(facts, failure));
  }
}
