import { parentPort } from "node:worker_threads"
import type { MailJob, MailJobAnswer, MailJobName } from "./MailJobs.js"
import { MailTooMuch } from "./MailLimits.js"
import { PlainBlob } from "./PlainBlob.js"
import { readRawMail } from "./ReadRawMail.js"

// What a thread runs, with nothing of the process but this file and what it imports: MailThreads starts it.

Object.defineProperty(globalThis, "Blob", { value: PlainBlob })

const answerTo = async (job: MailJob): Promise<MailJobAnswer<MailJobName>> => {
  try {
    switch (job.name) {
      case "read":
        return { done: true, output: await readRawMail(job.input.raw) }
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { done: false, message: error instanceof MailTooMuch ? why : `It can't be taken apart: ${why}` }
  }
}

/** Octets that are handed over, not copied. */
const handedOver = (answer: MailJobAnswer<MailJobName>): ReadonlyArray<ArrayBuffer> => {
  const buffers = answer.done ? answer.output.parts.map(({ content }) => content.buffer) : []
  return [...new Set(buffers.filter((buffer) => buffer instanceof ArrayBuffer))]
}

parentPort?.on("message", async (job: MailJob) => {
  const answer = await answerTo(job)
  parentPort?.postMessage(answer, handedOver(answer))
})
