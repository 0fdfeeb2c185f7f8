package io.stowline.records.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.records.internal.name.Intervals;
import io.stowline.records.internal.name.Sessions;
import io.stowline.records.internal.read.ReadVector.SessionPlace;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** The texts of positions. */
final class PositionTextTest {

    private static ReadVector vector(int sessions, long second, Random random) {
        TreeMap<String, SessionPlace> places = new TreeMap<>();
        Instant time = Instant.ofEpochSecond(second, random.nextInt(1_000_000_000));
        for (int i = 0; i < sessions; i++) {
            places.put(
                    Sessions.next(random, new Intervals(Duration.ofMinutes(5))),
                    new SessionPlace(
                            time.truncatedTo(java.time.temporal.ChronoUnit.SECONDS),
                            random.nextLong() >>> 1 + random.nextInt(62),
                            random.nextLong() >>> 1 + random.nextInt(62),
                            random.nextInt(1_000)));
        }
        return new ReadVector(time, time.truncatedTo(java.time.temporal.ChronoUnit.SECONDS), places);
    }

    @Property
    void roundTrip(
            @ForAll @IntRange(max = 20) int sessions,
            @ForAll @LongRange(min = -62_135_596_800L, max = 253_402_214_399L) long second,
            @ForAll long seed) {
        ReadVector vector = vector(sessions, second, new Random(seed));

        String text = PositionText.of(vector);

        assertThat(PositionText.parse(text)).isEqualTo(vector);
        assertThat(text).matches("[!-~]+").hasSizeLessThan(60 + 80 * sessions);
    }

    @Property(tries = 200)
    void changedTextsAreRefused(@ForAll @IntRange(max = 5) int sessions, @ForAll long seed) {
        Random random = new Random(seed);
        String text = PositionText.of(vector(sessions, 1_800_000_000L, random));
        int at = random.nextInt(text.length());
        char other = (char) (' ' + random.nextInt(95));
        String changed = text.substring(0, at) + other + text.substring(at + 1);

        if (!changed.equals(text)) {
            assertThatIllegalArgumentException().isThrownBy(() -> PositionText.parse(changed));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> PositionText.parse(text.substring(0, at)));
    }

    @Property
    void anyTextIsRefused(@ForAll String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PositionText.parse(text))
                .withMessageStartingWith("the text is no position of records: ");
        assertThatIllegalArgumentException().isThrownBy(() -> PositionText.parse("r1." + text));
    }

    @Test
    void sizeOfThousandSessions() {
        assertThat(PositionText.of(vector(1_000, 1_800_000_000L, new Random(1))))
                .hasSizeLessThan(70_000);
    }
}
