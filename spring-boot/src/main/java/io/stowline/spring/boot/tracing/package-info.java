/**
 * Spans of operations and handlings as OpenTelemetry's semantic conventions describe them: names and attributes on request, and links from the
 * handling of messages to their senders where Micrometer Tracing is. This room uses the public API of the client only.
 */
@NullMarked
package io.stowline.spring.boot.tracing;

import org.jspecify.annotations.NullMarked;
