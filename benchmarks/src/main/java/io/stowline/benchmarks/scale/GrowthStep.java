package io.stowline.benchmarks.scale;

import io.stowline.benchmarks.scale.model.AccountRun;
import io.stowline.benchmarks.scale.model.AccountWorkload;
import io.stowline.benchmarks.scale.model.ComparedPolicy;
import io.stowline.benchmarks.scale.model.RunFigures;
import io.stowline.benchmarks.scale.model.ServiceCapacity;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * One step of the growth from one account to many, with tenants of unequal load that rendezvous hashing places.
 *
 * @param accounts the number of accounts
 * @param tenants the number of tenants, which grows with the accounts
 * @param movedShare the share of the tenants that the new accounts take from the accounts of the step before
 * @param idealShare the share that the new accounts are of all
 * @param fullest the load of the fullest account, as a share of its target
 * @param goodput the entities that succeeded in a second, in all accounts
 * @param throttledShare the refused requests as a share of those sent
 * @param tailMillis the latency that one success of a hundred exceeds
 */
record GrowthStep(
        int accounts,
        int tenants,
        double movedShare,
        double idealShare,
        double fullest,
        double goodput,
        double throttledShare,
        double tailMillis) {

    private static final long SEED = 47;
    private static final int TENANTS_OF_AN_ACCOUNT = 100;
    private static final double MEAN_LOAD = 0.6;
    private static final int CLIENTS = 40;
    private static final int PARTITIONS = 64;
    private static final int SERVERS = 8;
    private static final int TRANSACTION = 100;
    private static final int SECONDS = 60;
    private static final int WARM_UP = 20;

    /** Grows by these numbers of accounts. */
    static List<GrowthStep> of(ServiceCapacity capacity, int... sizes) {
        List<GrowthStep> steps = new ArrayList<>();
        int before = sizes[0];
        for (int accounts : sizes) {
            steps.add(step(capacity, before, accounts));
            before = accounts;
        }
        return steps;
    }

    private static GrowthStep step(ServiceCapacity capacity, int before, int accounts) {
        int tenants = TENANTS_OF_AN_ACCOUNT * accounts;
        double[] weights = weights(tenants);
        double mean = IntStream.range(0, tenants)
                .mapToDouble(i -> weights[i])
                .average()
                .orElse(1);
        double unit = MEAN_LOAD * capacity.account() / TENANTS_OF_AN_ACCOUNT / mean;
        double[] loads = new double[accounts];
        int moved = 0;
        for (int i = 0; i < tenants; i++) {
            int place = place(i, accounts);
            loads[place] += weights[i] * unit;
            moved += place == place(i, before) ? 0 : 1;
        }
        RunFigures figures = run(capacity, loads);
        return new GrowthStep(
                accounts,
                tenants,
                (double) moved / tenants,
                1 - (double) before / accounts,
                IntStream.range(0, accounts).mapToDouble(i -> loads[i]).max().orElse(0) / capacity.account(),
                figures.goodput() * TRANSACTION,
                figures.throttledShare(),
                figures.latencyMillis(0.99));
    }

    private static RunFigures run(ServiceCapacity capacity, double[] loads) {
        List<AccountWorkload> works = IntStream.range(0, loads.length)
                .mapToObj(i -> new AccountWorkload(
                        CLIENTS, PARTITIONS, SERVERS, TRANSACTION, second -> loads[i], 0, null, SECONDS, WARM_UP))
                .toList();
        List<RunFigures> each = IntStream.range(0, loads.length)
                .parallel()
                .mapToObj(i -> new AccountRun(capacity, ComparedPolicy.STOWLINE, works.get(i), SEED, i)
                        .run()
                        .figures())
                .toList();
        RunFigures sum = works.get(0).figures(loads.length);
        for (int i = 0; i < loads.length; i++) {
            sum.add(each.get(i), i * CLIENTS);
        }
        return sum;
    }

    /** Log-normal, so that a few tenants are many times as busy as most. */
    private static double[] weights(int tenants) {
        Random random = new Random(SEED);
        return IntStream.range(0, tenants)
                .mapToDouble(i -> StrictMath.exp(random.nextGaussian()))
                .toArray();
    }

    /** Returns the account with the highest hash of tenant and account. */
    private static int place(int tenant, int accounts) {
        int best = 0;
        long highest = Long.MIN_VALUE;
        for (int i = 0; i < accounts; i++) {
            long hash = mixed(mixed(tenant + 1L) + i);
            if (hash > highest) {
                highest = hash;
                best = i;
            }
        }
        return best;
    }

    /** The finalizer of SplitMix64. */
    private static long mixed(long value) {
        long mixed = value * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
