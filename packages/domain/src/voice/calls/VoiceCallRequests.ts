import { Schema } from "effect"
import { choice } from "../../Choice.js"
import { VoiceAgentId } from "../agents/VoiceAgent.js"
import { VoiceCallStatus } from "../VoiceCall.js"

/** A number as it is dialled from everywhere; whether there can be one like it is for the service to say. */
const PhoneNumber = Schema.String.pipe(
  Schema.filter((text) => /^\+[1-9]\d{6,14}$/.test(text) || "must be a phone number in E.164 form, like +442079460018")
).annotations({ jsonSchema: { type: "string", pattern: "^\\+[1-9]\\d{6,14}$", examples: ["+442079460018"] } })

/** How much faster than its own time a call of the sandbox goes, unless it is told otherwise. */
export const usualSpeed = 5

const Speed = Schema.Number.pipe(
  Schema.filter((speed) => (speed >= 1 && speed <= 100) || "must be a number from 1 to 100")
).annotations({
  jsonSchema: {
    type: "number",
    minimum: 1,
    maximum: 100,
    description: `how many seconds of the call go by in a second, ${usualSpeed} unless told otherwise`
  }
})

const Answers = Schema.Array(
  Schema.String.pipe(Schema.filter((text) => text.length <= 1_000 || "must have at most 1000 characters"))
)
  .pipe(
    Schema.filter((answers) => answers.length <= 100 || "must have at most 100 items", {
      jsonSchema: { maxItems: 100 }
    })
  )
  .annotations({
    description: "what the person at the other end says to one question after the other; an empty text is silence"
  })

/** How a call of the sandbox carrier goes. */
export const SandboxWishes = Schema.Struct({
  answers: Schema.optional(Answers),
  speed: Schema.optional(Speed)
}).annotations({
  identifier: "SandboxWishes",
  description: "an extension: how the call goes while no real carrier is configured"
})

/** A call to a number, by an agent. */
export const PlaceVoiceCall = Schema.Struct({
  voiceAgentId: VoiceAgentId,
  to: PhoneNumber,
  from: Schema.optional(PhoneNumber),
  sandbox: Schema.optional(SandboxWishes)
}).annotations({ identifier: "PlaceVoiceCall" })
export type PlaceVoiceCall = typeof PlaceVoiceCall.Type

/** What a list of calls may be narrowed to. */
export const VoiceCallFilters = Schema.Struct({
  status: Schema.optional(VoiceCallStatus),
  direction: Schema.optional(choice("inbound", "outbound")),
  voiceAgentId: Schema.optional(VoiceAgentId)
})
export type VoiceCallFilters = typeof VoiceCallFilters.Type
