import { Schema } from "effect"
import { choice } from "../../Choice.js"
import { EmailAddress } from "../../email/EmailAddress.js"
import { WebhookHeaders, WebhookUrl } from "../../webhooks/WebhookRequests.js"
import { filledText } from "../FilledText.js"

/*
 * What a node of each type needs to do its work. A configuration is a free map: an editor may keep there what it likes,
 * but what the type needs must be right.
 */

const config = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields, { key: Schema.String, value: Schema.Unknown })

const seconds = (least: number, most: number, description: string) =>
  Schema.Number.pipe(
    Schema.filter((value) => (value >= least && value <= most) || `must be a number from ${least} to ${most}`)
  ).annotations({ jsonSchema: { type: "number", minimum: least, maximum: most, description } })

const Speech = filledText(5_000, "what is said; {{name}} stands for what the variable of that name holds")

/** Where a call keeps something, to be asked for by conditions and said by texts. */
const variableName = (description: string) =>
  Schema.String.pipe(
    Schema.filter(
      (name) => /^[A-Za-z_]\w{0,99}$/.test(name) || "must be letters, digits and _, beginning with no digit"
    )
  ).annotations({ jsonSchema: { type: "string", pattern: "^[A-Za-z_]\\w{0,99}$", examples: ["reply"], description } })

/** How long somebody is listened to, unless the node says otherwise. */
export const defaultListenSeconds = 5

const listening = {
  timeoutSeconds: Schema.optional(seconds(1, 120, `how long to listen, ${defaultListenSeconds} unless told otherwise`)),
  variable: Schema.optional(variableName("where what was heard is kept, besides the variable `reply`")),
  sandboxReply: Schema.optional(
    Schema.String.annotations({
      description: "what the person at the other end says, in a call of the sandbox carrier"
    })
  )
}

/** A thing to choose; its `id` is the `sourceHandle` of the edge that is taken for it. */
export const MenuItem = Schema.Struct(
  {
    id: filledText(100),
    label: filledText(200),
    keywords: Schema.optional(
      Schema.Array(filledText(100)).annotations({ description: "words that are taken for the item, besides its label" })
    )
  },
  { key: Schema.String, value: Schema.Unknown }
).annotations({ identifier: "MenuItem" })
export type MenuItem = typeof MenuItem.Type

const MenuItems = Schema.Array(MenuItem).pipe(
  Schema.filter((items) => (items.length >= 1 && items.length <= 20) || "must have 1 to 20 items"),
  Schema.filter((items) => {
    const ids = items.map(({ id }) => id)
    return ids.flatMap((id, at) =>
      ids.indexOf(id) < at ? [{ path: [at, "id"], message: "must be another than the other items'" }] : []
    )
  })
)

/** What a condition asks of a variable. */
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

/** By the node's type: what its configuration must and may say. */
export const nodeConfigs = {
  "trigger.callStarted": config({}),
  "trigger.callEnded": config({}),
  "action.speak": config({ text: Speech }),
  "action.listen": config({ prompt: Schema.optional(Speech), ...listening }),
  "action.menu": config({ prompt: Schema.optional(Speech), items: MenuItems, ...listening }),
  "action.transfer": config({ to: filledText(255, "a phone number or a SIP address") }),
  "action.sendMessage": config({
    channel: choice("email"),
    to: EmailAddress,
    subject: filledText(200),
    text: filledText(20_000)
  }),
  "action.httpRequest": config({
    url: WebhookUrl,
    method: choice("GET", "POST", "PUT", "PATCH", "DELETE"),
    headers: Schema.optional(WebhookHeaders),
    body: Schema.optional(Schema.Unknown.annotations({ description: "a text as it is, anything else as JSON" })),
    variable: Schema.optional(variableName("where the answer's body is kept; its status is in `httpStatus`"))
  }),
  "action.hangup": config({}),
  "logic.condition": config({
    variable: variableName("what is asked about"),
    operator: ConditionOperator,
    value: Schema.optional(Schema.Union(Schema.String, Schema.Number, Schema.Boolean))
  }).pipe(
    Schema.filter(({ operator, value }) =>
      value !== undefined || /exists/i.test(operator)
        ? undefined
        : { path: ["value"], message: `is required by the operator ${operator}` }
    )
  ),
  "logic.delay": config({ seconds: seconds(0.1, 3_600, "how long nothing happens") }),
  "ai.respond": config({ prompt: Schema.optional(Speech) })
} as const
