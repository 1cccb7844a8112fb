import { Predicate } from "effect"

/** The maximum size of an event's data as JSON, in bytes; a GET returns the complete resource (Standard Webhooks). */
export const maxEventBytes = 20_000

/** The maximum length of a received mail's `replyText` in an event that would be too large, in bytes of UTF-8. */
const maxReplyTextBytes = 8_000

type Data = Record<string, unknown>

const inMetadata = (data: Data, change: (metadata: Data) => Data): Data =>
  Predicate.isRecord(data.emailMetadata) ? { ...data, emailMetadata: change({ ...data.emailMetadata }) } : data

const inContent = (data: Data, change: (content: Data) => Data): Data =>
  Predicate.isRecord(data.content) ? { ...data, content: change({ ...data.content }) } : data

const encoder = new TextEncoder()

/** The beginning of a text, without a part of a character. */
const beginning = (text: string): string =>
  text.slice(0, encoder.encodeInto(text, new Uint8Array(maxReplyTextBytes)).read)

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const withoutResponse = (delivery: unknown) => {
  if (!Predicate.isRecord(delivery)) return delivery
  const { response: _, ...rest } = delivery
  return rest
}

/** The reductions of data that is too large, in order; the least important fields are removed first. */
const reductions: ReadonlyArray<(data: Data) => Data> = [
  (data) =>
    inContent(data, (content) =>
      Predicate.isString(content.replyText) ? { ...content, replyText: beginning(content.replyText) } : content
    ),
  (data) =>
    inMetadata(data, (metadata) =>
      isList(metadata.clicks) ? { ...metadata, clicks: metadata.clicks.slice(-1) } : metadata
    ),
  (data) => ("apiRequestMetadata" in data ? { ...data, apiRequestMetadata: null } : data),
  ({ toParticipants: _, ...data }) => data,
  (data) => ("providerResponse" in data ? { ...data, providerResponse: null } : data),
  (data) =>
    inMetadata(data, (metadata) =>
      isList(metadata.deliveries) ? { ...metadata, deliveries: metadata.deliveries.map(withoutResponse) } : metadata
    ),
  (data) => inMetadata(data, ({ names: _, ...metadata }) => ({ ...metadata, headers: {} })),
  (data) => (isList(data.statusHistory) ? { ...data, statusHistory: data.statusHistory.slice(-10) } : data),
  ({ emailMetadata: _, ...data }) => data,
  (data) => ("participantTracking" in data ? { ...data, participantTracking: "{}" } : data),
  (data) => ("metadata" in data ? { ...data, metadata: Predicate.isString(data.metadata) ? "{}" : {} } : data),
  (data) => inContent(data, ({ replyText: _, ...content }) => content),
  ({ id }) => ({ id })
]

const bytesOf = (data: Data) => encoder.encode(JSON.stringify(data)).byteLength

/** Reduces the encoded data of an event below `maxEventBytes`. */
export const withinEventSize = (data: unknown): unknown => {
  if (!Predicate.isRecord(data)) return data
  let small: Data = { ...data }
  for (const reduce of reductions) {
    if (bytesOf(small) < maxEventBytes) return small
    small = reduce(small)
  }
  return small
}
