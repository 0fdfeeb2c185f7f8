package io.stowline.service.internal;

import io.stowline.error.internal.PrintableText;
import io.stowline.service.CorsRule;
import io.stowline.transport.StorageLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The limits of the service for CORS rules, by its page "Cross-Origin Resource Sharing support". Stateless. */
final class CorsLimits {

    private static final Set<String> METHODS =
            new TreeSet<>(Set.of("DELETE", "GET", "HEAD", "MERGE", "OPTIONS", "PATCH", "POST", "PUT"));

    /** The tokens of HTTP (RFC 9110, section 5.6.2), less the asterisk, which makes a prefix. */
    private static final Pattern HEADER = Pattern.compile("[!#$%&'+.^_`|~0-9A-Za-z-]*\\*?");

    private static final int SHOWN_CHARS = 80;

    private CorsLimits() {}

    /**
     * Checks the rules of one service.
     *
     * @throws IllegalArgumentException naming the rule, its value and the limit
     */
    static void check(List<CorsRule> rules) {
        if (rules.size() > StorageLimits.CORS_MAX_RULES) {
            throw new IllegalArgumentException(rules.size() + " CORS rules are too many: a service has at most "
                    + StorageLimits.CORS_MAX_RULES + "; give one rule the origins of others with equal methods");
        }
        int bytes = 0;
        for (int i = 0; i < rules.size(); i++) {
            bytes += bytes("CORS rule " + (i + 1), rules.get(i));
        }
        if (bytes > StorageLimits.CORS_MAX_BYTES) {
            throw new IllegalArgumentException(
                    "the CORS rules have " + bytes + " bytes: a service takes at most " + StorageLimits.CORS_MAX_BYTES
                            + ", without tags; give prefixes such as x-ms-* in place of headers");
        }
    }

    private static int bytes(String rule, CorsRule checked) {
        checkOrigins(rule, checked.allowedOrigins());
        checkMethods(rule, checked.allowedMethods());
        checkHeaders(rule + ", allowedHeaders", checked.allowedHeaders());
        checkHeaders(rule + ", exposedHeaders", checked.exposedHeaders());
        checkMaxAge(rule, checked.maxAge());
        return bytes(checked.allowedOrigins())
                + bytes(checked.allowedMethods())
                + bytes(checked.allowedHeaders())
                + bytes(checked.exposedHeaders())
                + bytes(List.of(String.valueOf(checked.maxAge().toSeconds())));
    }

    private static int bytes(List<String> values) {
        return String.join(",", values).getBytes(StandardCharsets.UTF_8).length;
    }

    private static void checkOrigins(String rule, List<String> origins) {
        if (origins.isEmpty() || origins.size() > StorageLimits.CORS_MAX_ORIGINS) {
            throw new IllegalArgumentException(rule + " has " + origins.size() + " allowedOrigins: 1 to "
                    + StorageLimits.CORS_MAX_ORIGINS + " are allowed; \"*\" stands for all");
        }
        for (String origin : origins) {
            checkLength(rule + ", allowedOrigins", origin);
            String refusal = CorsOrigins.refusal(origin);
            if (refusal != null) {
                throw new IllegalArgumentException(rule + " has the origin " + shown(origin) + ": " + refusal);
            }
        }
    }

    private static void checkMethods(String rule, List<String> methods) {
        if (methods.isEmpty() || !METHODS.containsAll(methods)) {
            throw new IllegalArgumentException(rule + " has the allowedMethods " + shown(String.join(",", methods))
                    + ": the service knows " + METHODS + ", and a rule needs one of them");
        }
    }

    private static void checkHeaders(String list, List<String> headers) {
        int literal = 0;
        int prefixed = 0;
        for (String header : headers) {
            checkLength(list, header);
            if (!HEADER.matcher(header).matches()) {
                throw new IllegalArgumentException(list + " has " + shown(header)
                        + ", which is neither the name of a header nor a prefix such as x-ms-meta-*");
            }
            boolean prefix = header.length() > 1 && header.endsWith("*");
            prefixed += prefix ? 1 : 0;
            literal += prefix ? 0 : 1;
        }
        if (literal > StorageLimits.CORS_MAX_HEADERS || prefixed > StorageLimits.CORS_MAX_HEADER_PREFIXES) {
            throw new IllegalArgumentException(
                    list + " has " + literal + " headers and " + prefixed + " prefixes: at most "
                            + StorageLimits.CORS_MAX_HEADERS + " and " + StorageLimits.CORS_MAX_HEADER_PREFIXES
                            + " are allowed; \"*\" stands for all");
        }
    }

    private static void checkLength(String list, String value) {
        if (value.isEmpty() || value.length() > StorageLimits.CORS_VALUE_MAX_CHARS) {
            throw new IllegalArgumentException(list + " has a value of " + value.length() + " characters: 1 to "
                    + StorageLimits.CORS_VALUE_MAX_CHARS + " are allowed: " + shown(value));
        }
    }

    private static void checkMaxAge(String rule, Duration maxAge) {
        if (maxAge.isNegative()
                || !maxAge.equals(Duration.ofSeconds(maxAge.toSeconds()))
                || maxAge.toSeconds() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    rule + " has the maxAge " + maxAge + ": whole seconds are allowed, 0 to " + Integer.MAX_VALUE);
        }
    }

    private static String shown(String value) {
        return "\""
                + PrintableText.of(value.length() > SHOWN_CHARS ? value.substring(0, SHOWN_CHARS) + "..." : value)
                + "\"";
    }
}
