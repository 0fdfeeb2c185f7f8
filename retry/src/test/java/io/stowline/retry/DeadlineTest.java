package io.stowline.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

class DeadlineTest {

    private final ManualTimer timer = new ManualTimer();

    @Test
    void countsDownAndStopsAtZero() {
        Deadline deadline = Deadline.in(Duration.ofSeconds(3), timer);

        assertThat(deadline.remaining()).isEqualTo(Duration.ofSeconds(3));
        timer.advance(Duration.ofMillis(2_999));
        assertThat(deadline.remaining()).isEqualTo(Duration.ofMillis(1));
        assertThat(deadline.expired()).isFalse();
        timer.advance(Duration.ofMillis(1));
        assertThat(deadline.remaining()).isZero();
        assertThat(deadline.expired()).isTrue();
        timer.advance(Duration.ofHours(1));
        assertThat(deadline.remaining()).isZero();
        assertThat(deadline.expired()).isTrue();
    }

    @Test
    void readsAnyReactorScheduler() {
        VirtualTimeScheduler virtual = VirtualTimeScheduler.create();
        Deadline deadline = Deadline.in(Duration.ofSeconds(3), virtual);

        virtual.advanceTimeBy(Duration.ofSeconds(2));

        assertThat(deadline.remaining()).isEqualTo(Duration.ofSeconds(1));
        virtual.dispose();
    }

    @Test
    void survivesAClockThatWraps() {
        ManualTimer wrapping = new ManualTimer(Long.MAX_VALUE - 1_000);
        Deadline deadline = Deadline.in(Duration.ofSeconds(3), wrapping);
        Deadline sooner = Deadline.in(Duration.ofNanos(500), wrapping);

        assertThat(deadline.remaining()).isEqualTo(Duration.ofSeconds(3));
        assertThat(deadline.earlier(sooner)).isSameAs(sooner);
        wrapping.advance(Duration.ofSeconds(1));
        assertThat(deadline.remaining()).isEqualTo(Duration.ofSeconds(2));
        assertThat(sooner.expired()).isTrue();
    }

    @Test
    void earlierIsTheOneThatEndsFirst() {
        Deadline sooner = Deadline.in(Duration.ofSeconds(1), timer);
        Deadline later = Deadline.in(Duration.ofSeconds(2), timer);

        assertThat(later.earlier(sooner)).isSameAs(sooner);
        assertThat(sooner.earlier(later)).isSameAs(sooner);
        timer.advance(Duration.ofSeconds(5));
        assertThat(later.earlier(sooner)).isSameAs(sooner);
    }

    @Test
    void comparesDeadlinesOfDifferentClocks() {
        ManualTimer other = new ManualTimer(-5_000_000_000_000L);
        Deadline here = Deadline.in(Duration.ofSeconds(2), timer);
        Deadline there = Deadline.in(Duration.ofSeconds(3), other);

        assertThat(here.earlier(there)).isSameAs(here);
        other.advance(Duration.ofSeconds(2));
        assertThat(here.earlier(there)).isSameAs(there);
    }

    @Test
    void minusKeepsTimeBack() {
        Deadline deadline = Deadline.in(Duration.ofSeconds(3), timer);

        assertThat(deadline.minus(Duration.ofSeconds(1)).remaining()).isEqualTo(Duration.ofSeconds(2));
        assertThat(deadline.minus(Duration.ofSeconds(4)).expired()).isTrue();
        assertThat(deadline).hasToString("Deadline[in PT3S]");
    }

    @Test
    void allowsAStartWhileReserveAndLeastAttemptAreLeft() {
        RetrySettings settings = RetrySettings.defaults();
        Duration least = settings.reserve().plus(settings.minAttempt());
        Deadline deadline = Deadline.in(least.plusNanos(1), timer);
        long now = timer.now(TimeUnit.NANOSECONDS);

        assertThat(deadline.allowsStart(settings, now + 1, timer)).isTrue();
        assertThat(deadline.allowsStart(settings, now + 2, timer)).isFalse();
    }

    @Test
    void readsItsClockWhereTheTimeIsThatOfAnotherOne() {
        RetrySettings settings = RetrySettings.defaults();
        ManualTimer other = new ManualTimer(-5_000_000_000_000L);
        Deadline deadline = Deadline.in(settings.reserve().plus(settings.minAttempt()), other);
        long now = timer.now(TimeUnit.NANOSECONDS);

        assertThat(deadline.allowsStart(settings, now, timer)).isTrue();
        other.advance(Duration.ofNanos(1));
        assertThat(deadline.allowsStart(settings, now, timer)).isFalse();
    }

    @Test
    void refusesTimesOutOfRange() {
        assertThatThrownBy(() -> Deadline.in(Duration.ofMillis(-1), timer))
                .hasMessage("deadline must be at least PT0S but was PT-0.001S");
        assertThatThrownBy(() -> Deadline.in(Duration.ofDays(366), timer))
                .hasMessage("deadline must be at most PT8760H but was PT8784H");
        Deadline deadline = Deadline.in(Duration.ofSeconds(3), timer);
        assertThatThrownBy(() -> deadline.minus(Duration.ofMillis(-1)))
                .hasMessage("time must be at least PT0S but was PT-0.001S");
    }
}
