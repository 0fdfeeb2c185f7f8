package io.stowline.benchmarks.scale.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;

/**
 * One account with its clients, from the first second to the last. Accounts share nothing, neither in the model nor in the library, so each
 * runs by itself. Used by one thread.
 */
public final class AccountRun {

    private static final long SEED_STEP = 0x9E3779B97F4A7C15L;

    private final EventClock clock = new EventClock();
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final SimulatedAccount account;
    private final AccountWorkload work;
    private final Random random;
    private final RunFigures all;
    private final RunFigures hot;

    /**
     * Prepares a run.
     *
     * @param number the number of the account, which the seed depends on
     */
    public AccountRun(ServiceCapacity capacity, ComparedPolicy policy, AccountWorkload work, long seed, int number) {
        this.work = work;
        this.random = new Random(seed + SEED_STEP * (number + 1));
        this.account = new SimulatedAccount(clock, capacity, work.partitions(), work.ranges(), work.outage());
        this.all = work.figures(1);
        this.hot = work.figures(1);
        for (int i = 0; i < work.clients(); i++) {
            ClientRates rates = new ClientRates(capacity, 1.0 / work.clients(), clock);
            clients.add(new SimulatedClient(clock, account, policy, random, i, rates));
        }
    }

    /** Runs to the end. */
    public AccountRun run() {
        int others = work.hotRate() > 0 ? 1 : 0;
        arrive(() -> work.rate().applyAsDouble(clock.seconds()), () -> {
            int partition = others + random.nextInt(work.partitions() - others);
            client().start(partition, work.entities(), all);
        });
        if (work.hotRate() > 0) {
            arrive(work::hotRate, () -> client().start(0, work.entities(), hot));
        }
        clock.runUntil(work.seconds());
        return this;
    }

    private void arrive(DoubleSupplier rate, Runnable start) {
        double gap = -StrictMath.log(1 - random.nextDouble()) * work.entities() / rate.getAsDouble();
        clock.at(clock.now() + EventClock.nanos(gap), () -> {
            start.run();
            arrive(rate, start);
        });
    }

    private SimulatedClient client() {
        return clients.get(random.nextInt(clients.size()));
    }

    /** Returns the figures of all operations, but for those of a hot partition. */
    public RunFigures figures() {
        return all;
    }

    /** Returns the figures of the hot partition. */
    public RunFigures hotFigures() {
        return hot;
    }

    /** Returns the account at the end. */
    public SimulatedAccount account() {
        return account;
    }
}
