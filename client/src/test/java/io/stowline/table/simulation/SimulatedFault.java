package io.stowline.table.simulation;

import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A fault of one request. */
enum SimulatedFault {
    NONE(Effect.NOW, Ending.RESPONSE, null),
    SLOW(Effect.NOW, Ending.RESPONSE, null),
    SLOW_RESPONSE(Effect.NOW, Ending.RESPONSE, null),
    NO_CONNECTION(Effect.NEVER, Ending.RESET, null),
    CUT_UPLOAD(Effect.NEVER, Ending.RESET, null),
    LOST_BEFORE(Effect.NEVER, Ending.RESET, null),
    LOST_AFTER(Effect.NOW, Ending.RESET, null),
    LATE(Effect.LATE, Ending.RESET, null),
    SILENT_BEFORE(Effect.NEVER, Ending.SILENCE, null),
    SILENT_AFTER(Effect.NOW, Ending.SILENCE, null),
    LATE_AND_SILENT(Effect.LATE, Ending.SILENCE, null),
    BUSY(Effect.NEVER, Ending.REFUSAL, Refusal.BUSY),
    TOO_MANY(Effect.NEVER, Ending.REFUSAL, Refusal.TOO_MANY),
    BUSY_INSIDE(Effect.NEVER, Ending.REFUSAL_INSIDE, Refusal.BUSY),
    TIMED_OUT(Effect.NEVER, Ending.REFUSAL, Refusal.TIMED_OUT),
    TIMED_OUT_AFTER(Effect.NOW, Ending.REFUSAL, Refusal.TIMED_OUT),
    TIMED_OUT_LATE(Effect.LATE, Ending.REFUSAL, Refusal.TIMED_OUT),
    TIMED_OUT_INSIDE(Effect.NOW, Ending.REFUSAL_INSIDE, Refusal.TIMED_OUT),
    INTERNAL(Effect.NEVER, Ending.REFUSAL, Refusal.INTERNAL),
    INTERNAL_AFTER(Effect.NOW, Ending.REFUSAL, Refusal.INTERNAL),
    GATEWAY(Effect.LATE, Ending.REFUSAL, Refusal.GATEWAY),
    REQUEST_TIMEOUT(Effect.NEVER, Ending.REFUSAL, Refusal.REQUEST_TIMEOUT),
    MISSING_PART(Effect.NOW, Ending.MANGLED, null),
    EXTRA_PART(Effect.NOW, Ending.MANGLED, null),
    CUT_RESPONSE(Effect.NOW, Ending.MANGLED, null),
    GARBAGE(Effect.NOW, Ending.MANGLED, null);

    /** The time of its effect. */
    enum Effect {
        NOW,
        LATE,
        NEVER
    }

    /** The response that its client gets. */
    enum Ending {
        RESPONSE,
        RESET,
        SILENCE,
        REFUSAL,
        REFUSAL_INSIDE,
        MANGLED
    }

    private static final List<SimulatedFault> ALL = List.of(values()).subList(1, values().length);
    private static final List<SimulatedFault> OF_READS =
            List.of(SLOW, NO_CONNECTION, LOST_BEFORE, SILENT_BEFORE, BUSY, INTERNAL);

    /** Faults that leave most outcomes to be found afterwards. */
    private static final List<SimulatedFault> LOSSES =
            List.of(CUT_UPLOAD, LOST_BEFORE, LATE, LATE, LATE_AND_SILENT, TIMED_OUT_LATE, GATEWAY);

    final Effect effect;
    final Ending ending;
    final @Nullable Refusal refusal;

    SimulatedFault(Effect effect, Ending ending, @Nullable Refusal refusal) {
        this.effect = effect;
        this.ending = ending;
        this.refusal = refusal;
    }

    static SimulatedFault draw(Random random, SimulationScenario scenario, boolean read) {
        if (random.nextDouble() >= (read && scenario.lossy() ? 0.1 : scenario.faults())) {
            return NONE;
        }
        List<SimulatedFault> all = read ? OF_READS : scenario.lossy() ? LOSSES : ALL;
        return all.get(random.nextInt(all.size()));
    }

    /** Returns whether its client cannot know its outcome, given an attempt that was written. */
    boolean losesTheResponse() {
        return ending == Ending.RESET
                || ending == Ending.SILENCE
                || (refusal != null && refusal != Refusal.BUSY && refusal != Refusal.TOO_MANY);
    }

    boolean mayLoseTheResponse() {
        return losesTheResponse() || ending == Ending.MANGLED;
    }
}
