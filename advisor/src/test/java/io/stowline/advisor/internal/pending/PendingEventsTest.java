package io.stowline.advisor.internal.pending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.observe.AttemptEvent;
import io.stowline.observe.ConsumerEvent;
import io.stowline.observe.QueryPageEvent;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("events wait for the thread that records them")
class PendingEventsTest {

    private final PendingEvents pending = new PendingEvents();
    private final List<Object> taken = new ArrayList<>();
    private final PendingEvents.Taker taker = new PendingEvents.Taker() {
        @Override
        public void take(AttemptEvent attempt, long millis) {
            taken.add(attempt.row() + "@" + millis);
        }

        @Override
        public void take(QueryPageEvent page) {
            taken.add(page);
        }

        @Override
        public void take(ConsumerEvent delivery) {
            taken.add(delivery);
        }
    };

    /** An attempt whose facts are their names, and the length of these. */
    private static AttemptEvent attempt(Map<String, Object> facts) {
        return (AttemptEvent) Proxy.newProxyInstance(
                AttemptEvent.class.getClassLoader(),
                new Class<?>[] {AttemptEvent.class},
                (proxy, method, arguments) -> {
                    String name = method.getName();
                    if (facts.containsKey(name)) {
                        return facts.get(name);
                    }
                    Class<?> type = method.getReturnType();
                    if (type == String.class) {
                        return name;
                    }
                    if (type == boolean.class) {
                        return true;
                    }
                    if (type.isEnum()) {
                        return type.getEnumConstants()[1];
                    }
                    return type == int.class ? (Object) name.length() : (Object) (long) name.length();
                });
    }

    private static AttemptEvent row(String row) {
        return attempt(Map.of("row", row));
    }

    @Test
    void keepOrderAndTime() {
        QueryPageEvent page = new QueryPageEvent("a", "t", "scan", "", 1, 1, false, 0, 0, 1);
        ConsumerEvent delivery =
                new ConsumerEvent("a", "q", "m", null, ConsumerEvent.Result.COMPLETED, null, null, null);
        pending.add(row("one"), 1);
        pending.add(page);
        pending.add(delivery);
        pending.add(row("two"), 2);

        assertThat(pending.hasNext()).isTrue();
        pending.drainTo(taker);

        assertThat(taken).containsExactly("one@1", page, delivery, "two@2");
        assertThat(pending.hasNext()).isFalse();
    }

    @Test
    void copyEachFact() {
        AttemptEvent event = attempt(Map.of("operation", "query"));
        Map<String, Object> copied = new HashMap<>();
        pending.add(event, 1);

        pending.drainTo(new PendingEvents.Taker() {
            @Override
            public void take(AttemptEvent attempt, long millis) {
                for (var fact : AttemptEvent.class.getMethods()) {
                    try {
                        assertThat(fact.invoke(attempt)).as(fact.getName()).isEqualTo(fact.invoke(event));
                    } catch (ReflectiveOperationException e) {
                        throw new AssertionError(e);
                    }
                    copied.put(fact.getName(), "");
                }
            }

            @Override
            public void take(QueryPageEvent page) {}

            @Override
            public void take(ConsumerEvent delivery) {}
        });

        assertThat(copied).hasSizeGreaterThan(20);
    }

    @Test
    void haveABound() {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < PendingEvents.PLACES; i++) {
                assertThat(pending.add(row("row"), i)).isTrue();
            }
            assertThat(pending.add(row("late"), 0)).isFalse();
            taken.clear();

            pending.drainTo(taker);

            assertThat(taken).hasSize(PendingEvents.PLACES).doesNotContain("late@0");
        }
    }

    @Test
    void goOnAfterAnEventThatCannotBeCopied() {
        AttemptEvent broken = (AttemptEvent) Proxy.newProxyInstance(
                AttemptEvent.class.getClassLoader(),
                new Class<?>[] {AttemptEvent.class},
                (proxy, method, arguments) -> {
                    throw new IllegalStateException(method.getName());
                });

        assertThatThrownBy(() -> pending.add(broken, 1)).isInstanceOf(IllegalStateException.class);
        pending.add(row("next"), 2);
        pending.drainTo(taker);

        assertThat(taken).containsExactly("next@2");
    }

    @Test
    @Timeout(60)
    void ofManyThreadsAreTakenOnceEach() throws InterruptedException {
        int threads = 4;
        int each = 2_000;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        AtomicInteger left = new AtomicInteger(threads);
        for (int t = 0; t < threads; t++) {
            String name = "t" + t + "-";
            executor.execute(() -> {
                for (int i = 0; i < each; i++) {
                    AttemptEvent event = row(name + i);
                    while (!pending.add(event, i)) {
                        Thread.yield();
                    }
                }
                left.decrementAndGet();
            });
        }
        while (left.get() > 0 || pending.hasNext()) {
            pending.drainTo(taker);
        }
        executor.shutdown();

        assertThat(taken).hasSize(threads * each).doesNotHaveDuplicates();
    }
}
