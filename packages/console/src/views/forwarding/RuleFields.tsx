import type { ForwardingRule } from "../../app/Types.js"
import { CheckField, TextField } from "../../components/Field.js"
import { isChecked, requiredText, textOf, textsOf } from "../../components/FormValues.js"

/** The request of a form. An empty priority is undefined. */
export const ruleOf = (form: FormData) => {
  const recipient = textOf(form, "recipient")
  const sender = textOf(form, "sender")
  const subjectContains = textOf(form, "subjectContains")
  const priority = textOf(form, "priority")
  return {
    name: requiredText(form, "name"),
    match: {
      ...(recipient === undefined ? {} : { recipient }),
      ...(sender === undefined ? {} : { sender }),
      ...(subjectContains === undefined ? {} : { subjectContains })
    },
    forwardTo: textsOf(form, "forwardTo"),
    keepCopy: isChecked(form, "keepCopy"),
    rewriteFrom: isChecked(form, "rewriteFrom"),
    priority: priority === undefined ? undefined : Number(priority)
  }
}

/** The fields of a new rule, or of one to change. */
export const RuleFields = ({ rule }: { readonly rule?: ForwardingRule }) => (
  <>
    <TextField label="Name" name="name" required placeholder="Support" value={rule?.name ?? ""} />
    <fieldset>
      <legend>Mail that matches all of these</legend>
      <TextField
        label="Recipient"
        name="recipient"
        inputMode="email"
        placeholder="support@example.com"
        value={rule?.match.recipient ?? ""}
        hint="An address, or *@ and a domain."
      />
      <TextField
        label="Sender"
        name="sender"
        inputMode="email"
        placeholder="*@example.com"
        value={rule?.match.sender ?? ""}
      />
      <TextField
        label="Subject contains"
        name="subjectContains"
        placeholder="Invoice"
        value={rule?.match.subjectContains ?? ""}
      />
    </fieldset>
    <TextField
      label="Forward to"
      name="forwardTo"
      lines={3}
      required
      placeholder="ada@example.com"
      value={rule?.forwardTo.join("\n") ?? ""}
      hint="One address on each line."
    />
    <CheckField label="Receive the mail here, too" name="keepCopy" isChecked={rule?.keepCopy ?? true} />
    <CheckField
      label="Replace the sender of mail that its DMARC policy would reject"
      name="rewriteFrom"
      isChecked={rule?.rewriteFrom ?? false}
    />
    <TextField
      label="Priority"
      name="priority"
      inputMode="numeric"
      placeholder="100"
      value={rule === undefined ? "" : String(rule.priority)}
      hint="Of several rules that match, the one with the lowest number applies."
    />
  </>
)
