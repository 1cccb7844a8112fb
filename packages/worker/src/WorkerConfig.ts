import { Context } from "effect"
import type { WorkLoopOptions } from "./QueueWork.js"

/**
 * The options of this process's loops: `WORKER_CONCURRENCY`, `LEASE_DURATION`, `SHUTDOWN_GRACE`, and the worker's name.
 */
export class WorkerConfig extends Context.Tag("worker/WorkerConfig")<WorkerConfig, WorkLoopOptions>() {}
