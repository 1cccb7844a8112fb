import { Worker } from "node:worker_threads"
import { Context, Data, Duration, Effect, Exit, Layer } from "effect"
import type { MailJobAnswer, MailJobName, MailJobs } from "./MailJobs.js"

/** A job was not done: the mail is beyond its limits, took too long or too much memory, or ended its thread. */
export class MailJobFailed extends Data.TaggedError("MailJobFailed")<{ readonly message: string }> {}

/** Threads that mail of strangers is worked on in. One that a mail has ended harms no other mail. */
export class MailThreads extends Context.Tag("channels/MailThreads")<
  MailThreads,
  {
    /** Waits for a thread first, in the order of the calls; each job before it has its bounds too. */
    readonly run: <Name extends MailJobName>(
      name: Name,
      input: MailJobs[Name]["input"]
    ) => Effect.Effect<MailJobs[Name]["output"], MailJobFailed>
  }
>() {}

/** The limits of mail threads. */
export class MailThreadsSettings extends Context.Reference<MailThreadsSettings>()("channels/MailThreadsSettings", {
  defaultValue: (): {
    readonly threads: number
    /** The timeout of one job, from when a thread has it. */
    readonly patience: Duration.DurationInput
    /** The largest heap of one thread, in MiB. */
    readonly memory: number
  } => ({ threads: 2, patience: "5 seconds", memory: 256 })
}) {}

/** The compiled file: of this file's folder, or, where tests read sources that Node.js can't run, of the last build. */
const threadFile = new URL(
  import.meta.url.endsWith(".ts") ? "../../../../dist/email/receiving/reading/MailThread.js" : "./MailThread.js",
  import.meta.url
)

const startedThread = (memory: number): Worker => {
  const thread = new Worker(threadFile, {
    name: "mail",
    // Nothing of ours is known in there, should a mail ever take it over.
    env: {},
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }
  })
  // What a library has to say there is nobody's to read, but must be taken.
  thread.stdout.resume()
  thread.stderr.resume()
  // A thread may end while it has no job: the next job finds that out.
  thread.on("error", () => {})
  return thread
}

const answerOf = <Name extends MailJobName>(thread: Worker, name: Name, input: MailJobs[Name]["input"]) =>
  Effect.async<MailJobAnswer<Name>, MailJobFailed>((resume) => {
    const leave = () => {
      thread.off("message", onMessage).off("messageerror", onError).off("error", onError).off("exit", onExit)
    }
    const end = (outcome: Effect.Effect<MailJobAnswer<Name>, MailJobFailed>) => {
      leave()
      resume(outcome)
    }
    const onMessage = (answer: MailJobAnswer<Name>) => end(Effect.succeed(answer))
    const onError = (error: Error) => end(new MailJobFailed({ message: `It ended its reader: ${error.message}` }))
    const onExit = () => end(new MailJobFailed({ message: "It ended its reader" }))
    thread.on("message", onMessage).on("messageerror", onError).on("error", onError).on("exit", onExit)
    thread.postMessage({ name, input }, input.raw === undefined ? [] : [input.raw])
    return Effect.sync(leave)
  })

/** Starts threads when they are needed first, and after one has ended. */
export const MailThreadsNode = Layer.scoped(
  MailThreads,
  Effect.gen(function* () {
    const { memory, patience, threads } = yield* MailThreadsSettings
    const within = Duration.decode(patience)
    const places = yield* Effect.makeSemaphore(threads)
    const all = new Set<Worker>()
    const idle = new Set<Worker>()

    const end = (thread: Worker) =>
      Effect.promise(() => {
        all.delete(thread)
        idle.delete(thread)
        return thread.terminate()
      })
    yield* Effect.addFinalizer(() => Effect.forEach([...all], end, { concurrency: "unbounded", discard: true }))

    const taken = Effect.sync((): Worker => {
      const [waiting] = idle
      if (waiting !== undefined) {
        idle.delete(waiting)
        return waiting
      }
      const thread = startedThread(memory)
      all.add(thread)
      thread.once("exit", () => {
        all.delete(thread)
        idle.delete(thread)
      })
      return thread
    })

    const answered = <Name extends MailJobName>(name: Name, input: MailJobs[Name]["input"]) =>
      Effect.acquireUseRelease(
        taken,
        (thread) =>
          Effect.timeoutFail(answerOf(thread, name, input), {
            duration: within,
            onTimeout: () => new MailJobFailed({ message: `It took longer than ${Duration.format(within)}` })
          }),
        // A thread that has not answered is still busy with the job, and is ended.
        (thread, exit) =>
          Exit.isSuccess(exit) && all.has(thread) ? Effect.sync(() => void idle.add(thread)) : end(thread)
      )

    const run = <Name extends MailJobName>(name: Name, input: MailJobs[Name]["input"]) =>
      Effect.flatMap(places.withPermits(1)(answered(name, input)), (answer) =>
        answer.done ? Effect.succeed(answer.output) : new MailJobFailed({ message: answer.message })
      )

    return { run }
  })
)
