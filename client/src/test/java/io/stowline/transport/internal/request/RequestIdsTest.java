package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RequestIdsTest {

    @Test
    void areUuidsOfVersionFour() {
        for (int i = 0; i < 1_000; i++) {
            UUID id = UUID.fromString(RequestIds.next());
            assertThat(id.version()).isEqualTo(4);
            assertThat(id.variant()).isEqualTo(2);
        }
    }

    @Test
    void neverComeTwice() {
        Set<String> ids = IntStream.range(0, 200_000)
                .parallel()
                .mapToObj(i -> RequestIds.next())
                .collect(Collectors.toSet());
        assertThat(ids).hasSize(200_000).allMatch(id -> id.length() == 36);
    }

    @Test
    @DisplayName("OUTCOME-8: copies of a process that were restored from one snapshot make different ids")
    void copiesOfASnapshotPart() {
        AtomicLong millis = new AtomicLong(1_000);
        RequestIds one = new RequestIds(clock(millis), draws(7, 11, 13));
        RequestIds other = new RequestIds(clock(millis), draws(7, 11, 17));
        assertThat(one.id()).as("in the second of the snapshot").isEqualTo(other.id());

        millis.addAndGet(1_000);
        assertThat(one.id()).isNotEqualTo(other.id());
    }

    private static LongSupplier draws(long... values) {
        PrimitiveIterator.OfLong next =
                LongStream.of(values).map(value -> value << 32).iterator();
        return next::nextLong;
    }

    private static Clock clock(AtomicLong millis) {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return Instant.ofEpochMilli(millis.get());
            }
        };
    }
}
