/// <reference path="./Mime.d.ts" />
import type { Attachment } from "@switchboard/domain/messages/Attachment"
import mime from "mime"

/** The content type of an attachment: the given one, otherwise that of its file name's extension. */
export const typeOfFile = ({ contentType, filename }: Pick<Attachment, "contentType" | "filename">): string =>
  // The library takes a name without a dot for an extension.
  contentType ?? (filename.includes(".") ? mime.getType(filename) : null) ?? "application/octet-stream"
