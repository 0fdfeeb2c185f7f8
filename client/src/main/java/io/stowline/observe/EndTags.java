package io.stowline.observe;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.stowline.observe.StowlineObservation.HighCardinality;
import io.stowline.observe.StowlineObservation.LowCardinality;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The tags of operations, kept since there are few of them and making them twice for each operation costs more than its meters. */
final class EndTags {

    /** Far beyond the number of verbs, ends and exceptions; further tags are made each time. */
    private static final int MAX = 1_000;

    /** The request id of an operation none of whose requests has ended. */
    static final KeyValue NO_REQUEST = HighCardinality.CLIENT_REQUEST_ID.withValue(KeyValue.NONE_VALUE);

    private static final KeyValue[] ATTEMPTS =
            IntStream.range(0, 10).mapToObj(EndTags::attemptsTag).toArray(KeyValue[]::new);

    private static final Map<EndTags.Key, KeyValues> KNOWN = new ConcurrentHashMap<>();

    private record Key(
            String account,
            String service,
            String operation,
            @Nullable String queryClass,
            String outcome,
            String exception) {}

    private EndTags() {}

    static KeyValue attempts(int number) {
        return number < ATTEMPTS.length ? ATTEMPTS[number] : attemptsTag(number);
    }

    private static KeyValue attemptsTag(int number) {
        return HighCardinality.ATTEMPTS.withValue(Integer.toString(number));
    }

    static KeyValues of(OperationInfo operation, String outcome, String exception) {
        Key key = new Key(
                operation.account(), operation.service(), operation.name(), operation.queryClass(), outcome, exception);
        KeyValues known = KNOWN.get(key);
        if (known == null) {
            known = tags(key);
            if (KNOWN.size() < MAX) {
                KNOWN.put(key, known);
            }
        }
        return known;
    }

    private static KeyValues tags(Key key) {
        return KeyValues.of(
                LowCardinality.ACCOUNT.withValue(key.account),
                LowCardinality.SERVICE.withValue(key.service),
                LowCardinality.OPERATION.withValue(key.operation),
                LowCardinality.QUERY_CLASS.withValue(key.queryClass == null ? KeyValue.NONE_VALUE : key.queryClass),
                LowCardinality.OUTCOME.withValue(key.outcome),
                LowCardinality.EXCEPTION.withValue(key.exception));
    }
}
