package io.stowline.examples.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.caching.CacheOutcome;
import io.stowline.caching.CachedRead;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TallyTest {

    private final Tally tally = new Tally(Duration.ofMillis(100));

    private void add(CacheOutcome outcome, long age, long outdated) {
        CachedRead<Integer> read = new CachedRead<>(Optional.of(1), outcome, Duration.ofMillis(age));
        tally.add("a", read, Duration.ofMillis(outdated));
    }

    @Test
    void countsReadsByTheirOutcome() {
        add(CacheOutcome.HIT, 10, 0);
        add(CacheOutcome.HIT, 20, 20);
        add(CacheOutcome.STALE, 90, 30);

        assertThat(tally.reads()).isEqualTo(3);
        assertThat(tally.reads(CacheOutcome.HIT)).isEqualTo(2);
        assertThat(tally.oldest()).isEqualTo(Duration.ofMillis(30));
        assertThat(tally.tooOld()).isEmpty();
    }

    @Test
    void tellsOfWhatWasOutdatedForLongerThanAllowed() {
        add(CacheOutcome.STALE, 150, 101);

        assertThat(tally.tooOld()).singleElement().asString().startsWith("a: STALE of age PT0.15S");
    }

    @Test
    void tellsOfWhatWasOutdatedForLongerThanItsAge() {
        add(CacheOutcome.HIT, 10, 11);

        assertThat(tally.tooOld()).hasSize(1);
    }

    @Test
    void aRequestUnderWayMayHaveBegunEarlier() {
        add(CacheOutcome.COLLAPSED, 150, 120);
        assertThat(tally.tooOld()).isEmpty();

        add(CacheOutcome.COLLAPSED, 150, 151);
        assertThat(tally.tooOld()).hasSize(1);
    }
}
