package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.callback.GuardedKey;
import io.stowline.batching.internal.engine.DeliveryDeadlines.ItemExpiries;
import io.stowline.batching.internal.engine.Submitter.DescribedItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ItemExpiriesTest {

    private static final Duration TIMEOUT = Duration.ofNanos(1_000);

    private final ItemExpiries<String, Integer, String> expiries = new ItemExpiries<>(TIMEOUT);
    private final List<BufferedItem<String, Integer, String>> open = new ArrayList<>();
    private int clock;

    @Property(tries = 300)
    @Label("BATCH-16: the first of those that have not ended is the one whose time is over first, in whatever order"
            + " they end")
    void givesTheFirstThatHasNotEnded(
            @ForAll @Size(max = 400) List<@IntRange(max = 1_000) Integer> steps, @ForAll boolean firstStays) {
        for (int step : steps) {
            if (step % 3 > 0 || open.isEmpty()) {
                add();
            } else {
                end(open.size() == 1 || !firstStays ? step % open.size() : 1 + step % (open.size() - 1));
            }
            assertThat(expiries.first()).isSameAs(open.isEmpty() ? null : open.get(0));
        }
        while (!open.isEmpty()) {
            end(open.size() - 1);
            assertThat(expiries.first()).isSameAs(open.isEmpty() ? null : open.get(0));
        }
    }

    @Test
    @DisplayName("BATCH-16: what ends twice takes no other one's place with it")
    void anEndThatComesTwiceChangesNothing() {
        BufferedItem<String, Integer, String> ended = add();
        for (int i = 0; i < 100; i++) {
            add();
        }
        end(0);
        for (int i = 0; i < 1_000; i++) {
            add();
            expiries.remove(ended);
            end(open.size() / 2);
        }

        assertThat(expiries.first()).isSameAs(open.get(0));
        assertThat(open.get(0).expiry).isEqualTo(TIMEOUT.toNanos() + 1);
    }

    private BufferedItem<String, Integer, String> add() {
        BufferedItem<String, Integer, String> item = new BufferedItem<>(
                new DescribedItem<>(clock, new GuardedKey(clock), 1, 1, false, true), new EngineSubmission<>(null));
        expiries.add(item, clock++);
        open.add(item);
        return item;
    }

    private void end(int index) {
        expiries.remove(open.remove(index));
    }
}
