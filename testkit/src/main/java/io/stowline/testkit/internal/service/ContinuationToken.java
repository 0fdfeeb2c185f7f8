package io.stowline.testkit.internal.service;

import io.stowline.testkit.SentRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A place in a query, by the continuation that leads there.
 *
 * @param partitionKey the token as sent, {@code null} at the beginning
 * @param rowKey the token as sent, {@code null} when there was none
 */
record ContinuationToken(
        @Nullable String partitionKey, @Nullable String rowKey) {

    private static final String MARK = "1!0!empty-page-";
    private static final String PARTITION_KEY = "NextPartitionKey";
    private static final String ROW_KEY = "NextRowKey";

    static ContinuationToken of(SentRequest request) {
        return new ContinuationToken(
                request.query().get(PARTITION_KEY), request.query().get(ROW_KEY));
    }

    /** Returns the place of an empty page, when the request continues from there. */
    static Optional<ContinuationToken> behindEmptyPage(SentRequest request) {
        String token = request.query().getOrDefault(PARTITION_KEY, "");
        return token.startsWith(MARK) ? Optional.of(parsed(token.substring(MARK.length()))) : Optional.empty();
    }

    /** Returns a token that leads to this place again. */
    String token() {
        return MARK + encoded(partitionKey) + "." + encoded(rowKey);
    }

    SentRequest applyTo(SentRequest request) {
        return Queries.with(Queries.with(request, PARTITION_KEY, partitionKey), ROW_KEY, rowKey);
    }

    private static ContinuationToken parsed(String text) {
        int dot = text.indexOf('.');
        return new ContinuationToken(decoded(text.substring(0, dot)), decoded(text.substring(dot + 1)));
    }

    private static String encoded(@Nullable String token) {
        return token == null
                ? ""
                : "x" + Base64.getUrlEncoder().withoutPadding().encodeToString(token.getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable String decoded(String text) {
        return text.isEmpty()
                ? null
                : new String(Base64.getUrlDecoder().decode(text.substring(1)), StandardCharsets.UTF_8);
    }
}
