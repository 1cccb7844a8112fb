import { Schema } from "effect"
import { EmailAddress } from "../../email/EmailAddress.js"
import { choice, items } from "../../Fields.js"
import { HttpUrl } from "../../HttpUrl.js"
import { matching, text } from "../../Text.js"
import { WebhookHeaders } from "../../webhooks/WebhookRequests.js"

/*
 * The configuration of each node type. A configuration is an open map: editors can store additional members, but the
 * members that the type requires are validated.
 */

const config = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields, { key: Schema.String, value: Schema.Unknown })

const seconds = (min: number, max: number, description: string) =>
  Schema.Number.pipe(
    Schema.filter((value) => (value >= min && value <= max) || `must be a number from ${min} to ${max}`)
  ).annotations({ jsonSchema: { type: "number", minimum: min, maximum: max, description } })

const Speech = text(1, 5_000).annotations({
  description: "the text to speak; {{name}} is replaced by the value of that variable"
})

/** The name of a variable of a call, which conditions read and texts insert. */
const variableName = (description: string) =>
  Schema.String.pipe(
    matching(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, "must be letters, digits and _, beginning with no digit")
  ).annotations({ description, examples: ["reply"] })

/** The default time to wait for the caller's answer. */
export const defaultListenSeconds = 5

const listening = {
  timeoutSeconds: Schema.optional(seconds(1, 120, `the time to listen in seconds; default: ${defaultListenSeconds}`)),
  variable: Schema.optional(variableName("the variable that stores the reply, in addition to `reply`")),
  sandboxReply: Schema.optional(
    Schema.String.annotations({
      description: "the reply of the simulated person in a call of the sandbox carrier"
    })
  )
}

/** An item of a menu; its `id` is the `sourceHandle` of its edge. */
export const MenuItem = Schema.Struct(
  {
    id: text(1, 100),
    label: text(1, 200),
    keywords: Schema.optional(
      Schema.Array(text(1, 100)).annotations({ description: "words that select the item, in addition to its label" })
    )
  },
  { key: Schema.String, value: Schema.Unknown }
).annotations({ identifier: "MenuItem" })
export type MenuItem = typeof MenuItem.Type

const MenuItems = Schema.Array(MenuItem).pipe(
  items(1, 20),
  Schema.filter((choices) => {
    const ids = choices.map(({ id }) => id)
    return ids.flatMap((id, at) =>
      ids.indexOf(id) < at ? [{ path: [at, "id"], message: "must be another than the other items'" }] : []
    )
  })
)

/** The operator of a condition. */
export const ConditionOperator = choice(
  "equals",
  "notEquals",
  "contains",
  "notContains",
  "greaterThan",
  "lessThan",
  "exists",
  "notExists"
).annotations({ identifier: "ConditionOperator" })
export type ConditionOperator = typeof ConditionOperator.Type

/** The operators that compare with no value. */
const withoutValue: ReadonlyArray<ConditionOperator> = ["exists", "notExists"]

/** The configuration schema by node type. */
export const nodeConfigs = {
  "trigger.callStarted": config({}),
  "trigger.callEnded": config({}),
  "action.speak": config({
    text: Speech,
    audioUrl: Schema.optional(
      HttpUrl.annotations({ description: "an audio file of the text, which is played instead of synthesized speech" })
    )
  }),
  "action.listen": config({ prompt: Schema.optional(Speech), ...listening }),
  "action.menu": config({ prompt: Schema.optional(Speech), items: MenuItems, ...listening }),
  "action.transfer": config({ to: text(1, 255).annotations({ description: "a phone number or a SIP address" }) }),
  "action.sendMessage": config({
    channel: choice("email"),
    to: EmailAddress,
    subject: text(1, 200),
    text: text(1, 20_000)
  }),
  "action.httpRequest": config({
    url: HttpUrl,
    method: choice("GET", "POST", "PUT", "PATCH", "DELETE"),
    headers: Schema.optional(WebhookHeaders),
    body: Schema.optional(
      Schema.Unknown.annotations({ description: "the request body: a string unchanged, any other value as JSON" })
    ),
    variable: Schema.optional(variableName("the variable that stores the response body; `httpStatus` has the status"))
  }),
  "action.hangup": config({}),
  "logic.condition": config({
    variable: variableName("the variable to compare"),
    operator: ConditionOperator,
    value: Schema.optional(Schema.Union(Schema.String, Schema.Number, Schema.Boolean))
  }).pipe(
    Schema.filter(
      ({ operator, value }) =>
        value !== undefined || withoutValue.includes(operator)
          ? undefined
          : { path: ["value"], message: `is required by the operator ${operator}` },
      { jsonSchema: { if: { properties: { operator: { enum: withoutValue } } }, else: { required: ["value"] } } }
    )
  ),
  "logic.delay": config({ seconds: seconds(0.1, 3_600, "the delay in seconds") }),
  "ai.respond": config({ prompt: Schema.optional(Speech) })
} as const
