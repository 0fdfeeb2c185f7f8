package io.stowline.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RequestHoldTest {

    final RequestHold hold = new RequestHold();
    final SentRequest request = SentRequest.of("GET", "/a", Map.of(), new byte[0]);

    @Test
    void tellsWhatHasCome() {
        CompletableFuture<SentRequest> first =
                CompletableFuture.supplyAsync(() -> hold.awaitArrived(Duration.ofSeconds(30)));

        hold.arrived(request);
        hold.arrived(request.withTarget("/b"));

        assertThat(first).succeedsWithin(Duration.ofSeconds(30)).isSameAs(request);
        assertThat(hold.arrivals()).isEqualTo(2);
        assertThat(hold.awaitArrived(2, Duration.ZERO))
                .extracting(SentRequest::path)
                .containsExactly("/a", "/b");
    }

    @Test
    void saysHowManyHaveNotCome() {
        hold.arrived(request);

        assertThatThrownBy(() -> hold.awaitArrived(2, Duration.ofMillis(1)))
                .isInstanceOf(TestkitException.class)
                .hasMessage("1 of 2 requests came to the hold within PT0.001S: [GET /a (0 bytes)]");
    }

    @Test
    void givesUpWhenInterrupted() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> hold.awaitArrived(Duration.ofSeconds(30))).isInstanceOf(TestkitException.class);

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void staysOpenOnceItIsReleased() {
        hold.release();
        hold.release();

        assertThat(hold.gate().getCount()).isZero();
    }
}
