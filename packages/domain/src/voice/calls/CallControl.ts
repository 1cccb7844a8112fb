import { Schema } from "effect"
import { choice } from "../../Fields.js"

/** 2.5 words per second. Scripts without spaces between words are measured by characters. */
const msOfWord = 400
const msOfLetter = 60

/** The minimum duration of a text. */
const minSpeechMs = 1_000

/** The estimated duration of a spoken text in milliseconds. */
export const speechMs = (text: string): number => {
  const spoken = text.trim()
  const words = spoken.split(/\s+/).length
  return spoken === "" ? 0 : Math.max(minSpeechMs, words * msOfWord, [...spoken].length * msOfLetter)
}

/** The number of a command in its call, from 1. Events repeat it. */
const id = Schema.Int

/** A command with a later event: that of the carrier, or `Elapsed` for `Wait`, which the service itself carries out. */
export const CallCommand = Schema.Union(
  /** Says a text by text to speech; ends with `Media`. */
  Schema.TaggedStruct("Say", { id, text: Schema.String }),
  /** Plays an audio file, whose text is known; ends with `Media`. */
  Schema.TaggedStruct("Play", { id, text: Schema.String, url: Schema.String }),
  /** Says the prompt until the caller speaks or presses a key, and listens; ends with `Speech`, `Digits` or `Silence`. */
  Schema.TaggedStruct("Gather", {
    id,
    prompt: Schema.optionalWith(Schema.String, { default: () => "" }),
    /** The time to listen after the prompt. */
    timeoutMs: Schema.Int,
    /** The words that are expected, for the recognition of speech. */
    hints: Schema.Array(Schema.String),
    /** The reply of the simulated person, for the sandbox. */
    sandboxReply: Schema.optional(Schema.String)
  }),
  Schema.TaggedStruct("Wait", { id, ms: Schema.Int })
)
export type CallCommand = typeof CallCommand.Type

/** A sound in call time: milliseconds from the answer. */
const sound = { fromMs: Schema.Int, durationMs: Schema.Int }

/** The end of the command `of`, at the call time `atMs`. */
const end = { of: id, atMs: Schema.Int }

/** What happened in a call, as its carrier reports it. */
export const CallEvent = Schema.Union(
  /** The phone rings. */
  Schema.TaggedStruct("Ringing", {}),
  /** The call is connected. `sessionId` is the carrier's id of the conversation. */
  Schema.TaggedStruct("Answered", { sessionId: Schema.String }),
  /** The text or audio file was played. */
  Schema.TaggedStruct("Media", { ...end, ...sound }),
  /** The caller pressed keys. */
  Schema.TaggedStruct("Digits", { ...end, ...sound, digits: Schema.String }),
  /** The caller said a text. */
  Schema.TaggedStruct("Speech", { ...end, ...sound, text: Schema.String }),
  /** The caller said nothing until the timeout. */
  Schema.TaggedStruct("Silence", end),
  /** The end of a `Wait`. */
  Schema.TaggedStruct("Elapsed", end),
  /** The caller hung up, or the call was not answered. */
  Schema.TaggedStruct("HungUp", {
    atMs: Schema.Int,
    reason: choice("busy", "no_answer", "failed", "hangup"),
    code: Schema.String,
    message: Schema.String
  })
)
export type CallEvent = typeof CallEvent.Type

/** A reported event. A repeat has the same id. It takes effect at `at`, in Unix milliseconds. */
export const ReportedEvent = Schema.Struct({ id: Schema.String, at: Schema.Number, event: CallEvent })
export type ReportedEvent = typeof ReportedEvent.Type
