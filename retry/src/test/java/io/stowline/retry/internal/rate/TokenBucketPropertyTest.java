package io.stowline.retry.internal.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.ManualTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;

/** The line of a quota or a rate under random claims, withdrawals, refunds and time. */
class TokenBucketPropertyTest {

    private static final long CAPACITY = 100;

    private ManualTimer clock;
    private TokenBucket line;
    private List<TokenRequest> waiting;
    private List<TokenRequest> held;

    @Property(tries = 200)
    @Label("RETRY-6: refused implies too few tokens, idle implies admits, and all tokens are back after whatever end")
    void refusedImpliesEmptyAndIdleImpliesAdmits(@ForAll long seed) {
        clock = new ManualTimer();
        line = new TokenBucket(CAPACITY, clock);
        waiting = new ArrayList<>();
        held = new ArrayList<>();
        Random random = new Random(seed);
        for (int step = 0; step < 300; step++) {
            act(random);
            check();
        }
        waiting.forEach(TokenRequest::withdraw);
        held.forEach(TokenRequest::giveBack);
        assertThat(line.waiting()).isZero();
        assertThat(clock.running()).as("alarms of an idle line").isZero();
        clock.advance(Duration.ofNanos(CAPACITY));
        assertThat(line.level()).isEqualTo(CAPACITY);
        assertThat(line.tryTake(CAPACITY)).as("idle implies admits").isTrue();
    }

    private void act(Random random) {
        switch (random.nextInt(5)) {
            case 0 -> clock.advance(Duration.ofNanos(random.nextInt(20)));
            case 1, 2 -> enter(random);
            case 3 -> {
                if (!waiting.isEmpty()) {
                    assertThat(waiting.remove(random.nextInt(waiting.size())).withdraw())
                            .isTrue();
                }
            }
            default -> {
                if (!held.isEmpty()) {
                    held.remove(random.nextInt(held.size())).giveBack();
                }
            }
        }
    }

    private void enter(Random random) {
        TokenRequest claim = new TokenRequest(() -> line, 1 + random.nextInt(40));
        long queued = waiting.stream().mapToLong(TokenRequest::cost).sum();
        long missing = claim.cost() - line.level() + queued;
        long patience = random.nextInt(3) == 0 ? 0 : 1_000;
        long wait = claim.enter(patience, () -> {
            waiting.remove(claim);
            held.add(claim);
        });
        if (wait == 0) {
            assertThat(missing).as("enough tokens, and nobody before it").isLessThanOrEqualTo(0);
        } else {
            assertThat(wait).as("tokens of its own and of those before it").isEqualTo(Math.max(1, missing));
            if (wait <= patience) {
                waiting.add(claim);
            }
        }
    }

    private void check() {
        assertThat(line.waiting()).isEqualTo(waiting.size());
        clock.advance(Duration.ZERO);
        if (!waiting.isEmpty()) {
            assertThat(line.level())
                    .as("the first waits for tokens only")
                    .isLessThan(waiting.get(0).cost());
        }
    }
}
