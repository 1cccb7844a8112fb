import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Duration, type Effect, type Option } from "effect"

/** The e-mail address or phone number to erase, in one organization or in all. */
export interface Erasure {
  /** A phone number is in E.164. */
  readonly address: string
  readonly organization: Option.Option<OrganizationId>
}

/** Whether the address is a phone number. */
export const isPhoneErasure = ({ address }: Pick<Erasure, "address">): boolean => !address.includes("@")

/** The number of records of a kind. */
export interface Counted {
  readonly what: string
  readonly count: number
}

/** Adds the counts of each kind. Kinds without records are left out. */
export const addCounts = (counts: ReadonlyArray<Counted>, more: ReadonlyArray<Counted>): ReadonlyArray<Counted> => {
  const sums = new Map<string, number>()
  for (const { count, what } of [...counts, ...more]) if (count > 0) sums.set(what, (sums.get(what) ?? 0) + count)
  return Array.from(sums, ([what, count]) => ({ what, count }))
}

/** The erased and the remaining records, by kind. */
export interface ErasureResult {
  readonly erased: ReadonlyArray<Counted>
  readonly left: ReadonlyArray<Counted>
  /** The start of the interrupted run that was continued. Rows that were added since may be unsearched. */
  readonly continued: Option.Option<DateTime.Utc>
}

/** The progress in a table. */
export interface ErasureProgress {
  readonly table: string
  /** The number of rows that this run has searched. */
  readonly searched: number
  /** The estimated number of rows to search; 0 if unknown. */
  readonly estimated: number
}

export type ReportProgress = (progress: ErasureProgress) => Effect.Effect<void>

type Work<A> = Effect.Effect<A, ServiceUnavailableError>

/** Erases an e-mail address or a phone number from all tables. Every method may be repeated. */
export class ErasureRepo extends Context.Tag("services/ErasureRepo")<
  ErasureRepo,
  {
    /** The senders, receiving addresses and numbers of organizations with this address. */
    readonly ownUses: (erasure: Erasure) => Work<ReadonlyArray<Counted>>
    /**
     * Withdraws the person's mails that are queued for processing or forwarding, or the texts and receipts of the phone
     * that are not processed yet. Returns their number.
     */
    readonly withdrawReceived: (erasure: Erasure) => Work<number>
    /** Cancels the forwardings to the address; a mail without a copy is received instead. Returns their number. */
    readonly stopForwarding: (erasure: Erasure) => Work<number>
    /**
     * Counts other people's mails with the address, or to be forwarded to it, that are still queued; with `within` only
     * those due in this time.
     */
    readonly stillQueued: (erasure: Erasure, within?: Duration.Duration) => Work<number>
    /**
     * Erases the address from all tables, in short transactions: the messages and the participants with the address,
     * raw mails that are not queued any more, mails and texts of the local mailbox and handset, and the address itself.
     * Blocks and opt-outs, which protect the person, and settings remain and are counted. An interrupted run is continued. Reports the progress after
     * each page.
     */
    readonly eraseAll: (erasure: Erasure, report: ReportProgress) => Work<ErasureResult>
  }
>() {}
