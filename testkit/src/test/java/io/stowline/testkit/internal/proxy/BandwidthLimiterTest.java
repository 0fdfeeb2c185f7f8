package io.stowline.testkit.internal.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class BandwidthLimiterTest {

    @Property(tries = 300)
    @Label("writes everything in order, in the time that the bandwidth allows")
    void writesEverythingInTime(
            @ForAll @Size(max = 2_000) byte[] bytes, @ForAll @LongRange(min = 1, max = 10_000_000) long bytesPerSecond)
            throws Exception {
        SkippingWaiter waiter = new SkippingWaiter();
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        new BandwidthLimiter(waiter).write(bytes, bytesPerSecond, out);

        assertThat(out.toByteArray()).isEqualTo(bytes);
        double seconds = (double) bytes.length / bytesPerSecond;
        assertThat(waiter.nanoTime() / 1e9).isCloseTo(seconds, Offset.offset(1e-5));
    }

    @Test
    void doesNotWaitWithoutALimit() throws Exception {
        SkippingWaiter waiter = new SkippingWaiter();

        new BandwidthLimiter(waiter).write(new byte[100_000], Long.MAX_VALUE, new ByteArrayOutputStream());

        assertThat(waiter.nanoTime()).isZero();
    }
}
