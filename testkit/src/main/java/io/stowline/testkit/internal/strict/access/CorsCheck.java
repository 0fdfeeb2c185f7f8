package io.stowline.testkit.internal.strict.access;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.XmlDocument;
import io.stowline.testkit.internal.wire.XmlDocument.XmlElement;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Check of the CORS rules among the properties of a service. */
public final class CorsCheck implements StrictCheck {

    private static final int MAX_RULES = 5;
    private static final int MAX_BYTES = 2048;
    private static final int MAX_LENGTH = 256;
    private static final int MAX_LITERAL = 64;
    private static final int MAX_PREFIXED = 2;
    private static final Set<String> METHODS =
            Set.of("DELETE", "GET", "HEAD", "MERGE", "POST", "PATCH", "OPTIONS", "PUT");

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        if (request.method().equals("PUT") && request.has("comp", "properties") && request.has("restype", "service")) {
            check(XmlDocument.read(request.body()), rules);
        }
    }

    private static void check(XmlDocument properties, Rulebook rules) {
        int size = 0;
        for (XmlElement element : properties.elements()) {
            if (element.path().contains("/CorsRule")) {
                String value = element.text().strip();
                size += value.getBytes(StandardCharsets.UTF_8).length;
                check(element.name(), value, rules);
            }
        }
        long count = properties.count("CorsRule");
        if (count > MAX_RULES) {
            rules.refuse(StrictRule.CORS_RULES, invalid(count + " CORS rules"));
        }
        if (size > MAX_BYTES) {
            rules.refuse(StrictRule.CORS_SIZE, invalid("CORS rules of " + size + " bytes"));
        }
    }

    private static void check(String name, String value, Rulebook rules) {
        switch (name) {
            case "AllowedHeaders", "ExposedHeaders" -> {
                checkLengths(value, rules);
                checkHeaders(value, rules);
            }
            case "AllowedOrigins" -> checkLengths(value, rules);
            case "AllowedMethods" -> checkMethods(value, rules);
            default -> {
                // A number, or an element around others.
            }
        }
    }

    private static void checkLengths(String list, Rulebook rules) {
        for (String entry : list.split(",", -1)) {
            if (entry.strip().length() > MAX_LENGTH) {
                rules.refuse(
                        StrictRule.CORS_LENGTH,
                        invalid("a header or origin has " + entry.strip().length() + " characters"));
            }
        }
    }

    private static void checkHeaders(String list, Rulebook rules) {
        int literal = 0;
        int prefixed = 0;
        for (String entry : list.split(",", -1)) {
            boolean prefix = entry.strip().endsWith("*") && entry.strip().length() > 1;
            prefixed += prefix ? 1 : 0;
            literal += prefix ? 0 : 1;
        }
        if (literal > MAX_LITERAL || prefixed > MAX_PREFIXED) {
            rules.refuse(
                    StrictRule.CORS_HEADERS,
                    invalid(literal + " literal and " + prefixed + " prefixed headers in a list"));
        }
    }

    private static void checkMethods(String list, Rulebook rules) {
        for (String method : list.split(",", -1)) {
            if (!method.isBlank() && !METHODS.contains(method.strip())) {
                rules.refuse(StrictRule.CORS_METHOD, invalid("method " + method.strip()));
            }
        }
    }

    private static String invalid(String what) {
        return "The value for one of the XML nodes is not in the correct format: " + what;
    }
}
