package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.writer.Batcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OpenWriterWarningTest {

    private final List<Thread> hooks = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private boolean ending;
    private final OpenWriterWarning watch = new OpenWriterWarning(
            hook -> {
                refuseAtTheEnd();
                hooks.add(hook);
            },
            hook -> {
                refuseAtTheEnd();
                hooks.remove(hook);
            },
            warnings::add,
            notices::add);
    private final Rig rig = new Rig(given -> {
        given.warning = watch;
        return given;
    });

    private void refuseAtTheEnd() {
        if (ending) {
            throw new IllegalStateException("Shutdown in progress");
        }
    }

    @SuppressWarnings("DoNotCall") // the hooks are played on this thread
    private void exit() {
        ending = true;
        hooks.forEach(Thread::run);
    }

    @Test
    @DisplayName("BATCH-15: a writer that holds items when the process ends is heard, with the numbers and one of them")
    void isHeard() {
        Batcher<String, Item, String> writer = rig.batcher();
        writer.submit("k", Item.of("a", 1));
        writer.submit("k", Item.of("b", 2));
        exit();
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0)).contains("2 items").contains(Item.of("a", 1).toString());
    }

    @Test
    @DisplayName("BATCH-15: nothing is said of writers that are empty, being closed, or do not want it")
    void isQuiet() {
        rig.batcher();
        rig.batcher(given -> given.warnAtExit(false)).submit("k", Item.of("a", 1));
        Batcher<String, Item, String> closing = rig.batcher();
        closing.submit("other", Item.of("b", 2));
        var unused = closing.closeAsync().subscribe();
        exit();
        assertThat(warnings).isEmpty();
    }

    @Test
    @DisplayName(
            "BATCH-9: a close that waits says for how much, after two seconds and then each ten, and what it abandons")
    void closeIsHeard() {
        Batcher<String, Item, String> writer = rig.batcher(given -> given.closeTimeout(Duration.ofSeconds(30)));
        for (int i = 0; i < 9; i++) {
            writer.submit("k", Item.of("a" + i, 1));
        }
        var unused = writer.closeAsync().subscribe();
        rig.pass(Duration.ofSeconds(1));
        assertThat(notices).isEmpty();
        rig.pass(Duration.ofSeconds(28));
        assertThat(notices).hasSize(3).allSatisfy(notice -> assertThat(notice)
                .contains("waits, PT30S at most, for 9 operations"));
        assertThat(warnings).isEmpty();
        rig.pass(Duration.ofSeconds(2));

        assertThat(warnings).singleElement().satisfies(warning -> assertThat(warning)
                .contains(
                        "closeTimeout, PT30S",
                        "8 operations are abandoned that were not sent, and 1 that were in flight"));
        rig.pass(Duration.ofMinutes(1));
        assertThat(notices).hasSize(3);
    }

    @Test
    @DisplayName("BATCH-9: the engine's close warns of what it abandons, and a close that ends in time says nothing")
    void engineCloseIsHeard() {
        Batcher<String, Item, String> quick = rig.batcher();
        quick.submit("k", Item.of("a", 1));
        var first = quick.closeAsync().subscribe();
        rig.finishAll();
        rig.pass(Duration.ofMinutes(1));
        assertThat(notices).isEmpty();
        rig.batcher().submit("k", Item.of("b", 1));
        var second = rig.lanes.closeAsync(Duration.ofSeconds(1)).subscribe();
        rig.pass(Duration.ofSeconds(2));

        assertThat(warnings).singleElement().satisfies(warning -> assertThat(warning)
                .contains("deadline", "and 1 that were in flight"));
    }

    @Test
    @DisplayName("BATCH-9: there is one hook as long as a writer is open, and none afterwards")
    void oneHook() {
        Batcher<String, Item, String> one = rig.batcher();
        Batcher<String, Item, String> other = rig.batcher();
        assertThat(hooks).hasSize(1);
        one.close();
        assertThat(hooks).hasSize(1);
        other.close();
        assertThat(hooks).isEmpty();
        rig.batcher();
        assertThat(hooks).hasSize(1);
    }

    @Test
    @DisplayName("BATCH-9: writers that are made or closed while the process ends work as ever")
    void whileItEnds() {
        Batcher<String, Item, String> early = rig.batcher();
        ending = true;
        early.close();
        Batcher<String, Item, String> late = rig.batcher();
        late.close();
        assertThat(late.isClosed()).isTrue();
    }
}
