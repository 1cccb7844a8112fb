import { Context } from "effect"
import type { WorkLoopOptions } from "./QueueWork.js"

/** How this process works: `WORKER_CONCURRENCY`, `LEASE_DURATION`, `SHUTDOWN_GRACE`, and its name towards the others. */
export class WorkerConfig extends Context.Tag("worker/WorkerConfig")<WorkerConfig, WorkLoopOptions>() {}
