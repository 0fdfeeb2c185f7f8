package io.stowline.transport.internal;

import org.jspecify.annotations.Nullable;

/**
 * What a failed attempt ended with.
 *
 * @param refusal what the service said against it, or {@code null}
 * @param unreadable what is wrong with an answer that cannot be read, or {@code null}
 * @param error the error that came in place of an answer, or {@code null}
 * @param written whether the request may have been written
 */
record Said(
        @Nullable ServiceError refusal,
        @Nullable String unreadable,
        @Nullable Throwable error,
        boolean written) {}
