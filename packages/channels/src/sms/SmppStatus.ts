import type { FailureReason } from "@switchboard/domain/messages/delivery/FailureReason"

/** Values of command_status (SMPP 3.4 section 5.1.3) that this service sends. */
export const Status = {
  ok: 0x00,
  invalidMessageLength: 0x01,
  invalidCommandLength: 0x02,
  invalidCommand: 0x03,
  invalidBindStatus: 0x04,
  alreadyBound: 0x05,
  systemError: 0x08,
  queueFull: 0x14,
  throttled: 0x58,
  temporaryError: 0x64
} as const

/** What a command_status means for the message. */
export type StatusMeaning =
  | { readonly kind: "accepted" }
  /** The server takes no message now. */
  | { readonly kind: "throttled" }
  /** The session can't submit. */
  | { readonly kind: "unbound" }
  | { readonly kind: "temporary" }
  | { readonly kind: "permanent"; readonly reason: FailureReason }

const permanent = (reason: FailureReason): StatusMeaning => ({ kind: "permanent", reason })

const meanings: ReadonlyMap<number, readonly [name: string, meaning: StatusMeaning]> = new Map([
  [0x00, ["ESME_ROK", { kind: "accepted" }]],
  [0x01, ["ESME_RINVMSGLEN", permanent("message_too_large")]],
  [0x02, ["ESME_RINVCMDLEN", permanent("content")]],
  [0x03, ["ESME_RINVCMDID", permanent("system")]],
  [0x04, ["ESME_RINVBNDSTS", { kind: "unbound" }]],
  [0x05, ["ESME_RALYBND", { kind: "unbound" }]],
  [0x06, ["ESME_RINVPRTFLG", permanent("system")]],
  [0x07, ["ESME_RINVREGDLVFLG", permanent("system")]],
  [0x08, ["ESME_RSYSERR", { kind: "temporary" }]],
  [0x0a, ["ESME_RINVSRCADR", permanent("sender_blocked")]],
  [0x0b, ["ESME_RINVDSTADR", permanent("user_unknown")]],
  [0x0d, ["ESME_RBINDFAIL", { kind: "unbound" }]],
  [0x0e, ["ESME_RINVPASWD", { kind: "unbound" }]],
  [0x0f, ["ESME_RINVSYSID", { kind: "unbound" }]],
  [0x14, ["ESME_RMSGQFUL", { kind: "throttled" }]],
  [0x15, ["ESME_RINVSERTYP", permanent("system")]],
  [0x43, ["ESME_RINVESMCLASS", permanent("content")]],
  [0x45, ["ESME_RSUBMITFAIL", permanent("unknown")]],
  [0x48, ["ESME_RINVSRCTON", permanent("sender_blocked")]],
  [0x49, ["ESME_RINVSRCNPI", permanent("sender_blocked")]],
  [0x50, ["ESME_RINVDSTTON", permanent("user_unknown")]],
  [0x51, ["ESME_RINVDSTNPI", permanent("user_unknown")]],
  [0x53, ["ESME_RINVSYSTYP", { kind: "unbound" }]],
  [0x54, ["ESME_RINVREPFLAG", permanent("system")]],
  [0x58, ["ESME_RTHROTTLED", { kind: "throttled" }]],
  [0x61, ["ESME_RINVSCHED", permanent("system")]],
  [0x62, ["ESME_RINVEXPIRY", permanent("system")]],
  [0x64, ["ESME_RX_T_APPN", { kind: "temporary" }]],
  [0x65, ["ESME_RX_P_APPN", permanent("unknown")]],
  [0x66, ["ESME_RX_R_APPN", permanent("policy")]],
  [0xc0, ["ESME_RINVOPTPARSTREAM", permanent("content")]],
  [0xc1, ["ESME_ROPTPARNOTALLWD", permanent("content")]],
  [0xc2, ["ESME_RINVPARLEN", permanent("content")]],
  [0xc3, ["ESME_RMISSINGOPTPARAM", permanent("content")]],
  [0xc4, ["ESME_RINVOPTPARAMVAL", permanent("content")]],
  [0xfe, ["ESME_RDELIVERYFAILURE", { kind: "temporary" }]],
  [0xff, ["ESME_RUNKNOWNERR", { kind: "temporary" }]]
])

/** Unlisted values, such as those of a vendor (0x400 to 0x4FF), are temporary: retries have a limit. */
export const meaningOf = (status: number): StatusMeaning => meanings.get(status)?.[1] ?? { kind: "temporary" }

/** The value in hexadecimal, for example `0x0000000B`. */
export const statusCode = (status: number): string => `0x${status.toString(16).toUpperCase().padStart(8, "0")}`

/** The value and its name, for example `ESME_RINVDSTADR 0x0000000B`. */
export const statusText = (status: number): string => {
  const name = meanings.get(status)?.[0]
  return name === undefined ? `command_status ${statusCode(status)}` : `${name} ${statusCode(status)}`
}
