import type { ValidationError } from "@switchboard/domain/Errors"
import type { Template } from "@switchboard/domain/email/templates/Template"
import { Either } from "effect"
import { type CompiledTemplate, compileTemplate } from "./CompileTemplate.js"

/** Templates that are kept compiled at most. The largest takes a few MiB, most of them some KiB. */
const mostKept = 64

/**
 * Compiles templates, the ones last used only once: to parse a large one takes longer than everything else about a
 * send. A version never changes, so what is kept of it holds.
 */
export const compiledOnce = () => {
  const kept = new Map<string, CompiledTemplate>()
  return (template: Template): Either.Either<CompiledTemplate, ValidationError> => {
    const key = `${template.id} ${template.version}`
    const known = kept.get(key)
    const compiled = known === undefined ? compileTemplate(template) : Either.right(known)
    if (Either.isRight(compiled)) {
      // Put last again: the first is the one that has not been used for longest.
      kept.delete(key)
      kept.set(key, compiled.right)
      for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - mostKept))) kept.delete(oldest)
    }
    return compiled
  }
}
