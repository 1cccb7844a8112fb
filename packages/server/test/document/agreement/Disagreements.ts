import { Schema } from "effect"
import type { CheckedResponse } from "../Installation.js"
import { namedRule } from "./SemanticRules.js"

/** The result of a request, or of one item of a batch. */
interface Outcome {
  readonly status: number
  readonly body: unknown
}

const BatchResponse = Schema.Struct({
  results: Schema.Array(Schema.Struct({ status: Schema.Number, error: Schema.optional(Schema.Unknown) }))
})
const isBatch = Schema.is(BatchResponse)

/** The sends of a batch are refused one by one. */
const outcomesOf = ({ body, status }: CheckedResponse): ReadonlyArray<Outcome> =>
  isBatch(body) ? body.results.map(({ error, status }) => ({ status, body: error })) : [{ status, body }]

const ErrorBody = Schema.Struct({
  _tag: Schema.String,
  message: Schema.optional(Schema.String),
  fields: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }))
})
const isErrorBody = Schema.is(ErrorBody)

/** The reasons of a refusal: the tag with the message, or with the name and the sentence of each field. */
const reasonsOf = ({ body }: Outcome): ReadonlyArray<string> => {
  if (!isErrorBody(body)) return ["no error"]
  const { _tag, fields, message = "" } = body
  const reasons = Object.entries(fields ?? {}).flatMap(([name, sentences]) => sentences.map((one) => `${name} ${one}`))
  return (reasons.length === 0 ? [message] : reasons).map((reason) => `${_tag}: ${reason}`)
}

/** The statuses of requests with a malformed part. */
const malformed: ReadonlyArray<number> = [400, 413, 422]

/** The disagreements of document and service on a request that matches the document, or does not. */
export const disagreements = (isValid: boolean, response: CheckedResponse): ReadonlyArray<string> => {
  const outcomes = outcomesOf(response)
  if (outcomes.some(({ status }) => status >= 500)) return ["fails"]
  const refusals = outcomes.filter(({ status }) => status >= 400)
  if (isValid) {
    const unnamed = refusals.flatMap(reasonsOf).filter((reason) => namedRule(reason) === undefined)
    return unnamed.map((reason) => `matches the document, and breaks no named rule: ${reason}`)
  }
  return refusals.some(({ status }) => malformed.includes(status))
    ? []
    : ["does not match the document, and is accepted"]
}

/** A text of bounded length, for the message of a failed test. */
export const shortened = (text: string): string => (text.length > 600 ? `${text.slice(0, 600)}…` : text)
