package io.stowline.system.ledger.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClosingPointTest {

    private final ClosingPoint point = new ClosingPoint();
    private final CompletableFuture<String> ended = new CompletableFuture<>();

    /** Chooses the point after so many requests, and no time later. */
    private void choose(int requests) {
        point.choose(new Random() {

            private static final long serialVersionUID = 1L;

            private int left = requests;

            @Override
            public int nextInt(int bound) {
                int next = left;
                left = 0;
                return next;
            }
        });
    }

    @Test
    void endsAClientBeforeItsFirstRequest() {
        choose(0);

        point.begin("closed", () -> ended.complete("ended"));

        assertThat(ended.orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo("ended");
        assertThat(point.ends()).containsEntry("closed", 1);
    }

    @Test
    void endsAClientOnceAfterSoManyRequests() {
        choose(2);
        point.begin("closed", () -> ended.complete("ended"));

        point.request();
        assertThat(point.ends()).isEmpty();
        point.request();
        point.request();

        assertThat(ended.orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo("ended");
        assertThat(point.ends()).containsEntry("closed", 1);
    }

    @Test
    void endsAConsumerAtOneOfItsRequests() {
        point.choose(new Random(1), 1, List.of(Duration.ZERO));

        point.begin("killed", () -> ended.complete("ended"));
        assertThat(point.ends()).isEmpty();
        point.request();

        assertThat(ended.orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo("ended");
        assertThat(point.ends()).containsEntry("killed", 1);
    }

    @Test
    void leavesAClientThatHasEndedByItself() {
        choose(1);
        point.begin("closed", () -> ended.complete("ended"));
        point.over();

        point.request();

        assertThat(point.ends()).isEmpty();
        assertThat(ended).isNotDone();
    }
}
