package io.stowline.benchmarks.scale;

import io.stowline.benchmarks.scale.ScaleResult.ResultPart;
import io.stowline.benchmarks.scale.ScaleScenario.RunSize;
import io.stowline.benchmarks.scale.model.AccountRun;
import io.stowline.benchmarks.scale.model.ComparedPolicy;
import io.stowline.benchmarks.scale.model.RunFigures;
import io.stowline.benchmarks.scale.model.ServiceCapacity;
import java.util.ArrayList;
import java.util.List;

/**
 * One policy in one scenario over all accounts.
 *
 * @param results the figures of each part
 * @param series the requests over time of a region with an outage
 */
record PolicyRun(List<ScaleResult> results, List<RequestSeries> series) {

    static PolicyRun of(ScaleScenario scenario, ComparedPolicy policy, RunSize size, ServiceCapacity capacity) {
        PolicyRun run = new PolicyRun(new ArrayList<>(), new ArrayList<>());
        AccountGroup group = AccountGroup.run(capacity, policy, scenario.work(size, capacity), scenario.accounts(size));
        RunFigures figures = group.figures(AccountRun::figures);
        ScaleResult result = ScaleResult.of(scenario, policy, ResultPart.ALL, group, figures);
        if (scenario.hasOutage()) {
            run.results().add(result.with(scenario.outage(size), group, figures));
            run.series().add(RequestSeries.of(scenario, policy, figures));
        } else {
            run.results().add(result);
        }
        if (group.work().hotRate() > 0) {
            run.results()
                    .add(ScaleResult.of(
                            scenario, policy, ResultPart.HOT, group, group.figures(AccountRun::hotFigures)));
        }
        return run;
    }
}
