import { parentPort } from "node:worker_threads"
import type { MailJob, MailJobAnswer, MailJobName, MailJobs } from "./MailJobs.js"
import { MailTooMuch } from "./MailLimits.js"
import { completeMimeNodes } from "./MimeNodes.js"
import { readRawMail } from "./ReadRawMail.js"

/**
 * What postal-mime joins the lines of a part with, two pieces a line. That of Node.js keeps each piece apart: a mail of
 * 30 MB takes it seconds and its thread's memory. To be put in its place in a thread that runs nothing else.
 */
class PlainBlob {
  readonly #pieces: ReadonlyArray<ArrayBuffer | Uint8Array | string>

  constructor(pieces: ReadonlyArray<ArrayBuffer | Uint8Array | string> = []) {
    this.#pieces = pieces
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    const sizes = this.#pieces.map((piece) => (typeof piece === "string" ? Buffer.byteLength(piece) : piece.byteLength))
    const whole = Buffer.from(new ArrayBuffer(sizes.reduce((sum, size) => sum + size, 0)))
    let at = 0
    for (const piece of this.#pieces) {
      if (typeof piece === "string") at += whole.write(piece, at)
      else {
        whole.set(piece instanceof ArrayBuffer ? new Uint8Array(piece) : piece, at)
        at += piece.byteLength
      }
    }
    return Promise.resolve(whole.buffer)
  }
}

// What a thread runs, with nothing of the process but this file and what it imports: MailThreads starts it.

Object.defineProperty(globalThis, "Blob", { value: PlainBlob })
completeMimeNodes()

/** What checks are made of is loaded with the first. */
const outputOf = async (job: MailJob): Promise<MailJobs[MailJobName]["output"]> => {
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

const answerTo = async (job: MailJob): Promise<MailJobAnswer<MailJobName>> => {
  try {
    return { done: true, output: await outputOf(job) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { done: false, message: error instanceof MailTooMuch ? why : `It can't be taken apart: ${why}` }
  }
}

/** Octets that are handed over, not copied. */
const handedOver = (answer: MailJobAnswer<MailJobName>): ReadonlyArray<ArrayBuffer> => {
  if (!answer.done || !("parts" in answer.output)) return []
  const buffers = answer.output.parts.map(({ content }) => content.buffer)
  return [...new Set(buffers.filter((buffer) => buffer instanceof ArrayBuffer))]
}

parentPort?.on("message", async (job: MailJob) => {
  const answer = await answerTo(job)
  parentPort?.postMessage(answer, handedOver(answer))
})
