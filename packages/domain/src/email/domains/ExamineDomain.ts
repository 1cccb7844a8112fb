import {
  type DomainFacts,
  type MailRoute,
  returnPathMechanism,
  type WantedRecord,
  wantedRecords
} from "./DomainRecords.js"
import type { RecordReport } from "./DomainReport.js"
import { isDkimKey, isDmarc, isSameText, isSpf, spfPasses } from "./TxtRecords.js"

/** What name servers say, by type and name; a mail exchange as `10 mail.example.com`. */
export type FoundRecords = ReadonlyMap<string, ReadonlyArray<string>>

/** How `FoundRecords` names a record. */
export const recordKey = ({ name, type }: Pick<WantedRecord, "name" | "type">): string => `${type} ${name}`

/** A record that is asked for, beside what is there. */
export interface ExaminedRecord extends WantedRecord {
  readonly found: ReadonlyArray<string>
  readonly ok: boolean
}

/** Whether mail goes here first. */
const leadsTo = (found: ReadonlyArray<string>, host: string): boolean => {
  const exchanges = found.map((text) => {
    const [order = "", exchange = ""] = text.split(" ")
    return { order: Number(order), exchange: exchange.toLowerCase().replace(/\.$/, "") }
  })
  const first = Math.min(...exchanges.map(({ order }) => order))
  return exchanges.some(({ exchange, order }) => order === first && exchange === host.toLowerCase().replace(/\.$/, ""))
}

/** More than one is an error to who checks (RFC 7208 section 4.5). */
const oneSpf = (found: ReadonlyArray<string>, mechanism: string): boolean => {
  const all = [...new Set(found.filter(isSpf))]
  return all.length === 1 && all.every((text) => spfPasses(text, mechanism))
}

const isThere = (wanted: WantedRecord, found: ReadonlyArray<string>, facts: DomainFacts, route: MailRoute): boolean => {
  switch (wanted.purpose) {
    case "ownership":
      return found.some((text) => isSameText(text, wanted.value))
    case "sm1":
    case "sm2": {
      const key = facts.publicKeys[wanted.purpose]
      return found.some((text) => isDkimKey(text, key))
    }
    case "bounces":
    case "receiving":
      return leadsTo(found, wanted.value)
    case "spf":
      return oneSpf(found, returnPathMechanism(route))
    case "dmarc":
      return found.filter(isDmarc).length === 1
  }
}

/** Judges what name servers say of a domain. */
export const examineDomain = (
  facts: DomainFacts,
  route: MailRoute,
  found: FoundRecords
): ReadonlyArray<ExaminedRecord> =>
  wantedRecords(facts, route).map((wanted) => {
    const there = found.get(recordKey(wanted)) ?? []
    return { ...wanted, found: there, ok: isThere(wanted, there, facts, route) }
  })

/** Whether all stands that must. */
export const stands = (examined: ReadonlyArray<ExaminedRecord>): boolean =>
  examined.every(({ ok, required }) => ok || !required)

/** A record's value as it is written where it is compared. */
const expectedText = ({ priority, value }: WantedRecord): string =>
  priority === undefined ? value : `${priority} ${value}`

/** What is shown of a record. */
export const recordReport = (examined: ExaminedRecord): RecordReport => ({
  type: examined.type,
  name: examined.name,
  expected: expectedText(examined),
  found: examined.found,
  ok: examined.ok
})

/** What is to be done about a record, in words for whoever keeps the domain's zone; null if nothing is. */
export const recordAdvice = (examined: ExaminedRecord): string | null => {
  if (examined.ok) return null
  const { found, name, required, type } = examined
  const there = found.length === 0 ? "there is none now" : `now it is: ${found.map((text) => `"${text}"`).join(", ")}`
  return `${required ? "Please publish" : "Advised: publish"} the ${type} record ${name} with the value "${expectedText(examined)}" (${there})`
}
