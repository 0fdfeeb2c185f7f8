package io.stowline.service;

import io.stowline.error.internal.PrintableText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A CORS rule: the pages of which origins may send which requests to a service from a browser. A rule authorizes nothing: each request still
 * needs a signature or a public container.
 *
 * <p>The service takes the first rule that has the origin and the method of a request. If a header of the request is missing in that rule,
 * the request is refused, whatever later rules allow.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param allowedOrigins origins such as {@code https://app.example.com}, compared exactly, case included; {@code *} for all
 * @param allowedMethods methods of HTTP
 * @param allowedHeaders headers that requests may carry; one that ends with {@code *} is a prefix
 * @param exposedHeaders headers of responses that a page may read; one that ends with {@code *} is a prefix
 * @param maxAge the time for which a browser may keep the response to its preflight request
 */
public record CorsRule(
        List<String> allowedOrigins,
        List<String> allowedMethods,
        List<String> allowedHeaders,
        List<String> exposedHeaders,
        Duration maxAge) {

    /**
     * Copies the lists. The limits of the service are checked when the rule is set.
     *
     * @param allowedOrigins origins
     * @param allowedMethods methods of HTTP
     * @param allowedHeaders headers that requests may carry
     * @param exposedHeaders headers of responses that a page may read
     * @param maxAge the time for which a browser may keep the response to its preflight request
     */
    public CorsRule {
        allowedOrigins = List.copyOf(allowedOrigins);
        allowedMethods = List.copyOf(allowedMethods);
        allowedHeaders = List.copyOf(allowedHeaders);
        exposedHeaders = List.copyOf(exposedHeaders);
        Objects.requireNonNull(maxAge, "maxAge");
    }

    /**
     * Begins a rule without origins, methods and headers, and with a {@code maxAge} of one hour.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String toString() {
        return PrintableText.of(
                "CorsRule[allowedOrigins=" + allowedOrigins + ", allowedMethods=" + allowedMethods + ", allowedHeaders="
                        + allowedHeaders + ", exposedHeaders=" + exposedHeaders + ", maxAge=" + maxAge + "]");
    }

    /** A builder of {@link CorsRule}. Not thread-safe. */
    public static final class Builder {

        private final List<String> allowedOrigins = new ArrayList<>();
        private final List<String> allowedMethods = new ArrayList<>();
        private final List<String> allowedHeaders = new ArrayList<>();
        private final List<String> exposedHeaders = new ArrayList<>();
        private Duration maxAge = Duration.ofHours(1);

        private Builder() {}

        /**
         * Adds origins. One origin at least is required.
         *
         * @param origins scheme, host and port as a browser sends them, such as {@code https://app.example.com}, without a path; {@code
         *     https://*.example.com} for the names below a host; or {@code *}. One that no browser sends is refused when the rule is set
         * @return this builder
         */
        public Builder allowedOrigins(String... origins) {
            allowedOrigins.addAll(List.of(Objects.requireNonNull(origins, "origins")));
            return this;
        }

        /**
         * Adds methods. One method at least is required.
         *
         * @param methods {@code DELETE}, {@code GET}, {@code HEAD}, {@code MERGE}, {@code OPTIONS}, {@code PATCH}, {@code POST} or {@code PUT}
         * @return this builder
         */
        public Builder allowedMethods(String... methods) {
            allowedMethods.addAll(List.of(Objects.requireNonNull(methods, "methods")));
            return this;
        }

        /**
         * Adds headers that requests may carry.
         *
         * @param headers names such as {@code content-type}, or prefixes such as {@code x-ms-*}
         * @return this builder
         */
        public Builder allowedHeaders(String... headers) {
            allowedHeaders.addAll(List.of(Objects.requireNonNull(headers, "headers")));
            return this;
        }

        /**
         * Adds headers of responses that a page may read.
         *
         * @param headers names such as {@code etag}, or prefixes such as {@code x-ms-meta-*}
         * @return this builder
         */
        public Builder exposedHeaders(String... headers) {
            exposedHeaders.addAll(List.of(Objects.requireNonNull(headers, "headers")));
            return this;
        }

        /**
         * Sets the time for which a browser may keep the response to its preflight request. One hour unless set.
         *
         * @param time whole seconds, zero for not at all
         * @return this builder
         */
        public Builder maxAge(Duration time) {
            this.maxAge = Objects.requireNonNull(time, "time");
            return this;
        }

        /**
         * Makes the rule.
         *
         * @return the rule
         */
        public CorsRule build() {
            return new CorsRule(allowedOrigins, allowedMethods, allowedHeaders, exposedHeaders, maxAge);
        }
    }
}
