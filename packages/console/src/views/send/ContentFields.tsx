import type { Content } from "./Content.js"

interface ContentFieldsProps {
  readonly content: Content
  readonly change: (changes: Partial<Content>) => void
}

/** The subject and the body of a message without a template. */
export const ContentFields = ({ change, content: { body, isHtml, subject } }: ContentFieldsProps) => (
  <>
    <label class="field">
      <span>Subject</span>
      <input required value={subject} onInput={(event) => change({ subject: event.currentTarget.value })} />
    </label>
    <div class="field">
      <span class="choices">
        <label>
          <input type="radio" name="form" checked={!isHtml} onChange={() => change({ isHtml: false })} /> Text
        </label>
        <label>
          <input type="radio" name="form" checked={isHtml} onChange={() => change({ isHtml: true })} /> HTML
        </label>
      </span>
      <textarea
        aria-label={isHtml ? "HTML" : "Text"}
        class={isHtml ? "code" : undefined}
        required
        rows={10}
        value={body}
        onInput={(event) => change({ body: event.currentTarget.value })}
      />
    </div>
  </>
)
