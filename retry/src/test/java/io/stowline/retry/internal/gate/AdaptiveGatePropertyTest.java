package io.stowline.retry.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.ManualTimer;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.Gate.PermitRegistration;
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

class AdaptiveGatePropertyTest {

    private record Request(Object token, PermitPriority priority, PermitRegistration place) {}

    private final ManualTimer clock = new ManualTimer();
    private final List<Permit> held = new ArrayList<>();
    private final Deque<Object> settling = new ArrayDeque<>();
    private final Deque<Object> ordinary = new ArrayDeque<>();
    private final List<String> wrong = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private Gate gate;

    @Property(tries = 150)
    @Label("PERMIT-2, PERMIT-4, PERMIT-5: while the limit changes the line stays fair, nobody waits in vain, and all"
            + " permits come back")
    void lineBehavesWhileTheLimitChanges(@ForAll @IntRange(min = 1, max = 8) int start, @ForAll long seed) {
        gate = Gate.adaptive(
                ParallelismSettings.builder()
                        .start(start)
                        .max(16)
                        .window(Duration.ofMillis(10))
                        .build(),
                clock);
        Random random = new Random(seed);
        for (int step = 0; step < 600; step++) {
            act(random);
            checkInvariants();
        }
        while (!held.isEmpty()) {
            end(random, random.nextInt(3));
        }
        assertThat(gate.inUse()).isZero();
        assertThat(gate.waiting()).isZero();
        expectIdleAdmits();
    }

    /** All permits of the limit, and one settler beyond it. */
    private void expectIdleAdmits() {
        requests.clear();
        int limit = gate.limit();
        for (int i = 0; i < limit; i++) {
            Permit permit = gate.tryAcquire(PermitPriority.NORMAL);
            assertThat(permit)
                    .as("permit " + i + " of an idle gate with " + limit)
                    .isNotNull();
            held.add(permit);
        }
        assertThat(gate.tryAcquire(PermitPriority.NORMAL))
                .as("refused implies full")
                .isNull();
        Permit settler = gate.tryAcquire(PermitPriority.SETTLE);
        assertThat(settler).as("the reserved permit").isNotNull();
        assertThat(gate.tryAcquire(PermitPriority.SETTLE))
                .as("a second one of it")
                .isNull();
        settler.release();
        held.forEach(Permit::release);
        held.clear();
        assertThat(gate.inUse()).isZero();
    }

    private void act(Random random) {
        clock.advance(Duration.ofNanos(random.nextInt(2_000_000)));
        int choice = random.nextInt(20);
        if (choice < 9) {
            request(random.nextInt(6) == 0 ? PermitPriority.SETTLE : PermitPriority.NORMAL);
        } else if (choice < 19 && !held.isEmpty()) {
            end(random, random.nextInt(12));
        } else if (!requests.isEmpty()) {
            cancel(requests.remove(random.nextInt(requests.size())));
        }
    }

    private void request(PermitPriority priority) {
        Object token = new Object();
        line(priority).add(token);
        PermitRegistration place = gate.request(priority, permit -> {
            held.add(permit);
            check("its turn", line(priority).poll() == token);
            check("nobody settles", priority == PermitPriority.SETTLE || settling.isEmpty());
            check("within the limit", withinTheLimit(priority));
        });
        requests.add(new Request(token, priority, place));
    }

    /** A receiver's exception goes to the log only. */
    private void check(String what, boolean holds) {
        if (!holds) {
            wrong.add(what);
        }
    }

    /** Permits granted under a higher limit count, except that one of those that settle goes in beyond it. */
    private boolean withinTheLimit(PermitPriority priority) {
        long settlers = held.stream().filter(Permit::settling).count();
        return priority == PermitPriority.SETTLE
                // The newcomer is among those held: beyond the limit by one, or the only settler.
                ? held.size() <= gate.limit() + 1 || settlers == 1
                : held.size() <= gate.limit();
    }

    private void cancel(Request request) {
        if (request.place().cancel()) {
            line(request.priority()).remove(request.token());
        }
    }

    private void end(Random random, int way) {
        Permit permit = held.remove(random.nextInt(held.size()));
        switch (way) {
            case 0 -> permit.throttled();
            case 1 -> permit.release();
            default -> permit.responded("read");
        }
    }

    private void checkInvariants() {
        assertThat(wrong).isEmpty();
        assertThat(gate.limit()).isBetween(1, 16);
        assertThat(gate.inUse()).isEqualTo(held.size());
        assertThat(gate.waiting()).isEqualTo(settling.size() + ordinary.size());
        if (!settling.isEmpty()) {
            assertThat(gate.inUse()).isGreaterThan(gate.limit());
            assertThat(held).as("a settler waits for another one only").anyMatch(Permit::settling);
        }
        if (!ordinary.isEmpty()) {
            assertThat(gate.inUse()).isGreaterThanOrEqualTo(gate.limit());
        }
    }

    private Deque<Object> line(PermitPriority priority) {
        return priority == PermitPriority.SETTLE ? settling : ordinary;
    }
}
