package io.stowline.projection.internal.scan;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.stowline.projection.EntityType;
import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.write.IgnoringWriter;
import io.stowline.projection.internal.write.PropertyWriter;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AllocationTest {

    private static final int ROUNDS = 20_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private record Numbers(boolean flag, short small, int number, long big, float ratio, double exact) {}

    private record Text(String text, Instant time) {}

    /** Less than one byte per round: anything that is made in each round is 16 bytes at least. */
    private static void assertAllocatesNothing(Runnable round) {
        repeat(round);
        repeat(round);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        repeat(round);
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(ROUNDS);
    }

    private static void repeat(Runnable round) {
        for (int i = 0; i < ROUNDS; i++) {
            round.run();
        }
    }

    @Test
    void writesPrimitivesWithoutBoxing() {
        EntityType<Numbers> type = EntityType.of(Numbers.class);
        Numbers value = new Numbers(true, (short) 12_345, 123_456, 12_345_678_901L, 1.5f, 2.5);
        PropertyWriter writer = new IgnoringWriter();

        assertAllocatesNothing(() -> type.write(value, writer));
    }

    @Test
    void writesReferencesWithoutAllocation() {
        EntityType<Text> type = EntityType.of(Text.class);
        Text value = new Text("text", Instant.EPOCH);
        PropertyWriter writer = new IgnoringWriter();

        assertAllocatesNothing(() -> type.write(value, writer));
    }

    @Test
    void collectsPrimitivesWithoutBoxing() {
        EntityReader<Numbers> reader = EntityType.of(Numbers.class).newReader();

        assertAllocatesNothing(() -> {
            reader.bool(0, true);
            reader.integer(1, 12_345);
            reader.integer(2, 123_456);
            reader.text(3, "12345678901");
            reader.floating(4, 1.5);
            reader.floating(5, 2.5);
            reader.reset();
        });
    }

    @Test
    void findsAPropertyWithoutAllocation() {
        EntityType<Numbers> type = EntityType.of(Numbers.class);

        assertAllocatesNothing(() -> {
            if (type.indexOf("exact") != 5) {
                throw new AssertionError("wrong index");
            }
        });
    }

    @Test
    void writesATimeWithoutAllocation() {
        byte[] buffer = new byte[EdmDateTime.LENGTH];
        Instant time = Instant.parse("2024-02-29T12:30:00.1234567Z");

        assertAllocatesNothing(() -> EdmDateTime.write(time, buffer, 0));
    }
}
