package io.stowline.testkit.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class HttpDateTest {

    @Property
    @Label("a date is read back, and always of one length")
    void readsBack(@ForAll @LongRange(min = 0, max = 253_402_300_799L) long second) {
        Instant instant = Instant.ofEpochSecond(second, 999_999_999);

        assertThat(HttpDate.parse(HttpDate.format(instant))).contains(Instant.ofEpochSecond(second));
        assertThat(HttpDate.format(instant)).hasSize(29);
    }

    @Test
    void writesDaysWithTwoDigits() {
        assertThat(HttpDate.format(Instant.parse("2026-11-01T10:00:00Z"))).isEqualTo("Sun, 01 Nov 2026 10:00:00 GMT");
    }

    @Test
    void givesUpWhatIsNoDate() {
        assertThat(HttpDate.parse("yesterday")).isEmpty();
    }
}
