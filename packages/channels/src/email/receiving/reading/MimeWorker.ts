import { parentPort } from "node:worker_threads"
import { replyText } from "@switchboard/domain/email/receiving/ReplyText"
import type { ReadMail } from "@switchboard/services/email/receiving/ReadMail"
import { addressList } from "./AddressList.js"
import { firstCharset, mailBody, textOfHtml } from "./MailBody.js"
import type { MailJob, MailJobName, MailJobResult, MailJobs } from "./MailJobs.js"
import { bodyText, decodedHeader } from "./MailText.js"
import { MailLimitExceeded, mailLimits } from "./MimeHeader.js"
import { readMime } from "./MimeTree.js"

/** The maximum line length of a mail (RFC 5322 section 2.1.1), so also of a Message-ID. */
const maxIdLength = 998

const bracketed = /<([^<>]*)>/g
const bare = /(?<![^\s,;"'])[^\s<>@,;"']+@[^\s<>@,;"']+/g

/** A Message-ID from the text between angle brackets, which may be folded. */
const idOf = (inside: string): string | null => {
  const id = inside.replace(/\s+/g, "")
  const isOne = id !== "" && id.length <= maxIdLength - 2 && (id === inside.trim() || id.includes("@"))
  return isOne ? `<${id}>` : null
}

/** The Message-IDs of a header field, in angle brackets. Without any brackets, each `local@domain` counts. */
const messageIds = (value: string): ReadonlyArray<string> => {
  const ids = [...value.matchAll(bracketed)].flatMap(([, inside = ""]) => idOf(inside) ?? [])
  const found = ids.length > 0 || value.includes("<") ? ids : (value.match(bare) ?? []).map((id) => `<${id}>`)
  return found.filter((id) => id.length <= maxIdLength)
}

/** The text of a mail with HTML only, and the same with all quotes marked. The converter is imported at first use. */
const textsOfHtml = async (html: string) => {
  const { textWithQuoteMarks } = await import("@switchboard/services/email/receiving/QuotedHtml")
  const text = bodyText(await textOfHtml(html), mailLimits.body)
  const marked = textWithQuoteMarks(html)
  return { text, marked: marked === undefined ? text : bodyText(marked, mailLimits.body) }
}

/** Parses a raw mail. Throws `MailLimitExceeded` for a mail beyond the limits. */
export const readRawMail = async (raw: ArrayBuffer): Promise<ReadMail> => {
  const root = readMime(Buffer.from(raw))
  const charset = firstCharset(root)
  const fields = root.fields.map(({ name, value }) => ({ name: name.toLowerCase(), value }))
  const headers = fields.map(({ name, value }) => ({ name, value: decodedHeader(value, charset) }))
  const valueOf = (name: string) => headers.find((header) => header.name === name)?.value ?? ""
  const idsOf = (name: string) =>
    headers.flatMap((header) => (header.name === name ? messageIds(header.value) : [])).slice(-mailLimits.ids)
  const mailboxesOf = (name: string) =>
    fields
      .flatMap((field) => (field.name === name ? addressList(field.value, charset) : []))
      .slice(0, mailLimits.addresses)
  const authors = addressList(fields.find(({ name }) => name === "from")?.value ?? "", charset)
  const subject = valueOf("subject")
  const { html, parts, text: plain } = await mailBody(root)
  const { marked, text } = plain.trim() === "" && html !== "" ? await textsOfHtml(html) : { marked: plain, text: plain }
  return {
    headers,
    messageId: messageIds(valueOf("message-id"))[0] ?? "",
    inReplyTo: idsOf("in-reply-to"),
    references: idsOf("references"),
    from: authors.find(({ address }) => address.includes("@")) ?? authors[0] ?? { name: "", address: "" },
    replyTo: mailboxesOf("reply-to"),
    to: mailboxesOf("to"),
    cc: mailboxesOf("cc"),
    subject,
    text,
    html,
    replyText: replyText(subject, text, marked),
    parts
  }
}

// This file is the entry point of the worker threads that MimeWorkerPool starts.

/** The modules of the checks are imported at their first job, which keeps the start of a worker short. */
const execute = async (job: MailJob): Promise<MailJobs[MailJobName]["output"]> => {
  switch (job.name) {
    case "read":
      return readRawMail(job.input.raw)
    case "reports":
      return (await import("../reports/ReadReports.js")).readReports(job.input.files)
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
