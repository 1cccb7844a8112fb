import { DateTime, Effect, FiberSet, Schedule } from "effect"
import { encodeId, encodeShortMessage, type ShortMessage, Tag } from "../sms/Pdu.js"
import { messageStates } from "../sms/SmppEvents.js"
import { Status } from "../sms/SmppStatus.js"
import type { HandsetSessions, Peer } from "./HandsetSessions.js"

/** Receipts without an acknowledgement at most; beyond them, texts are refused as a full queue. */
export const maxPendingReceipts = 20_000

/** The pause before a receipt that was not acknowledged is sent again. */
const retryPause = "1 second"

/** The state and error code of a receipt. */
interface SimulatedState {
  readonly state: string
  readonly error: string
}

/** The end of a number selects the state. */
const stateOf = (number: string): SimulatedState => {
  if (number.endsWith("0001")) return { state: "UNDELIV", error: "001" }
  return number.endsWith("0002") ? { state: "EXPIRED", error: "000" } : { state: "DELIVRD", error: "000" }
}

/** A time as `YYMMDDhhmm`. */
const receiptTime = (time: DateTime.Utc): string => DateTime.formatIso(time).replace(/\D/g, "").slice(2, 12)

/** The receipt for a text (SMPP 3.4 appendix B), from the phone to the sender. */
const receiptFor = (submitted: ShortMessage, id: string, now: DateTime.Utc): ShortMessage => {
  const { error, state } = stateOf(submitted.destination.address)
  const delivered = state === "DELIVRD" ? "001" : "000"
  const time = receiptTime(now)
  const text = `id:${id} sub:001 dlvrd:${delivered} submit date:${time} done date:${time} stat:${state} err:${error} text:`
  return {
    source: submitted.destination,
    destination: submitted.source,
    esmClass: 0x04,
    registeredDelivery: 0,
    dataCoding: 0,
    shortMessage: Buffer.from(text, "latin1"),
    tlvs: new Map<number, Uint8Array>([
      [Tag.receiptedMessageId, encodeId(id)],
      [Tag.messageState, Buffer.of(messageStates.indexOf(state))]
    ])
  }
}

/**
 * Sends receipts to the session that submitted the text, or to another one if that one ended. A receipt is sent again
 * until it is acknowledged.
 */
export const makeHandsetReceipts = Effect.fnUntraced(function* (sessions: HandsetSessions) {
  const run = yield* FiberSet.makeRuntime<never>()
  let pending = 0

  const deliver = (receipt: Uint8Array, submitter: Peer) =>
    Effect.gen(function* () {
      yield* sessions.receiving
      const peer = sessions.receiver(submitter)
      const status = peer === undefined ? Status.temporaryError : yield* sessions.deliver(peer, receipt)
      if (status !== Status.ok) return yield* Effect.fail(status)
    }).pipe(Effect.retry(Schedule.spaced(retryPause)), Effect.ignore)

  /** Sends the receipt for a text, if its sender requests one. */
  const send = Effect.fnUntraced(function* (submitted: ShortMessage, id: string, submitter: Peer) {
    if ((submitted.registeredDelivery & 3) === 0) return
    const receipt = encodeShortMessage(receiptFor(submitted, id, yield* DateTime.now))
    pending += 1
    const acknowledged = Effect.sync(() => {
      pending -= 1
    })
    run(Effect.ensuring(deliver(receipt, submitter), acknowledged))
  })

  return { send, isFull: () => pending >= maxPendingReceipts } as const
})
