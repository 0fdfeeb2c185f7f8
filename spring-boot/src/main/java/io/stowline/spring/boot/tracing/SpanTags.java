package io.stowline.spring.boot.tracing;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.tracing.Span;
import java.util.Set;

/** The keys of an observation as attributes of its span: the conventions give some of them as numbers, where keys are texts. */
final class SpanTags {

    private static final Set<String> NUMBERS = Set.of("server.port", "messaging.batch.message_count");

    private SpanTags() {}

    static void put(KeyValues keys, Span span) {
        for (KeyValue key : keys) {
            if (NUMBERS.contains(key.getKey())) {
                span.tag(key.getKey(), Long.parseLong(key.getValue()));
            } else {
                span.tag(key.getKey(), key.getValue());
            }
        }
    }
}
