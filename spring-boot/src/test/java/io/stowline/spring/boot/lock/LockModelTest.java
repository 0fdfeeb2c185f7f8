package io.stowline.spring.boot.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.FencedBlob;
import io.stowline.blob.LeaseLostException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.spring.boot.lock.LockStorage.LockProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Stories of three processes that lock, write under the fence, stop for longer than their lease, lose their renewals and responses, and die. One thread plays
 * them against the model of the lock; the time of the service moves past leases that the processes take for held.
 */
class LockModelTest {

    /** Stories with the seeds from 1 on; {@code -Dlock.stories=300} plays more. */
    private static final int STORIES = Integer.getInteger("lock.stories", 30);

    private static final int STEPS = 40;
    private static final Duration LEASE = Duration.ofSeconds(30);

    /** Counts of the cases that the stories have reached. */
    private final AtomicInteger lost = new AtomicInteger();

    private final AtomicInteger refusedWrites = new AtomicInteger();
    private final AtomicInteger deaths = new AtomicInteger();

    @Test
    @DisplayName(
            "LEASE-1 LEASE-2 LEASE-3: no two processes pass the fence, numbers grow, a lost lock is shown, a free one"
                    + " is had at once")
    void keepsItsPromises() {
        for (long seed = 1; seed <= STORIES; seed++) {
            Story story = new Story(seed);
            try {
                story.play();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + "\n" + String.join("\n", story.steps), e);
            } finally {
                story.storage.close();
            }
        }

        assertThat(lost).hasValueGreaterThan(STORIES / 3);
        assertThat(refusedWrites).hasValueGreaterThan(STORIES / 3);
        assertThat(deaths).hasValueGreaterThan(STORIES / 3);
    }

    /** A process that may believe that it holds the lock. */
    private final class Player {

        private final LockProcess process;
        private @Nullable FencedBlob state;
        private long number;

        Player(LockProcess process) {
            this.process = process;
        }

        FencedLock lock() {
            return process.lock("report");
        }

        boolean believes() {
            return state != null;
        }
    }

    private final class Story {

        private final LockStorage storage = new LockStorage();
        private final Random random;
        private final List<Player> players = new ArrayList<>();
        private final List<String> steps = new ArrayList<>();
        private @Nullable Player holder;
        private long until;
        private long now;
        private long newest;
        private int size;

        Story(long seed) {
            random = new Random(seed);
            for (int i = 0; i < 3; i++) {
                players.add(new Player(storage.process()));
            }
            players.get(0).lock().lock();
            players.get(0).lock().unlock();
        }

        void play() {
            for (int step = 0; step < STEPS; step++) {
                int who = random.nextInt(players.size());
                Player player = players.get(who);
                switch (random.nextInt(player.believes() ? 9 : 6)) {
                    case 0 -> passes(Duration.ofSeconds(random.nextInt(20)));
                    case 1 -> passes(LEASE.plusSeconds(1));
                    case 2, 3, 4 -> tries(who, player);
                    case 5 -> dies(who, player);
                    case 6, 7 -> writes(who, player);
                    default -> unlocks(who, player);
                }
            }
            steps.add("the end");
            passes(LEASE.plusSeconds(1));
            for (int who = 0; who < players.size(); who++) {
                Player player = players.get(who);
                if (player.believes()) {
                    unlocks(who, player);
                }
                tries(who, player);
                writes(who, player);
                unlocks(who, player);
            }
        }

        private void passes(Duration time) {
            steps.add("passes " + time);
            storage.pass(time);
            now += time.toSeconds();
        }

        /** Not of a refused acquisition, which then waits until no attempt can still be applied. */
        private void mayLose(String blob) {
            for (int i = random.nextInt(4); i > 1; i--) {
                steps.add("loses a response of " + blob);
                storage.memory.loseNextResponse("PUT", "/locks/" + blob);
            }
        }

        private boolean isLeased() {
            return holder != null && now < until;
        }

        private void tries(int who, Player player) {
            if (player.believes()) {
                steps.add(who + " locks again");
                assertThat(player.lock().tryLock()).isTrue();
                player.lock().unlock();
                return;
            }
            boolean leased = isLeased();
            if (!leased) {
                mayLose("report");
            }
            boolean acquired = player.lock().tryLock();
            steps.add(who + (acquired ? " locks" : " does not lock"));
            assertThat(acquired).isEqualTo(!leased);
            if (acquired) {
                holder = player;
                until = now + LEASE.toSeconds();
                player.number = player.lock().term().number();
                assertThat(player.number).isGreaterThan(newest);
                newest = player.number;
                player.state = player.lock().term().fence(player.process.container, "state");
            }
        }

        /** A write passes the fence only by the last process of those that believe to hold the lock. */
        private void writes(int who, Player player) {
            FencedBlob state = player.state;
            if (state == null) {
                throw new IllegalStateException("writes without a lock");
            }
            mayLose("state");
            boolean passed;
            try {
                state.upload(new byte[size + 1]);
                passed = true;
            } catch (PreconditionFailedException | LeaseLostException e) {
                passed = false;
            } catch (OutcomeUnknownException e) {
                passed = player.process.container.info("state").size() > size;
            }
            if (passed) {
                size++;
            } else {
                refusedWrites.incrementAndGet();
            }
            steps.add(who + (passed ? " writes " + size : " is refused"));
            assertThat(passed).isEqualTo(player.number == newest);
            assertThat(player.process.container.info("state").size()).isEqualTo(size);
        }

        /** A lock that another process has got shows it; one that has ended by itself does no harm. */
        private void unlocks(int who, Player player) {
            boolean ours = holder == player;
            if (ours) {
                mayLose("report");
            }
            boolean shown = false;
            try {
                player.lock().unlock();
            } catch (ConcurrentModificationException e) {
                shown = true;
                lost.incrementAndGet();
            }
            steps.add(who + (shown ? " learns of its loss" : " unlocks"));
            assertThat(shown && ours).isFalse();
            player.state = null;
            if (ours) {
                holder = null;
            }
        }

        private void dies(int who, Player player) {
            steps.add(who + " dies");
            deaths.incrementAndGet();
            player.process.kill();
            players.set(who, new Player(storage.process()));
        }
    }

    @Test
    @DisplayName("a story is the same with the same seed")
    void repeats() {
        Story one = new Story(1);
        Story two = new Story(1);
        one.play();
        two.play();
        one.storage.close();
        two.storage.close();

        assertThat(one.steps).isEqualTo(two.steps);
    }
}
