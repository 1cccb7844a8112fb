import { type AuditFilters, auditResources } from "@switchboard/domain/audit/AuditEntry"
import { useState } from "preact/hooks"
import { client, serviceUrl } from "../app/Client.js"
import type { AuditEntry } from "../app/Types.js"
import { Button, LinkButton } from "../components/Actions.js"
import { DataTable } from "../components/DataTable.js"
import { Dialog } from "../components/Dialog.js"
import { Facts, Identifier, Status, Time } from "../components/Facts.js"
import { feedStep } from "../components/Feed.js"
import { counted, shortened } from "../components/Format.js"
import { filterChoice, filterText, listView } from "../components/ListView.js"

/** Whether a text is the id of an operation: `apiKeys.update`. The id of a resource can be the name of a domain. */
const isOperation = (text: string): boolean => {
  const [resource] = text.replace(/^resend\./, "").split(".", 1)
  return text.includes(".") && auditResources.some((one) => one === resource)
}

/** The conditions in the URL. The search is the id of an operation or of a resource. */
const filters = (): Pick<AuditFilters, "operation" | "resource" | "resourceId"> => {
  const resource = filterChoice("resource", auditResources)
  const text = filterText("search")
  if (text === undefined) return { resource }
  return isOperation(text) ? { operation: text, resource } : { resourceId: text, resource }
}

/** The maximum number of characters of a value in the table of changes. */
const maxValueLength = 2_000

const valueText = (value: unknown): string =>
  value === undefined ? "–" : shortened(typeof value === "string" ? value : JSON.stringify(value), maxValueLength)

/** Why an entry has no table of changes. */
const withoutChanges = ({ changes, outcome }: AuditEntry): string => {
  if (outcome === "unknown") return "The service ended before it recorded whether the change was made."
  return changes === undefined ? "The log has no values of this operation." : "No field has another value."
}

const EntryDialog = ({ close, entry }: { readonly close: () => void; readonly entry: AuditEntry }) => {
  const { actor, at, changes = {}, id, ipAddress, operation, outcome, requestId, resourceId, userAgent } = entry
  const fields = Object.entries(changes)
  return (
    <Dialog title={operation} class="changes" onClose={close}>
      <Facts
        facts={[
          [actor.type === "user" ? "Person" : "Key", `${actor.name} (${actor.email ?? actor.id})`],
          ["Time", at],
          ["Outcome", <Status key="outcome" value={outcome} />],
          ["Resource", resourceId],
          ["Address", ipAddress],
          ["Program", userAgent],
          ["Request", requestId],
          ["Entry", <Identifier key="id" label="id" value={id} />]
        ]}
      />
      {fields.length === 0 ? (
        <p>{withoutChanges(entry)}</p>
      ) : (
        <DataTable
          caption="Changed fields"
          columns={["Field", "Before", "After"]}
          rows={fields.map(([name, { after, before }]) => [
            name,
            <code key="before">{valueText(before)}</code>,
            <code key="after">{valueText(after)}</code>
          ])}
        />
      )}
    </Dialog>
  )
}

/** A change in the list. Its button opens the changed fields. */
const EntryRow = ({ entry }: { readonly entry: AuditEntry }) => {
  const [isOpen, setOpen] = useState(false)
  const { actor, at, changes, operation, outcome, resourceId = "" } = entry
  const names = Object.keys(changes ?? {})
  return (
    <>
      <span class="name" title={`By ${actor.type === "user" ? "" : "the key "}${actor.name}`}>
        <strong>{operation}</strong> {actor.name} <code>{resourceId}</code>
        {names.length > 0 && (
          <span class="tag" title={names.join(", ")}>
            {counted(names.length, "field")}
          </span>
        )}
      </span>
      <Status value={outcome} />
      <Time value={at} />
      <span class="row-actions">
        <Button label="Details" isOpening press={() => setOpen(true)} />
        {isOpen && <EntryDialog entry={entry} close={() => setOpen(false)} />}
      </span>
    </>
  )
}

const exportUrl = (): string =>
  `${serviceUrl}/v1/audit/export?${new URLSearchParams({ filters: JSON.stringify(filters()) }).toString()}`

/** The changes of the organization's configuration and data, newest first. */
export const AuditView = listView({
  title: "Audit",
  noun: "change",
  search: "Operation like apiKeys.update, or id of a resource",
  choices: { resource: auditResources },
  filters,
  open: (conditions, signal) =>
    client.audit.list.all({ urlParams: { filters: conditions, limit: feedStep } }, { signal }),
  layout: "audit",
  columns: { Change: 1, Outcome: "104px", Time: "96px", "": "88px" },
  row: (entry) => <EntryRow entry={entry} />,
  emptyTitle: "No changes yet",
  empty: "Changes of keys, domains, webhooks and other settings are listed here, with the key that made them.",
  actions: () => <LinkButton label="Export" href={exportUrl()} download="audit.ndjson" />
})
