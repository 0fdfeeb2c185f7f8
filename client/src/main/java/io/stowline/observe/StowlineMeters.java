package io.stowline.observe;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.docs.MeterDocumentation;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The meters of {@link MicrometerListener}. All of them have the tags {@link MeterKey#ACCOUNT} and {@link MeterKey#SERVICE}. */
@SuppressWarnings("exports") // Micrometer is optional: who uses this class requires it
enum StowlineMeters implements MeterDocumentation {

    /** Attempts that have ended, by the kind of their end. */
    ATTEMPTS(
            "stowline.attempts",
            Meter.Type.COUNTER,
            "attempts",
            "attempts that have ended, by the kind of their end",
            MeterKey.REASON),

    /** Attempts that may have been carried out although their response was lost. */
    UNANSWERED(
            "stowline.unanswered.attempts",
            Meter.Type.COUNTER,
            "attempts",
            "attempts that may have been carried out although their response was lost"),

    /** Attempts that were not the first of their request. */
    RETRIES("stowline.retries", Meter.Type.COUNTER, "retries", "attempts that were not the first of their request"),

    /** Requests that were not tried again because the retry quota was empty. */
    QUOTA_REFUSALS(
            "stowline.quota.refusals",
            Meter.Type.COUNTER,
            "refusals",
            "requests that were not tried again because the retry quota was empty"),

    /** Writes that have ended otherwise than by a failure, by what is known of them; a transaction is one write. */
    WRITES(
            "stowline.writes",
            Meter.Type.COUNTER,
            "writes",
            "writes that have ended otherwise than by a failure, by what is known of them; a transaction is one write",
            MeterKey.OUTCOME,
            MeterKey.EVIDENCE),

    /** Writes that may have taken effect more than once, or may yet do so. */
    REPEATED(
            "stowline.repeated.writes",
            Meter.Type.COUNTER,
            "writes",
            "writes that may have taken effect more than once, or may yet do so"),

    /** The most attempts that may be in flight at present. */
    PERMITS_LIMIT("stowline.permits.limit", Meter.Type.GAUGE, null, "how many attempts may be in flight at present"),

    /** The attempts in flight. */
    PERMITS_USED(
            "stowline.permits.used",
            Meter.Type.GAUGE,
            null,
            "how many attempts are in flight; more than the limit while partitions of a writer get no response"),

    /** The attempts that wait for a permit. */
    PERMITS_WAITING("stowline.permits.waiting", Meter.Type.GAUGE, null, "how many attempts wait for a permit"),

    /** The partitions that are held back because the service has throttled them. */
    PARTITIONS_LIMITED(
            "stowline.partitions.limited",
            Meter.Type.GAUGE,
            null,
            "how many partitions are held back because the service has throttled them"),

    /** The operations that open writers have accepted and not yet ended: a crash can lose them without a journal. */
    WRITERS_ITEMS(
            "stowline.writers.items",
            Meter.Type.GAUGE,
            null,
            "how many operations open writers have accepted and not yet ended: what a crash can lose without a"
                    + " journal"),

    /** The bytes of these operations on the wire. */
    WRITERS_BYTES("stowline.writers.bytes", Meter.Type.GAUGE, null, "how many bytes these operations take on the wire"),

    /** The open writers with a journal that are paused, as the service refuses all that they send. */
    WRITERS_PAUSED(
            "stowline.writers.paused",
            Meter.Type.GAUGE,
            null,
            "how many open writers with a journal are paused: the service refuses whatever they send"),

    /** Deliveries of messages to queue consumers that have ended, by how; of the service queue only. */
    DELIVERIES(
            "stowline.deliveries",
            Meter.Type.COUNTER,
            "deliveries",
            "deliveries of messages to queue consumers that have ended, by how; of the service queue only",
            MeterKey.RESULT),

    /** The entities that pages of queries had; of the service table only. */
    QUERY_RETURNED(
            "stowline.query.returned",
            Meter.Type.COUNTER,
            "entities",
            "entities that pages of queries had; of the service table only",
            MeterKey.QUERY_CLASS),

    /** The entities that the service has scanned for these pages, as an estimate; of the service table only. */
    QUERY_SCANNED(
            "stowline.query.scanned",
            Meter.Type.COUNTER,
            "entities",
            "entities that the service has scanned for these pages, as an estimate; of the service table only",
            MeterKey.QUERY_CLASS),

    /** The running handlers of queue consumers. */
    CONSUMERS_HANDLERS(
            "stowline.consumers.handlers", Meter.Type.GAUGE, null, "how many handlers of queue consumers run"),

    /** The messages in the hands of queue consumers. */
    CONSUMERS_MESSAGES("stowline.consumers.messages", Meter.Type.GAUGE, null, "how many messages queue consumers hold"),

    /** About how many messages the queues of consumers have, hidden ones too. */
    CONSUMERS_BACKLOG(
            "stowline.consumers.backlog",
            Meter.Type.GAUGE,
            null,
            "about how many messages the queues of consumers have, hidden ones too"),

    /** The time for which a poll of a consumer has been due without a response; the longest of these times. */
    CONSUMERS_POLL_AGE(
            "stowline.consumers.poll.age",
            Meter.Type.GAUGE,
            "seconds",
            "how long a poll of a consumer has been due that the service has not answered; the longest of these times"),

    /** The age of the oldest message that the last polls have received. */
    CONSUMERS_MESSAGE_AGE(
            "stowline.consumers.message.age",
            Meter.Type.GAUGE,
            "seconds",
            "the age of the oldest message that the last polls have brought"),

    /** The running relays of the outbox. */
    OUTBOX_RELAYS("stowline.outbox.relays", Meter.Type.GAUGE, null, "how many relays of the outbox run"),

    /** About how many hints wait, hidden ones too. */
    OUTBOX_HINTS(
            "stowline.outbox.hints",
            Meter.Type.GAUGE,
            null,
            "about how many hints the outbox has, hidden ones too, as its relays last read it"),

    /** The age of the oldest hint that the last polls have received. */
    OUTBOX_HINT_AGE(
            "stowline.outbox.hint.age",
            Meter.Type.GAUGE,
            "seconds",
            "the age of the oldest hint that the last polls of relays have received"),

    /** The hints that running relays have moved to the poison queue. */
    OUTBOX_POISONED(
            "stowline.outbox.poisoned",
            Meter.Type.GAUGE,
            null,
            "how many hints the running relays have moved to the poison queue"),

    /** The tokens left in the retry quota. */
    QUOTA_AVAILABLE("stowline.quota.available", Meter.Type.GAUGE, null, "what the retry quota has left"),

    /** The tokens of a full retry quota. */
    QUOTA_CAPACITY("stowline.quota.capacity", Meter.Type.GAUGE, null, "what the retry quota holds when it is full"),

    /** The clients with a circuit breaker in this state; none without a circuit breaker. */
    BREAKERS(
            "stowline.breakers",
            Meter.Type.GAUGE,
            null,
            "how many clients have a circuit breaker in this state; there is none of these without a circuit breaker",
            MeterKey.STATE);

    private final String name;
    private final Meter.Type type;
    private final @Nullable String unit;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<MeterKey> own;

    /** A gauge has a unit only where it shows a time: else its name gives it. */
    StowlineMeters(String name, Meter.Type type, @Nullable String unit, String description, MeterKey... own) {
        this.name = name;
        this.type = type;
        this.unit = unit;
        this.description = description;
        this.own = List.of(own);
    }

    /**
     * Returns what it measures.
     *
     * @return the description that the meter has in its registry
     */
    public String description() {
        return description;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public Meter.Type getType() {
        return type;
    }

    @Override
    public @Nullable String getBaseUnit() {
        return unit;
    }

    @Override
    public KeyName[] getKeyNames() {
        return Stream.concat(Stream.of(MeterKey.ACCOUNT, MeterKey.SERVICE), own.stream())
                .toArray(KeyName[]::new);
    }

    /** The tags of meters. All of them have few values. */
    enum MeterKey implements KeyName {
        /** The account's name. */
        ACCOUNT("account"),
        /** {@code table}, {@code queue} or {@code blob}. */
        SERVICE("service"),
        /**
         * {@code success}, {@code absent} (404: the resource does not exist, a normal end of a {@code find}), {@code throttled-partition},
         * {@code throttled-account}, {@code server-error}, {@code timeout}, {@code connection}, {@code unreadable} (a malformed response),
         * {@code remedied} (refused for a reason that the client has mended), {@code credential} (no token), {@code held-back} (not sent:
         * no permit, over the rate, or the circuit breaker is open), {@code refused}, {@code other}.
         */
        REASON("reason"),
        /** {@code confirmed}, {@code recovered}, {@code absent} or {@code unknown}. */
        OUTCOME("outcome"),
        /** {@code response}, {@code content}, {@code marker} or {@code none}. */
        EVIDENCE("evidence"),
        /**
         * {@code completed}, {@code retried}, {@code poisoned}, {@code poison_failed}, {@code released}, {@code lost} or {@code abandoned};
         * see {@link ConsumerEvent.Result}.
         */
        RESULT("result"),
        /** {@code point}, {@code row-range}, {@code partition}, {@code partition-range} or {@code table-scan}. */
        QUERY_CLASS("query.class"),
        /** {@code closed}, {@code open}, {@code half_open}, {@code forced_open}, {@code disabled} or {@code metrics_only}. */
        STATE("state");

        private final String key;

        MeterKey(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }
}
