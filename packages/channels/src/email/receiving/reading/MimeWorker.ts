import { parentPort } from "node:worker_threads"
import type { MailJob, MailJobName, MailJobResult, MailJobs } from "./MailJobs.js"
import { MailLimitExceeded } from "./MailLimits.js"
import { readRawMail } from "./ReadRawMail.js"

// This file is the entry point of the worker threads that MimeWorkerPool starts.

/** The modules of the checks are imported at their first job, which keeps the start of a worker short. */
const execute = async (job: MailJob): Promise<MailJobs[MailJobName]["output"]> => {
  switch (job.name) {
    case "read":
      return readRawMail(job.input.raw)
    case "dkim":
      return (await import("../authentication/CheckDkim.js")).checkDkim(job.input)
    case "spf":
      return (await import("../authentication/CheckSpf.js")).checkSpf(job.input)
    case "dmarc":
      return (await import("../authentication/CheckDmarc.js")).checkDmarc(job.input)
    case "seal":
      return (await import("../../forwarding/SealArc.js")).sealArc(job.input)
    case "rewrite":
      return (await import("../../forwarding/RewriteFrom.js")).rewriteFrom(job.input)
  }
}

const runJob = async (job: MailJob): Promise<MailJobResult<MailJobName>> => {
  try {
    return { done: true, output: await execute(job) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { done: false, message: error instanceof MailLimitExceeded ? reason : `It can't be parsed: ${reason}` }
  }
}

/** The buffers of the parts, which are transferred, not copied. */
const transferList = (result: MailJobResult<MailJobName>): ReadonlyArray<ArrayBuffer> => {
  if (!result.done || !("parts" in result.output)) return []
  const buffers = result.output.parts.map(({ content }) => content.buffer)
  return [...new Set(buffers.filter((buffer) => buffer instanceof ArrayBuffer))]
}

parentPort?.on("message", async (job: MailJob) => {
  const result = await runJob(job)
  parentPort?.postMessage(result, transferList(result))
})
