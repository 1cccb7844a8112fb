import type { Template } from "../../app/Types.js"

/** What the form has. */
export interface Content {
  readonly from: string
  /** Addresses, separated by commas, with or without names. */
  readonly to: string
  readonly subject: string
  readonly body: string
  readonly isHtml: boolean
  /** The data of the template, by variable. */
  readonly data: Readonly<Record<string, string>>
}

export const emptyContent: Content = { from: "", to: "", subject: "", body: "", isHtml: false, data: {} }

/** An address of a domain that is reserved for examples (RFC 2606). */
export const testAddress = "test@example.com"

/** The recipients of a text like `ada@example.com, Grace <grace@example.com>`. */
export const recipientsOf = (text: string): ReadonlyArray<{ readonly email: string; readonly name?: string }> =>
  text
    .split(/[,;\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) => {
      const [, name = "", email] = /^(.*?)\s*<([^<>]+)>$/.exec(entry) ?? []
      if (email === undefined) return { email: entry }
      return name === "" ? { email } : { email, name: name.replace(/^"(.*)"$/, "$1") }
    })

/** The content of the request: that of the form, or the template with its data. */
export const emailOf = ({ body, data, from, isHtml, subject }: Content, template: Template | undefined) => ({
  ...(from === "" ? {} : { from: { address: from } }),
  ...(template === undefined
    ? { subject, ...(isHtml ? { html: body } : { text: body }) }
    : { templateId: template.id, templateData: givenData(data) })
})

/** The data without empty values: for those the template has fallbacks, or requires them. */
export const givenData = (data: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== ""))
