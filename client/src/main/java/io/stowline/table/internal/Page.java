package io.stowline.table.internal;

import io.stowline.transport.internal.Answer;
import org.jspecify.annotations.Nullable;

/**
 * One page of a query as it came, to be decoded by whoever wants the rows.
 *
 * @param answer the service's answer
 * @param next where the next page begins, or {@code null} at the end
 */
public record Page(Answer answer, @Nullable Continuation next) {}
