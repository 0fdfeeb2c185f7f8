package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.ResourceNames;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.Bytes;
import io.stowline.testkit.internal.wire.ResourceAddress;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.XmlDocument;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The checks of queues and their messages. */
final class QueueCheck implements StrictCheck {

    private static final long WEEK = 7L * 24 * 60 * 60;
    private static final int MAX_MESSAGES = 32;
    private static final int MAX_SIZE = 64 * 1024;
    private static final String ANY_TTL = "2017-07-29";

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        ResourceAddress address = ResourceAddress.of(request);
        boolean one = address.inner().startsWith("messages/");
        if (address.inner().isEmpty() && request.method().equals("PUT") && request.parameter("comp") == null) {
            ResourceNames.check(address.name(), StrictRule.QUEUE_NAME, StrictRule.QUEUE_NAME_LENGTH, rules);
        } else if (one || address.inner().equals("messages")) {
            new Messages(request, rules).check(one);
        }
    }

    /** One request for messages, or for one of them. */
    private record Messages(StorageRequest request, Rulebook rules) {

        void check(boolean one) {
            switch (request.method()) {
                case "GET" -> checkGet();
                case "POST" -> checkPut();
                case "PUT" -> checkUpdate();
                case "DELETE" -> checkReceipt(one);
                default -> {
                    // No message is touched.
                }
            }
        }

        private void checkGet() {
            checkRange("numofmessages", 1, MAX_MESSAGES, StrictRule.MESSAGE_COUNT);
            checkRange("visibilitytimeout", 1, WEEK, StrictRule.VISIBILITY_RANGE);
        }

        private void checkPut() {
            checkRange("visibilitytimeout", 0, WEEK, StrictRule.VISIBILITY_RANGE);
            boolean bounded = request.isOlderThan(ANY_TTL);
            long lives = number("messagettl", WEEK);
            if (lives < 1 || (bounded && lives > WEEK)) {
                checkUnbounded(bounded);
            } else {
                checkVisibleInTime();
            }
            checkSize();
        }

        private void checkUnbounded(boolean bounded) {
            if (bounded || number("messagettl", WEEK) != -1) {
                refuseValue(
                        StrictRule.TTL_RANGE,
                        "messagettl",
                        bounded
                                ? "Value must be 1 to " + WEEK + "."
                                : "Value must be greater than or equal to 1, or -1 to indicate an infinite TTL.");
            }
        }

        private void checkVisibleInTime() {
            if (number("visibilitytimeout", 0) >= number("messagettl", Long.MAX_VALUE)) {
                refuseValue(
                        StrictRule.VISIBILITY_BEYOND_TTL,
                        "visibilitytimeout",
                        "messagettl must be greater than visibilitytimeout.");
            }
        }

        private void refuseValue(StrictRule rule, String parameter, String reason) {
            rules.refuse(
                    rule,
                    "Value for one of the query parameters specified in the request URI is invalid.",
                    Map.of(
                            "QueryParameterName", parameter,
                            "QueryParameterValue", request.query().getOrDefault(parameter, ""),
                            "Reason", reason));
        }

        private void checkUpdate() {
            checkReceipt(true);
            if (!request.query().containsKey("visibilitytimeout")) {
                refuseMissing(StrictRule.VISIBILITY_MISSING, "visibilitytimeout");
            }
            checkRange("visibilitytimeout", 0, WEEK, StrictRule.VISIBILITY_RANGE);
            checkSize();
        }

        private void checkReceipt(boolean one) {
            if (one && !request.query().containsKey("popreceipt")) {
                refuseMissing(StrictRule.POP_RECEIPT_MISSING, "popreceipt");
            }
        }

        private void refuseMissing(StrictRule rule, String parameter) {
            rules.refuse(
                    rule,
                    "A required query parameter was not specified for this request.",
                    Map.of("QueryParameterName", parameter));
        }

        private void checkSize() {
            Bytes body = request.body();
            if (body.length() > MAX_SIZE && text(body).getBytes(StandardCharsets.UTF_8).length > MAX_SIZE) {
                rules.refuse(
                        StrictRule.MESSAGE_SIZE,
                        "The request body is too large and exceeds the maximum permissible limit.",
                        Map.of("MaxLimit", Integer.toString(MAX_SIZE)));
            }
        }

        private static String text(Bytes body) {
            return XmlDocument.read(body).text("MessageText").orElse("");
        }

        private void checkRange(String parameter, long min, long max, StrictRule rule) {
            long value = number(parameter, min);
            if (value < min || value > max) {
                rules.refuse(
                        rule,
                        "One of the query parameters specified in the request URI is outside the permissible range.",
                        Map.of(
                                "QueryParameterName", parameter,
                                "QueryParameterValue", Long.toString(value),
                                "MinimumAllowed", Long.toString(min),
                                "MaximumAllowed", Long.toString(max)));
            }
        }

        private long number(String parameter, long otherwise) {
            try {
                return Long.parseLong(request.query().getOrDefault(parameter, ""));
            } catch (NumberFormatException e) {
                return otherwise;
            }
        }
    }
}
