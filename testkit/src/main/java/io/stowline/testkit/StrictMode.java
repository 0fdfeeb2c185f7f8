package io.stowline.testkit;

import io.stowline.testkit.internal.Stage;
import io.stowline.testkit.internal.strict.StrictStage;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import java.time.Clock;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * A mode that makes a {@link FaultProxy} refuse what the real services refuse and the emulator lets pass, with the status and the error code
 * of the service, before the emulator sees it.
 *
 * <pre>{@code
 * StrictMode strict = StrictMode.on();
 * try (Azurite azurite = Azurite.start();
 *         FaultProxy proxy = FaultProxy.builder().inFrontOf(azurite).strict(strict).start()) {
 *     connect(proxy.storage().connectionString());
 * }
 * if (!strict.refusals().isEmpty()) {
 *     throw new AssertionError(strict);
 * }
 * }</pre>
 *
 * <p>It understands endpoints with the account in the path, as emulators have them. Settings are immutable; refusals are counted
 * by each object that {@link #on()}, {@link #without} or {@link #clock} returns, on all proxies that it was given to. Safe for
 * use by several threads.
 */
public final class StrictMode {

    private final Set<StrictRule> exceptions;
    private final Clock clock;
    private final Map<StrictRule, Long> refusals = new EnumMap<>(StrictRule.class);

    private StrictMode(Set<StrictRule> exceptions, Clock clock) {
        this.exceptions = exceptions;
        this.clock = clock;
    }

    /**
     * Returns all rules, by the system's clock.
     *
     * @return strict mode without an exception
     */
    public static StrictMode on() {
        return new StrictMode(EnumSet.noneOf(StrictRule.class), Clock.systemUTC());
    }

    /**
     * Puts rules out of force.
     *
     * @param rules what is to pass, beside what passed before
     * @return strict mode without these rules, with nothing counted
     */
    public StrictMode without(StrictRule... rules) {
        Set<StrictRule> more = EnumSet.copyOf(exceptions);
        more.addAll(Arrays.asList(rules));
        return new StrictMode(more, clock);
    }

    /**
     * Sets the clock that the dates of requests are compared with, and that refusals are dated by.
     *
     * @param service the service's clock
     * @return strict mode by that clock, with nothing counted
     */
    public StrictMode clock(Clock service) {
        return new StrictMode(exceptions, service);
    }

    /**
     * Returns what was refused so far.
     *
     * @return how often each rule refused, without the rules that never did; a snapshot
     */
    public Map<StrictRule, Long> refusals() {
        synchronized (refusals) {
            return Collections.unmodifiableMap(new EnumMap<>(refusals));
        }
    }

    private void count(StrictRule rule) {
        synchronized (refusals) {
            refusals.merge(rule, 1L, Long::sum);
        }
    }

    Stage stage() {
        return new StrictStage(Rulebook.without(exceptions), clock, this::count);
    }

    /** Names the exceptions and what was refused. */
    @Override
    public String toString() {
        return "StrictMode[without=" + exceptions + ", refusals=" + refusals() + "]";
    }
}
