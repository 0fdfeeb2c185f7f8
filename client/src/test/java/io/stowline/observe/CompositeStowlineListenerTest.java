package io.stowline.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

class CompositeStowlineListenerTest {

    private final List<String> calls = new ArrayList<>();

    private StowlineListener listener(String name) {
        return new StowlineListener() {
            @Override
            public void onConsumerEvent(ConsumerEvent event) {
                calls.add(name);
            }

            @Override
            public void onQueryPage(QueryPageEvent event) {
                calls.add(name + " of a query");
            }

            @Override
            public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
                return new OperationListener() {
                    @Override
                    public Context context(Context known) {
                        return known.put(name, true);
                    }

                    @Override
                    public Map<String, String> headers() {
                        return Map.of("traceparent", name, name, name);
                    }

                    @Override
                    public void run(Runnable code) {
                        calls.add(name + " begins");
                        code.run();
                        calls.add(name + " ends");
                    }
                };
            }
        };
    }

    private static StowlineListener failing() {
        return new StowlineListener() {
            @Override
            public void onConsumerEvent(ConsumerEvent event) {
                throw new IllegalStateException();
            }

            @Override
            public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
                return new OperationListener() {
                    @Override
                    public Context context(Context known) {
                        throw new IllegalStateException();
                    }

                    @Override
                    public Map<String, String> headers() {
                        throw new IllegalStateException();
                    }
                };
            }
        };
    }

    private OperationListener operation() {
        return StowlineListener.all(listener("a"), failing(), listener("b"))
                .onOperationStart(new OperationInfo("acct", "queue", "send", "orders"), Context.empty());
    }

    @Test
    void consumerEventsReachEachListener() {
        StowlineListener.all(listener("a"), failing(), listener("b"))
                .onConsumerEvent(new ConsumerEvent(
                        "acct", "orders", "id", null, ConsumerEvent.Result.COMPLETED, null, null, null));

        assertThat(calls).containsExactly("a", "b");
    }

    @Test
    void pagesOfQueriesReachEachListener() {
        StowlineListener.all(listener("a"), failing(), listener("b"))
                .onQueryPage(new QueryPageEvent("acct", "runners", "partition", "", 5, 1_000, false, 0, 0, 0));

        assertThat(calls).containsExactly("a of a query", "b of a query");
    }

    @Test
    void aListenerThatReturnsNullIsLeftOut() {
        StowlineListener nothing = new StowlineListener() {
            @Override
            @SuppressWarnings("NullAway") // as code of the application may
            public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
                return null;
            }
        };

        assertThat(StowlineListener.all(nothing, nothing)
                        .onOperationStart(new OperationInfo("acct", "queue", "send", "orders"), Context.empty()))
                .isSameAs(OperationListener.NONE);
    }

    @Test
    void refusesNone() {
        assertThatThrownBy(StowlineListener::all)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("listeners are empty");
    }

    @Test
    void contextsAddUp() {
        assertThat(operation().context(Context.empty()).stream().map(Map.Entry::getKey))
                .containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void theFirstTraceContextOfAMessageStands() {
        assertThat(operation().headers())
                .containsOnly(Map.entry("traceparent", "a"), Map.entry("a", "a"), Map.entry("b", "b"));
    }

    @Test
    void codeOfTheApplicationRunsInsideOfEachListener() {
        operation().run(() -> calls.add("code"));

        assertThat(calls).containsExactly("a begins", "b begins", "code", "b ends", "a ends");
    }
}
