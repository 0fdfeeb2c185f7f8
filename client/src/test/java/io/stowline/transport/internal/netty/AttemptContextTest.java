package io.stowline.transport.internal.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.transport.internal.concurrent.OperationScope;
import io.stowline.transport.internal.http.response.WriteTracker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

class AttemptContextTest {

    private static final class Scope extends OperationScope {
        Scope(Context caller) {
            super(null, caller);
        }
    }

    private final List<Object> discarded = new ArrayList<>();
    private final Context hook = AttemptContext.discarding(discarded::add);
    private final WriteTracker tracker = WriteTracker.reporting();
    private final Context operation =
            new Scope(Context.of("caller", "one")).context().put("own", "two");
    private final Context attempt = new AttemptContext(operation, tracker, hook);

    @Test
    void hasTheEntriesOfItsOperationAndItsOwn() {
        assertThat(attempt.<String>get("caller")).isEqualTo("one");
        assertThat(attempt.get(WriteTracker.class)).isSameAs(tracker);
        assertThat(attempt.hasKey("caller")).isTrue();
        assertThat(attempt.hasKey("none")).isFalse();
        assertThat(attempt.getOrDefault("none", "other")).isEqualTo("other");
        assertThat(attempt.isEmpty()).isFalse();
        assertThat(attempt.size()).isEqualTo(5);
        assertThat(attempt.stream().map(Map.Entry::getKey)).contains("caller", "own", WriteTracker.class);
        assertThatThrownBy(() -> attempt.get("none")).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void discardsByItsHook() {
        Operators.onDiscard("late", attempt);

        assertThat(discarded).containsExactly("late");
    }

    @Test
    void keepsAllEntriesWhenOneIsAddedOrRemoved() {
        Context more = Context.of("a", 1).putAll(attempt.put("b", 2).readOnly());

        assertThat(more.size()).isEqualTo(7);
        Operators.onDiscard("late", more);
        assertThat(discarded).containsExactly("late");
        assertThat(attempt.delete("caller").hasKey("caller")).isFalse();
        assertThat(attempt.delete("caller").get(WriteTracker.class)).isSameAs(tracker);
    }
}
