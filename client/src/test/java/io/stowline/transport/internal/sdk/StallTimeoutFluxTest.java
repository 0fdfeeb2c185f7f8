package io.stowline.transport.internal.sdk;

import static io.stowline.transport.internal.pipeline.StreamResponse.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

class StallTimeoutFluxTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final TestPublisher<ByteBuffer> source = TestPublisher.create();

    /** Requests as much as the test says. */
    private static class Reader extends BaseSubscriber<ByteBuffer> {

        final List<ByteBuffer> read = new ArrayList<>();
        Throwable error;
        boolean completed;

        @Override
        protected void hookOnSubscribe(Subscription subscription) {}

        @Override
        protected void hookOnNext(ByteBuffer value) {
            read.add(value);
        }

        @Override
        protected void hookOnError(Throwable thrown) {
            error = thrown;
        }

        @Override
        protected void hookOnComplete() {
            completed = true;
        }
    }

    private Reader reader(Flux<ByteBuffer> body, Scheduler scheduler) {
        Reader reader = new Reader();
        new StallTimeoutFlux(body, LIMIT, scheduler).subscribe(reader);
        return reader;
    }

    private Reader reader() {
        return reader(source.flux(), timer);
    }

    private void pass(long seconds) {
        timer.advanceTimeBy(Duration.ofSeconds(seconds));
    }

    @Test
    @DisplayName("RETRY-5: a stream that gives nothing although it was asked ends with a timeout, and its source is"
            + " cancelled")
    void standstillEnds() {
        Reader reader = reader();
        reader.request(1);

        pass(9);
        assertThat(reader.error).isNull();
        pass(1);
        assertThat(reader.error).isInstanceOf(TimeoutException.class).hasMessage("the body stood still for PT10S");
        source.assertCancelled();
    }

    @Test
    void everyPartGivesNewTime() {
        Reader reader = reader();
        reader.requestUnbounded();

        for (int i = 0; i < 5; i++) {
            pass(9);
            source.next(bytes("part"));
        }
        assertThat(reader.error).isNull();
        pass(9);
        assertThat(reader.error).isNull();
        pass(1);
        assertThat(reader.error).isInstanceOf(TimeoutException.class);
        assertThat(reader.read).hasSize(5);
    }

    @Test
    @DisplayName("a reader that takes its time is not taken for a source that stands still")
    void slowReader() {
        Reader reader = reader();

        pass(3_600);
        reader.request(1);
        source.next(bytes("part"));
        pass(3_600);
        reader.request(1);
        pass(9);
        source.next(bytes("part"));
        pass(3_600);
        assertThat(reader.error).isNull();

        reader.request(1);
        pass(10);
        assertThat(reader.error).isInstanceOf(TimeoutException.class);
    }

    @Test
    void slowTakerOfOnePart() {
        Reader reader = new Reader() {
            @Override
            protected void hookOnNext(ByteBuffer value) {
                super.hookOnNext(value);
                pass(60);
            }
        };
        new StallTimeoutFlux(source.flux(), LIMIT, timer).subscribe(reader);
        reader.requestUnbounded();

        source.next(bytes("part")).next(bytes("part"));
        assertThat(reader.error).isNull();
        assertThat(reader.read).hasSize(2);
    }

    @Test
    void endsAsTheSourceDoes() {
        Reader reader = reader();
        reader.requestUnbounded();
        source.complete();
        assertThat(reader.completed).isTrue();

        TestPublisher<ByteBuffer> failing = TestPublisher.create();
        Reader other = reader(failing.flux(), timer);
        failing.error(new IllegalStateException("source"));
        assertThat(other.error).hasMessage("source");

        pass(3_600);
        assertThat(timer.getScheduledTaskCount()).isLessThanOrEqualTo(1);
    }

    @Test
    void cancelEndsTheSourceAndTheAlarm() {
        Reader reader = reader();
        reader.requestUnbounded();
        reader.cancel();

        source.assertCancelled();
        pass(3_600);
        assertThat(reader.error).isNull();
    }

    @Test
    void timerThatIsClosedEndsIt() {
        Scheduler closed = Schedulers.newSingle("closed");
        closed.dispose();
        Reader reader = reader(source.flux(), closed);

        reader.request(1);

        assertThat(reader.error).isInstanceOf(RejectedExecutionException.class);
    }

    @Property(tries = 200)
    @Label("every part comes through, once and in order, however it is asked for")
    void nothingIsLost(
            @ForAll @IntRange(max = 50) int parts,
            @ForAll @Size(min = 1, max = 10) List<@IntRange(min = 1, max = 7) Integer> requested) {
        List<ByteBuffer> given =
                IntStream.range(0, parts).mapToObj(n -> bytes("part " + n)).toList();
        Reader reader = new Reader() {
            private int next;

            @Override
            protected void hookOnNext(ByteBuffer value) {
                super.hookOnNext(value);
                request(requested.get(next++ % requested.size()));
            }
        };

        new StallTimeoutFlux(Flux.fromIterable(given), LIMIT, VirtualTimeScheduler.create()).subscribe(reader);
        reader.request(1);

        assertThat(reader.read).isEqualTo(given);
        assertThat(reader.completed).isTrue();
        assertThat(reader.error).isNull();
    }
}
