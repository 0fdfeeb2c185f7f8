package io.stowline.retry.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.ManualTimer;
import io.stowline.retry.Receiver;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.Gate.PermitRegistration;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** P4, P5: random requests, cancels, releases and deadlines against a model of the line. */
class GateSimulationTest {

    private static final class Request {

        private final PermitPriority priority;
        private PermitRegistration place;
        private Permit permit;

        Request(PermitPriority priority) {
            this.priority = priority;
        }
    }

    private final List<Request> held = new ArrayList<>();
    private final Deque<Request> settling = new ArrayDeque<>();
    private final Deque<Request> ordinary = new ArrayDeque<>();
    private final Deque<Request> background = new ArrayDeque<>();

    @Property(tries = 500)
    @Label("PERMIT-4, PERMIT-5: the line is fair, the limit holds, and all permits are back at the end")
    void lineBehavesAsItsModel(@ForAll @IntRange(min = 1, max = 5) int limit, @ForAll long seed) {
        Gate gate = Gate.fixed(limit);
        Random random = new Random(seed);
        for (int step = 0; step < 300; step++) {
            act(gate, random);
            checkInvariants(gate, limit);
        }
        while (!held.isEmpty()) {
            held.remove(random.nextInt(held.size())).permit.release();
            checkInvariants(gate, limit);
        }
        assertThat(gate.inUse()).isZero();
        assertThat(gate.waiting()).isZero();
    }

    private void act(Gate gate, Random random) {
        int choice = random.nextInt(10);
        if (choice < 5) {
            PermitPriority[] priorities = {PermitPriority.SETTLE, PermitPriority.BACKGROUND, PermitPriority.BACKGROUND};
            request(gate, choice < priorities.length ? priorities[choice] : PermitPriority.NORMAL);
        } else if (choice < 9 && !held.isEmpty()) {
            held.remove(random.nextInt(held.size())).permit.release();
        } else {
            cancelOne(random);
        }
    }

    private void request(Gate gate, PermitPriority priority) {
        Request request = new Request(priority);
        line(priority).add(request);
        request.place = gate.request(priority, permit -> {
            // The one at the head, and a normal one only when no caller settles.
            assertThat(line(priority).poll()).isSameAs(request);
            assertThat(priority == PermitPriority.SETTLE || settling.isEmpty()).isTrue();
            boolean starved = gate.limit() > 1 && count(PermitPriority.BACKGROUND) == 0;
            if (priority == PermitPriority.NORMAL) {
                assertThat(starved && !background.isEmpty()).isFalse();
            }
            if (priority == PermitPriority.BACKGROUND) {
                assertThat(starved || ordinary.isEmpty()).isTrue();
            }
            request.permit = permit;
            held.add(request);
        });
    }

    private long count(PermitPriority priority) {
        return held.stream().filter(request -> request.priority == priority).count();
    }

    private void cancelOne(Random random) {
        Deque<Request> line = List.of(settling, ordinary, background).get(random.nextInt(3));
        if (!line.isEmpty()) {
            Request request = new ArrayList<>(line).get(random.nextInt(line.size()));
            assertThat(request.place.cancel()).isTrue();
            line.remove(request);
        } else if (!held.isEmpty()) {
            assertThat(held.get(0).place.cancel()).isFalse();
        }
    }

    private void checkInvariants(Gate gate, int limit) {
        assertThat(gate.inUse()).isEqualTo(held.size()).isLessThanOrEqualTo(limit + 1);
        assertThat(held.stream().filter(request -> request.priority == PermitPriority.NORMAL))
                .hasSizeLessThanOrEqualTo(limit);
        assertThat(gate.waiting()).isEqualTo(settling.size() + ordinary.size() + background.size());
        int share = Math.max(1, limit / 2);
        assertThat(count(PermitPriority.BACKGROUND)).isLessThanOrEqualTo(share);
        if (!background.isEmpty()) {
            assertThat(gate.inUse() >= limit || count(PermitPriority.BACKGROUND) == share)
                    .isTrue();
        }
        if (!settling.isEmpty()) {
            assertThat(gate.inUse()).isEqualTo(limit + 1);
        }
        if (!ordinary.isEmpty()) {
            assertThat(gate.inUse()).isGreaterThanOrEqualTo(limit);
        }
    }

    private Deque<Request> line(PermitPriority priority) {
        return switch (priority) {
            case SETTLE -> settling;
            case BACKGROUND -> background;
            default -> ordinary;
        };
    }

    @Property(tries = 500)
    @Label("PERMIT-4: with deadlines and cancels in between, every subscriber ends once and all permits come back")
    void everyPathReturnsThePermit(@ForAll @IntRange(min = 1, max = 4) int limit, @ForAll long seed) {
        Gate gate = Gate.fixed(limit);
        ManualTimer timer = new ManualTimer();
        Random random = new Random(seed);
        List<Receiver<Permit>> cancelled = new ArrayList<>();
        List<Receiver<Permit>> live = new ArrayList<>();
        for (int step = 0; step < 200; step++) {
            int choice = random.nextInt(10);
            if (choice < 5) {
                live.add(acquire(gate, timer, random));
            } else if (choice < 6 && !live.isEmpty()) {
                Receiver<Permit> one = live.remove(random.nextInt(live.size()));
                boolean waiting = one.empty();
                one.cancel();
                if (waiting) {
                    cancelled.add(one);
                } else {
                    finish(one);
                }
            } else if (choice < 8) {
                live.removeIf(GateSimulationTest::finish);
            } else {
                timer.advance(Duration.ofSeconds(random.nextInt(4)));
            }
            assertThat(gate.inUse()).isLessThanOrEqualTo(limit + 1);
        }
        while (!live.isEmpty()) {
            live.removeIf(GateSimulationTest::finish);
            timer.advance(Duration.ofSeconds(1));
        }
        assertThat(cancelled).allMatch(Receiver::empty);
        assertThat(gate.inUse()).isZero();
        assertThat(gate.waiting()).isZero();
        assertThat(timer.running()).isZero();
    }

    private static Receiver<Permit> acquire(Gate gate, ManualTimer timer, Random random) {
        Receiver<Permit> receiver = new Receiver<>();
        PermitPriority priority = random.nextInt(5) == 0 ? PermitPriority.SETTLE : PermitPriority.NORMAL;
        gate.acquire(priority, Deadline.in(Duration.ofSeconds(random.nextInt(10)), timer), timer)
                .subscribe(receiver);
        return receiver.request();
    }

    /** Releases what was granted; false while the receiver still waits. */
    private static boolean finish(Receiver<Permit> receiver) {
        if (receiver.empty()) {
            return false;
        }
        if (receiver.failed()) {
            assertThat(receiver.error()).isInstanceOf(GateTimeoutException.class);
        } else {
            receiver.value().release();
        }
        return true;
    }
}
