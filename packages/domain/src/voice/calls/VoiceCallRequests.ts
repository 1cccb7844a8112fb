import { Schema } from "effect"
import { choice } from "../../Choice.js"
import { items } from "../../Items.js"
import { matching, text } from "../../Text.js"
import { VoiceAgentId } from "../agents/VoiceAgent.js"
import { VoiceCallStatus } from "../VoiceCall.js"

/** A phone number in E.164 form. The service checks whether it is valid. */
const PhoneNumber = Schema.String.pipe(
  matching(/^\+[1-9]\d{6,14}$/, "must be a phone number in E.164 form, like +442079460018")
).annotations({ examples: ["+442079460018"] })

/** The default speed of a call of the sandbox carrier, as a multiple of real time. */
export const defaultSpeed = 5

const Speed = Schema.Number.pipe(
  Schema.filter((speed) => (speed >= 1 && speed <= 100) || "must be a number from 1 to 100")
).annotations({
  jsonSchema: {
    type: "number",
    minimum: 1,
    maximum: 100,
    description: `seconds of call time in one second; default: ${defaultSpeed}`
  }
})

const Answers = Schema.Array(text(0, 1_000)).pipe(items(0, 100)).annotations({
  description: "the replies of the simulated person, in order; an empty text is silence"
})

/** Options of a call of the sandbox carrier. */
export const SandboxOptions = Schema.Struct({
  answers: Schema.optional(Answers),
  speed: Schema.optional(Speed)
}).annotations({
  identifier: "SandboxOptions",
  description: "the simulation of the call while no real carrier is configured; an extension"
})

/** A new call of an agent to a phone number. */
export const PlaceVoiceCall = Schema.Struct({
  voiceAgentId: VoiceAgentId,
  to: PhoneNumber,
  from: Schema.optional(PhoneNumber),
  sandbox: Schema.optional(SandboxOptions)
}).annotations({ identifier: "PlaceVoiceCall" })
export type PlaceVoiceCall = typeof PlaceVoiceCall.Type

/** Filters of a list of calls. */
export const VoiceCallFilters = Schema.Struct({
  status: Schema.optional(VoiceCallStatus),
  direction: Schema.optional(choice("inbound", "outbound")),
  voiceAgentId: Schema.optional(VoiceAgentId)
})
export type VoiceCallFilters = typeof VoiceCallFilters.Type
