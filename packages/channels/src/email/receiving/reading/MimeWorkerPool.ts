import { Worker } from "node:worker_threads"
import { Context, Data, Duration, Effect, Exit, Layer } from "effect"
import type { MailJobName, MailJobResult, MailJobs } from "./MailJobs.js"

/** A job failed: the mail exceeds a limit, or it took too long or too much memory. */
export class MailJobFailed extends Data.TaggedError("MailJobFailed")<{ readonly message: string }> {}

/** A pool of worker threads that process untrusted mail. A mail that crashes its worker affects no other mail. */
export class MimeWorkerPool extends Context.Tag("channels/MimeWorkerPool")<
  MimeWorkerPool,
  {
    /** Runs a job in the next free worker, first in first out. */
    readonly run: <Name extends MailJobName>(
      name: Name,
      input: MailJobs[Name]["input"]
    ) => Effect.Effect<MailJobs[Name]["output"], MailJobFailed>
  }
>() {}

/** The size of the pool and the limits of a job. */
export class MimeWorkerPoolSettings extends Context.Reference<MimeWorkerPoolSettings>()(
  "channels/MimeWorkerPoolSettings",
  {
    defaultValue: (): {
      readonly threads: number
      /** The timeout of one job, without the wait for a worker. */
      readonly timeout: Duration.DurationInput
      /** The maximum heap size of one worker, in MiB. */
      readonly maxHeapMiB: number
      /** The compiled file MimeWorker.js. */
      readonly program: URL
    } => ({
      threads: 2,
      timeout: "5 seconds",
      maxHeapMiB: 256,
      program: new URL("./MimeWorker.js", import.meta.url)
    })
  }
) {}

const startWorker = (program: URL, maxHeapMiB: number): Worker => {
  const worker = new Worker(program, {
    name: "mail",
    // A compromised worker must not have the process's secrets.
    env: {},
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }
  })
  // The output of libraries is discarded; unread, it would fill the pipes.
  worker.stdout.resume()
  worker.stderr.resume()
  // A worker may crash while idle; the "exit" listener of the pool removes it.
  worker.on("error", () => {})
  return worker
}

const runJob = <Name extends MailJobName>(worker: Worker, name: Name, input: MailJobs[Name]["input"]) =>
  Effect.async<MailJobResult<Name>, MailJobFailed>((resume) => {
    const removeListeners = () => {
      worker.off("message", onMessage).off("messageerror", onError).off("error", onError).off("exit", onExit)
    }
    const end = (outcome: Effect.Effect<MailJobResult<Name>, MailJobFailed>) => {
      removeListeners()
      resume(outcome)
    }
    const onMessage = (result: MailJobResult<Name>) => end(Effect.succeed(result))
    const onError = (error: Error) =>
      end(new MailJobFailed({ message: `It crashed its worker thread: ${error.message}` }))
    const onExit = () => end(new MailJobFailed({ message: "It crashed its worker thread" }))
    worker.on("message", onMessage).on("messageerror", onError).on("error", onError).on("exit", onExit)
    worker.postMessage({ name, input }, input.raw === undefined ? [] : [input.raw])
    return Effect.sync(removeListeners)
  })

/** Starts workers on demand, up to `threads`, and replaces crashed ones. */
export const MimeWorkerPoolNode = Layer.scoped(
  MimeWorkerPool,
  Effect.gen(function* () {
    const { maxHeapMiB, program, timeout, threads } = yield* MimeWorkerPoolSettings
    const jobTimeout = Duration.decode(timeout)
    const permits = yield* Effect.makeSemaphore(threads)
    const workers = new Set<Worker>()
    const idle = new Set<Worker>()

    const end = (worker: Worker) =>
      Effect.promise(() => {
        workers.delete(worker)
        idle.delete(worker)
        return worker.terminate()
      })
    yield* Effect.addFinalizer(() => Effect.forEach([...workers], end, { concurrency: "unbounded", discard: true }))

    const acquire = Effect.sync((): Worker => {
      const [idleWorker] = idle
      if (idleWorker !== undefined) {
        idle.delete(idleWorker)
        return idleWorker
      }
      const worker = startWorker(program, maxHeapMiB)
      workers.add(worker)
      worker.once("exit", () => {
        workers.delete(worker)
        idle.delete(worker)
      })
      return worker
    })

    const runInWorker = <Name extends MailJobName>(name: Name, input: MailJobs[Name]["input"]) =>
      Effect.acquireUseRelease(
        acquire,
        (worker) =>
          Effect.timeoutFail(runJob(worker, name, input), {
            duration: jobTimeout,
            onTimeout: () => new MailJobFailed({ message: `It took longer than ${Duration.format(jobTimeout)}` })
          }),
        // A worker without a result is still busy with the job, so it is terminated.
        (worker, exit) =>
          Exit.isSuccess(exit) && workers.has(worker) ? Effect.sync(() => void idle.add(worker)) : end(worker)
      )

    const run = <Name extends MailJobName>(name: Name, input: MailJobs[Name]["input"]) =>
      Effect.flatMap(permits.withPermits(1)(runInWorker(name, input)), (result) =>
        result.done ? Effect.succeed(result.output) : new MailJobFailed({ message: result.message })
      )

    return { run }
  })
)
