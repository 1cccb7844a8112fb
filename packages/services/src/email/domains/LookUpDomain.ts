import { ExternalServiceError } from "@switchboard/domain/Errors"
import type { WantedRecord } from "@switchboard/domain/email/domains/DomainRecords"
import { type FoundRecords, recordKey } from "@switchboard/domain/email/domains/ExamineDomain"
import { Effect } from "effect"
import type { DnsAbsent, DnsFailed, DnsResolver } from "../../network/DnsResolver.js"

/** What a zone holds is its owner's affair: no more of it is read than any honest record needs. */
const longestText = 4096
const mostRecords = 50

const shortened = (text: string): string => (text.length > longestText ? `${text.slice(0, longestText)}…` : text)

/** What fails for want of an answer, as a caller hears it. */
export const dnsError = ({ message }: DnsFailed) => new ExternalServiceError({ provider: "dns", message })

/** Asks name servers for all these records at once. That one is absent is an answer. */
export const lookUpRecords = (
  dns: typeof DnsResolver.Service,
  wanted: ReadonlyArray<WantedRecord>
): Effect.Effect<FoundRecords, DnsFailed> => {
  const answer = ({ name, type }: WantedRecord): Effect.Effect<ReadonlyArray<string>, DnsAbsent | DnsFailed> =>
    type === "TXT"
      ? dns.txt(name)
      : Effect.map(dns.mx(name), (found) => found.map(({ exchange, priority }) => `${priority} ${exchange}`))
  return Effect.map(
    Effect.forEach(
      wanted,
      (record) =>
        answer(record).pipe(
          Effect.catchTag("DnsAbsent", () => Effect.succeed<ReadonlyArray<string>>([])),
          Effect.map((found) => [recordKey(record), found.slice(0, mostRecords).map(shortened)] as const)
        ),
      { concurrency: "unbounded" }
    ),
    (answers) => new Map(answers)
  )
}
