package io.stowline.retry.internal.gate;

import io.stowline.retry.internal.gate.Gate.PermitPriority;
import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Param;
import org.jetbrains.kotlinx.lincheck.paramgen.ThreadIdGen;
import org.jetbrains.kotlinx.lincheck.strategy.stress.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** P4: what threads see of the permits is what they would see one after the other. */
@Param(name = "thread", gen = ThreadIdGen.class)
@EnabledForJreRange(max = JRE.JAVA_22, disabledReason = "Lincheck 2.39 reads no newer class files")
@SuppressWarnings({"exports", "missing-explicit-ctor"}) // Lincheck wants a public class, and the module exports no test
public class GateLincheckTest {

    private final Gate gate = Gate.fixed(1);
    private final @Nullable Permit[] held = new Permit[8];

    @Operation
    public boolean tryAcquire(@Param(name = "thread") int thread) {
        if (held[thread] != null) {
            return false;
        }
        held[thread] = gate.tryAcquire(PermitPriority.NORMAL);
        return held[thread] != null;
    }

    @Operation
    public boolean trySettle(@Param(name = "thread") int thread) {
        if (held[thread] != null) {
            return false;
        }
        held[thread] = gate.tryAcquire(PermitPriority.SETTLE);
        return held[thread] != null;
    }

    @Operation
    public boolean release(@Param(name = "thread") int thread) {
        Permit permit = held[thread];
        if (permit == null) {
            return false;
        }
        permit.release();
        held[thread] = null;
        return true;
    }

    @Operation
    public int inUse() {
        return gate.inUse();
    }

    @Test
    @DisplayName("PERMIT-4, PERMIT-5: permits are linearizable, under stress")
    void stressed() {
        LinChecker.check(
                getClass(),
                new StressOptions().threads(3).actorsPerThread(3).iterations(20).invocationsPerIteration(200));
    }
}
