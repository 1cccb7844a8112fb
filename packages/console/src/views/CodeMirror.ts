import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands"
import { HighlightStyle, LRLanguage, syntaxHighlighting } from "@codemirror/language"
import { search, searchKeymap } from "@codemirror/search"
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate
} from "@codemirror/view"
import { tags } from "@lezer/highlight"
import { parser } from "@lezer/html"

/* The only module with CodeMirror: it is a chunk of its own. */

const html = LRLanguage.define({
  parser,
  languageData: { commentTokens: { block: { open: "<!--", close: "-->" } } }
})

/** Colours of the page, which custom properties bring into the shadow tree, light and dark. */
const highlighting = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: "var(--active)" },
  { tag: [tags.attributeName], color: "var(--warning)" },
  { tag: [tags.attributeValue, tags.character], color: "var(--good)" },
  { tag: [tags.comment, tags.documentMeta, tags.processingInstruction], color: "var(--muted)" },
  { tag: tags.invalid, color: "var(--bad)" }
])

const placeholders = new MatchDecorator({
  regexp: /\{\{\{?[^{}]*\}?\}\}/g,
  decoration: Decoration.mark({ class: "cm-mustache" })
})

const placeholderHighlighting = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = placeholders.createDeco(view)
    }
    update(update: ViewUpdate) {
      this.decorations = placeholders.updateDeco(update, this.decorations)
    }
  },
  { decorations: ({ decorations }) => decorations }
)

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--raised)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { font: "12.5px / 1.5 var(--mono)", overflow: "auto" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-gutters": { color: "var(--muted)", backgroundColor: "var(--hover)", borderRight: "1px solid var(--line)" },
  ".cm-mustache, .cm-mustache *": { color: "var(--accent-strong)", fontWeight: "600" },
  ".cm-panels": { color: "var(--text)", backgroundColor: "var(--hover)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel input, .cm-panel button": {
    color: "var(--text)",
    backgroundColor: "var(--raised)",
    backgroundImage: "none",
    border: "1px solid var(--line-strong)",
    borderRadius: "4px"
  },
  ".cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--warning) 30%, transparent)" },
  ".cm-searchMatch-selected": { backgroundColor: "color-mix(in srgb, var(--warning) 55%, transparent)" }
})

/**
 * Replaces the selection by typed text. Chromium would keep the style of the removed text in a `style` attribute, which
 * the policy of the page forbids and reports.
 */
const replaceOnInput = EditorView.domEventHandlers({
  beforeinput: ({ data, inputType, isComposing }, view) => {
    if (inputType !== "insertText" || data === null || isComposing || view.state.selection.main.empty) return false
    view.dispatch(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true })
    return true
  }
})

interface EditorOptions {
  readonly label: string
  readonly value: string
  readonly change: (value: string) => void
}

export interface CodeMirror {
  /** Inserts a text in place of the selection, and moves the focus to the editor. */
  readonly insert: (text: string) => void
  readonly destroy: () => void
}

/**
 * Shows an editor in an element. It is in a shadow tree, where CodeMirror adopts its style sheets: the policy of the page
 * forbids the `style` elements that it would add to the document.
 */
export const createEditor = (host: HTMLElement, { change, label, value }: EditorOptions): CodeMirror => {
  const root = host.attachShadow({ mode: "open" })
  const view = new EditorView({
    parent: root,
    root,
    doc: value,
    extensions: [
      lineNumbers(),
      history(),
      search({ top: true }),
      html,
      syntaxHighlighting(highlighting),
      placeholderHighlighting,
      theme,
      replaceOnInput,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) change(state.doc.toString())
      }),
      // Escape, then Tab moves the focus in place of an indentation.
      keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab])
    ]
  })
  return {
    insert: (text) => {
      view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true })
      view.focus()
    },
    destroy: () => view.destroy()
  }
}
