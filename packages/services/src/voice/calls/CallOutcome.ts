import type { CallProgress } from "@switchboard/domain/voice/calls/CallProgress"
import { type PlayedNext, progressAfterEnd } from "@switchboard/domain/voice/calls/PlayWorkflow"
import { summarizeCall } from "@switchboard/domain/voice/calls/SummarizeCall"
import type { CallRun, StoredCall } from "./StoredCall.js"
import type { TakenCall } from "./VoiceCallQueue.js"

const withFields = ({ metadata }: StoredCall, fields: Readonly<Record<string, unknown>>): StoredCall["metadata"] => ({
  ...metadata,
  customFields: { ...metadata.customFields, ...fields }
})

/** The duration, summary and metadata of a finished call. */
export const callOutcome = (
  { call, run }: Pick<TakenCall, "call" | "run">,
  progress: CallProgress,
  next: PlayedNext | null
) => {
  const { bargeIns, clockMs: durationMs, lines, matches, variables } = progress
  const found = matches.map(({ match }) => match)
  const last = found.at(-1)
  const transferredTo = next?._tag === "End" ? next.transferredTo : null
  const endedBy = next === null ? "hangup" : transferredTo === null ? "workflow" : "transfer"
  const { agentName } = run.script
  return {
    durationMs,
    summary: summarizeCall({ agentName, lines, durationMs, chosen: last?.menuItemLabel, endedBy, transferredTo }),
    metadata: {
      ...withFields(call, { variables, endedBy, ...(transferredTo === null ? {} : { transferredTo }) }),
      ...(bargeIns === 0 ? {} : { bargeInCount: bargeIns }),
      ...(last === undefined ? {} : { menuMatches: found, menuFinalSelection: last })
    }
  }
}

/** The state for actions after the end; null if there are none. */
export const runAfterEnd = (run: CallRun, progress: CallProgress): CallRun | null => {
  const after = progressAfterEnd(run.script, progress)
  return after.node === null ? null : { ...run, progress: after }
}

/** The results of actions after the end are not in the transcript, so they are added to the call's metadata. */
export const withNotes = (call: StoredCall, { lines, phase }: CallProgress): StoredCall =>
  phase === "line"
    ? call
    : {
        ...call,
        metadata: withFields(call, {
          afterCall: lines.flatMap(({ speaker, text }) => (speaker === "note" ? [text] : []))
        })
      }
