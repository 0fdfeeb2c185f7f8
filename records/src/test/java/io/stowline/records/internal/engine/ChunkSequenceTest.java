package io.stowline.records.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.records.internal.chunk.ChunkName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChunkSequenceTest {

    private Instant now = Instant.parse("2026-11-29T23:58:10Z");
    private final ChunkSequence names = new ChunkSequence(
            new Clock() {
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
                    return now;
                }
            },
            Duration.ofMinutes(5),
            new Random(1));

    @Test
    void chunksAreNumberedFromTheBeginOfTheirInterval() {
        ChunkName first = names.next();
        ChunkName second = names.next();
        assertThat(first.interval()).isEqualTo("2026-11-29T23:55:00Z");
        assertThat(first.sequence()).isZero();
        assertThat(second).isEqualTo(new ChunkName(first.interval(), first.session(), 1));
        assertThat(first.session()).startsWith("5m-");
    }

    @Test
    void anIntervalEndsWithItsTimeAndAtMidnight() {
        ChunkName first = names.next();
        assertThat(names.isOver()).isFalse();
        assertThat(names.left()).isEqualTo(Duration.ofSeconds(110).toMillis());
        now = Instant.parse("2026-11-30T00:00:00Z");
        assertThat(names.isOver()).isTrue();
        assertThat(names.next()).isEqualTo(new ChunkName(now, first.session(), 1));
    }

    @Test
    void aClockThatGoesBackALittleIsIgnored() {
        ChunkName first = names.next();
        now = now.minus(Duration.ofMinutes(12));
        assertThat(names.isOver()).isFalse();
        assertThat(names.left()).isEqualTo(Duration.ofMinutes(5).toMillis());
        assertThat(names.next()).isEqualTo(new ChunkName(first.interval(), first.session(), 1));
    }

    @Test
    void aClockThatGoesBackFarBeginsAnotherSession() {
        ChunkName first = names.next();
        now = now.minus(Duration.ofMinutes(30));
        assertThat(names.isOver()).isTrue();
        ChunkName next = names.next();
        assertThat(next.session()).isNotEqualTo(first.session());
        assertThat(next.sequence()).isZero();
        assertThat(next.interval()).isEqualTo("2026-11-29T23:25:00Z");
    }
}
