package io.stowline.benchmarks.scale;

import io.stowline.benchmarks.scale.model.AccountRun;
import io.stowline.benchmarks.scale.model.AccountWorkload;
import io.stowline.benchmarks.scale.model.ComparedPolicy;
import io.stowline.benchmarks.scale.model.RunFigures;
import io.stowline.benchmarks.scale.model.ServiceCapacity;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Accounts of one policy at the end of their runs. They run in parallel and are summed up in their order, so that a seed gives the same
 * figures whatever the number of threads.
 *
 * @param work the work of each account
 */
record AccountGroup(List<AccountRun> runs, AccountWorkload work, ServiceCapacity capacity) {

    private static final long SEED = 47;

    /** Runs so many accounts. */
    static AccountGroup run(ServiceCapacity capacity, ComparedPolicy policy, AccountWorkload work, int accounts) {
        List<AccountRun> runs = IntStream.range(0, accounts)
                .parallel()
                .mapToObj(number -> new AccountRun(capacity, policy, work, SEED, number).run())
                .toList();
        return new AccountGroup(runs, work, capacity);
    }

    /** Sums the figures up that a function chooses. */
    RunFigures figures(Function<AccountRun, RunFigures> chosen) {
        RunFigures sum = work.figures(runs.size());
        for (int i = 0; i < runs.size(); i++) {
            sum.add(chosen.apply(runs.get(i)), i * work.clients());
        }
        return sum;
    }

    /** Returns how many operations of this work in a second are one time the target of an account. */
    double operations() {
        return (double) runs.size() * capacity.account() / work.entities();
    }

    double servers() {
        return runs.stream().mapToInt(run -> run.account().ranges()).average().orElse(0);
    }
}
