import { ExternalServiceError } from "@switchboard/domain/Errors"
import type { ExpectedRecord } from "@switchboard/domain/email/domains/DomainRecords"
import { type FoundRecords, recordKey } from "@switchboard/domain/email/domains/ExamineDomain"
import { Effect } from "effect"
import type { DnsAbsent, DnsFailed, DnsResolver } from "../../network/DnsResolver.js"

/** Limits of the text and the records that are read from a zone, which is not trusted. */
const maxTextLength = 4096
const maxRecords = 50

const shortened = (text: string): string => (text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text)

/** The error response to a failed look-up. */
export const dnsError = ({ message }: DnsFailed) => new ExternalServiceError({ provider: "dns", message })

/** Looks up all records concurrently. A missing record is an empty result. */
export const lookUpRecords = (
  dns: typeof DnsResolver.Service,
  wanted: ReadonlyArray<ExpectedRecord>
): Effect.Effect<FoundRecords, DnsFailed> => {
  const answer = ({ name, type }: ExpectedRecord): Effect.Effect<ReadonlyArray<string>, DnsAbsent | DnsFailed> =>
    type === "TXT"
      ? dns.txt(name)
      : Effect.map(dns.mx(name), (found) => found.map(({ exchange, priority }) => `${priority} ${exchange}`))
  return Effect.map(
    Effect.forEach(
      wanted,
      (record) =>
        answer(record).pipe(
          Effect.catchTag("DnsAbsent", () => Effect.succeed<ReadonlyArray<string>>([])),
          Effect.map((found) => [recordKey(record), found.slice(0, maxRecords).map(shortened)] as const)
        ),
      { concurrency: "unbounded" }
    ),
    (answers) => new Map(answers)
  )
}
