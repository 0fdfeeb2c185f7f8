package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.azure.storage.queue.QueueClient;
import io.stowline.retry.Backoff;
import io.stowline.retry.internal.timeout.AttemptTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The further needs of blocking clients: a limit that cancels, an interrupt that ends, no thread that waits for itself.
 */
@Timeout(120)
class BlockingClientsTest extends StubbedService {

    private final SilentServer silent = new SilentServer();

    @AfterEach
    void closeServer() throws Exception {
        silent.close();
    }

    private QueueClient unanswered(Duration deadline) {
        StorageRetryPolicy policy = policy(settings -> settings.retry(retry -> retry.backoff(Backoff.none())
                .retries(0)
                .minAttempt(Duration.ofMillis(1))
                .deadline(deadline)));
        return queue(silent.port(), policy).buildClient();
    }

    @Test
    @DisplayName("RETRY-5: the limit of an attempt really ends it: the connection is closed")
    void limitCancels() throws Exception {
        Throwable thrown =
                catchThrowable(() -> unanswered(Duration.ofMillis(300)).sendMessage("hello"));

        assertThat(thrown)
                .isInstanceOf(AttemptTimeoutException.class)
                .hasMessageContaining("gave no response within PT0.");
        assertThat(silent.clientHungUp()).isTrue();
        assertThat(silent.connections()).isEqualTo(1);
    }

    @Test
    @DisplayName("RETRY-8: an interrupt ends the call at once, sets the flag again and sends nothing more")
    void interruptEndsTheCall() throws Exception {
        QueueClient queue = unanswered(Duration.ofMinutes(10));
        AtomicBoolean flag = new AtomicBoolean();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            Throwable seen = catchThrowable(() -> queue.sendMessage("hello"));
            flag.set(Thread.currentThread().isInterrupted());
            thrown.complete(seen);
        });
        caller.start();
        silent.awaitRequest();
        caller.interrupt();

        assertThat(thrown.get(30, TimeUnit.SECONDS)).hasRootCauseInstanceOf(InterruptedException.class);
        assertThat(flag).isTrue();
        assertThat(silent.clientHungUp()).isTrue();
        assertThat(silent.connections()).isEqualTo(1);
    }

    @Test
    @DisplayName("RETRY-8: a caller that is interrupted already sends nothing")
    void interruptedBefore() {
        responds(enqueued());
        QueueClient queue = queue(policy(settings -> settings)).buildClient();
        Thread.currentThread().interrupt();

        Throwable thrown = catchThrowable(() -> queue.sendMessage("hello"));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(thrown)
                .hasRootCauseInstanceOf(InterruptedException.class)
                .hasRootCauseMessage("interrupted before the request was sent");
        assertThat(requests()).isEmpty();
    }

    @Test
    void refusesToBlockAnEventLoop() {
        responds(enqueued());
        QueueClient queue = queue(policy(settings -> settings)).buildClient();

        Throwable thrown = Mono.fromCallable(() -> catchThrowable(() -> queue.sendMessage("hello")))
                .subscribeOn(Schedulers.parallel())
                .block();

        assertThat(thrown)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("parallel-")
                .hasMessageContaining("asynchronous client");
        assertThat(requests()).isEmpty();
    }

    @Test
    @DisplayName("callers on all elastic threads do not wait for each other")
    void elasticThreadsAreNotStarved() {
        responds(busy(), enqueued());
        QueueClient queue = queue(policy(settings -> settings.parallelism(4))).buildClient();
        int callers = Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE + 5;

        Long sent = Flux.range(0, callers)
                .flatMap(
                        n -> Mono.fromCallable(() -> queue.sendMessage("hello"))
                                .subscribeOn(Schedulers.boundedElastic()),
                        callers)
                .count()
                .block(Duration.ofSeconds(60));

        assertThat(sent).isEqualTo(callers);
        // As many as have a permit may meet the busy service at once.
        assertThat(requests()).hasSizeBetween(callers + 1, callers + 4);
    }

    @Test
    void worksOnVirtualThreads() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21);
        responds(busy(), enqueued());
        QueueClient queue = queue(policy(settings -> settings)).buildClient();
        AtomicReference<String> id = new AtomicReference<>();

        Thread caller = (Thread)
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable)
                        () -> id.set(queue.sendMessage("hello").getMessageId()));
        caller.join();

        assertThat(id.get()).isNotBlank();
        assertThat(requests()).hasSize(2);
    }
}
