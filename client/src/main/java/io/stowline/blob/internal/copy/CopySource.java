package io.stowline.blob.internal.copy;

import io.stowline.blob.internal.request.SourceAccess;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The blob or other content that the service copies. Immutable. */
public interface CopySource {

    /**
     * Reads its facts, the version that is copied among them.
     *
     * @param ifMatch the only version to be copied, or {@code null} for the present one
     */
    Mono<SourceInfo> info(String verb, @Nullable String ifMatch);

    /**
     * Gives the service access to a version, for this time at most where the library signs it.
     *
     * @param time the time that the request may take
     */
    Mono<SourceAccess> access(String etag, Duration time);

    /**
     * Gives the service access to a version for a copy that goes on after its request.
     *
     * @param account the account of the target, which needs no other proof for a source of the same one
     */
    Mono<SourceAccess> lastingAccess(String etag, String account);

    /**
     * Reads its tags.
     *
     * @return the tags, or an {@link IllegalArgumentException} for a source whose tags this client cannot read
     */
    Mono<Map<String, String>> tags(String verb);

    /** Returns its address without a signature. */
    String shown();
}
