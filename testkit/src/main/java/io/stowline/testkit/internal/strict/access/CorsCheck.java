package io.stowline.testkit.internal.strict.access;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.request.StrictRequest;
import io.stowline.testkit.internal.strict.request.XmlReader;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** The CORS rules among the properties of a service. */
public final class CorsCheck implements StrictCheck {

    private static final int MAX_RULES = 5;
    private static final int MAX_BYTES = 2048;
    private static final int LONGEST = 256;
    private static final int MAX_LITERAL = 64;
    private static final int MAX_PREFIXED = 2;
    private static final Set<String> METHODS =
            Set.of("DELETE", "GET", "HEAD", "MERGE", "POST", "PATCH", "OPTIONS", "PUT");

    @Override
    public void check(StrictRequest request, Rulebook rules) {
        if (request.method().equals("PUT")
                && request.query().getOrDefault("comp", "").equals("properties")
                && request.query().getOrDefault("restype", "").equals("service")) {
            Reader reader = new Reader(rules);
            XmlReader.read(request.body(), reader);
            reader.checkTotals();
        }
    }

    private static final class Reader implements XmlReader.Listener {

        private final Rulebook rules;
        private final StringBuilder text = new StringBuilder();
        private boolean inside;
        private int count;
        private int size;

        Reader(Rulebook rules) {
            this.rules = rules;
        }

        @Override
        public void started(String name) {
            inside = inside || name.equals("CorsRule");
            count += name.equals("CorsRule") ? 1 : 0;
            text.setLength(0);
        }

        @Override
        public void text(String more) {
            text.append(more);
        }

        @Override
        public void ended(String name) {
            if (inside) {
                String value = text.toString().strip();
                size += value.getBytes(StandardCharsets.UTF_8).length;
                check(name, value);
                inside = !name.equals("CorsRule");
            }
            text.setLength(0);
        }

        private void check(String name, String value) {
            switch (name) {
                case "AllowedHeaders", "ExposedHeaders" -> {
                    checkLengths(value);
                    checkHeaders(value);
                }
                case "AllowedOrigins" -> checkLengths(value);
                case "AllowedMethods" -> checkMethods(value);
                default -> {
                    // A number, or an element around others.
                }
            }
        }

        private void checkLengths(String list) {
            for (String entry : list.split(",", -1)) {
                if (entry.strip().length() > LONGEST) {
                    rules.refuse(
                            StrictRule.CORS_LENGTH,
                            invalid("a header or origin has " + entry.strip().length() + " characters"));
                }
            }
        }

        private void checkHeaders(String list) {
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

        private void checkMethods(String list) {
            for (String method : list.split(",", -1)) {
                if (!method.isBlank() && !METHODS.contains(method.strip())) {
                    rules.refuse(StrictRule.CORS_METHOD, invalid("method " + method.strip()));
                }
            }
        }

        void checkTotals() {
            if (count > MAX_RULES) {
                rules.refuse(StrictRule.CORS_RULES, invalid(count + " CORS rules"));
            }
            if (size > MAX_BYTES) {
                rules.refuse(StrictRule.CORS_SIZE, invalid("CORS rules of " + size + " bytes"));
            }
        }

        private static String invalid(String what) {
            return "The value for one of the XML nodes is not in the correct format: " + what;
        }
    }
}
