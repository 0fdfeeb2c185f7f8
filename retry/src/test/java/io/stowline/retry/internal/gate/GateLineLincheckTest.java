package io.stowline.retry.internal.gate;

import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.Gate.PermitRegistration;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Param;
import org.jetbrains.kotlinx.lincheck.annotations.Validate;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.paramgen.ThreadIdGen;
import org.jetbrains.kotlinx.lincheck.strategy.managed.modelchecking.ModelCheckingOptions;
import org.jetbrains.kotlinx.lincheck.strategy.stress.StressOptions;
import org.jetbrains.kotlinx.lincheck.verifier.EpsilonVerifier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** P4: requests, releases and cancels in every order that is tried: no wake-up is lost, and no permit. */
@Param(name = "thread", gen = ThreadIdGen.class)
@EnabledForJreRange(max = JRE.JAVA_22, disabledReason = "Lincheck 2.39 reads no newer class files")
@SuppressWarnings({"exports", "missing-explicit-ctor"}) // Lincheck wants a public class, and the module exports no test
public class GateLineLincheckTest {

    /** The factor of an exploring run. */
    private static final int DEPTH = Integer.getInteger("stowline.explore", 1);

    private final Gate gate = Gate.fixed(1);
    private final ConcurrentLinkedQueue<Permit> held = new ConcurrentLinkedQueue<>();
    private final AtomicInteger ordinary = new AtomicInteger();
    private final AtomicInteger requested = new AtomicInteger();
    private final AtomicInteger granted = new AtomicInteger();
    private final AtomicInteger left = new AtomicInteger();
    private final @Nullable PermitRegistration[] places = new PermitRegistration[8];

    @Operation
    public void request(@Param(name = "thread") int thread) {
        requested.incrementAndGet();
        places[thread] = gate.request(PermitPriority.NORMAL, permit -> {
            check(ordinary.incrementAndGet() <= 1, "two ordinary permits at once");
            granted.incrementAndGet();
            held.add(permit);
        });
    }

    @Operation
    public void settle(@Param(name = "thread") int thread) {
        requested.incrementAndGet();
        places[thread] = gate.request(PermitPriority.SETTLE, permit -> {
            granted.incrementAndGet();
            held.add(permit);
        });
    }

    @Operation
    public void release() {
        Permit permit = held.poll();
        if (permit != null) {
            give(permit);
        }
    }

    @Operation
    public void cancel(@Param(name = "thread") int thread) {
        PermitRegistration place = places[thread];
        if (place != null && place.cancel()) {
            left.incrementAndGet();
        }
    }

    /** Waiters are let in as permits come back, until none is left. */
    @Validate
    public void allComeBack() {
        for (Permit permit = held.poll(); permit != null; permit = held.poll()) {
            give(permit);
        }
        check(gate.waiting() == 0, gate.waiting() + " still wait");
        check(gate.inUse() == 0, gate.inUse() + " permits are lost");
        check(
                granted.get() + left.get() == requested.get(),
                "granted " + granted + ", left " + left + ", asked " + requested);
    }

    private void give(Permit permit) {
        if (!permit.settling()) {
            ordinary.decrementAndGet();
        }
        permit.release();
    }

    private static void check(boolean holds, String broken) {
        if (!holds) {
            throw new IllegalStateException(broken);
        }
    }

    private static ExecutionScenario race(Actor one, Actor other, Actor... before) {
        return new ExecutionScenario(List.of(before), List.of(List.of(one), List.of(other)), List.of(), null);
    }

    private static Actor actor(String operation, Object... arguments) {
        Method method = Stream.of(GateLineLincheckTest.class.getMethods())
                .filter(each -> each.getName().equals(operation))
                .findFirst()
                .orElseThrow();
        return new Actor(method, List.of(arguments));
    }

    @Tag("nightly")
    @Test
    @DisplayName("PERMIT-4, PERMIT-5: no permit and no waiting request is lost, explored")
    void explored() {
        LinChecker.check(
                getClass(),
                new ModelCheckingOptions()
                        .threads(2)
                        .actorsPerThread(1)
                        .actorsBefore(2)
                        .actorsAfter(0)
                        .addCustomScenario(race(actor("request", 1), actor("release"), actor("request", 0)))
                        .addCustomScenario(
                                race(actor("cancel", 0), actor("release"), actor("request", 0), actor("request", 0)))
                        .iterations(Math.max(1, 4 * (DEPTH - 1)))
                        .invocationsPerIteration(100 * DEPTH)
                        .verifier(EpsilonVerifier.class));
    }

    @Test
    @DisplayName("PERMIT-4, PERMIT-5: no permit and no waiting request is lost, under stress")
    void stressed() {
        LinChecker.check(
                getClass(),
                new StressOptions()
                        .threads(3)
                        .actorsPerThread(3)
                        .iterations(10)
                        .invocationsPerIteration(200)
                        .verifier(EpsilonVerifier.class));
    }
}
