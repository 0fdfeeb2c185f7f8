package io.stowline.benchmarks.side;

import io.stowline.benchmarks.side.report.Contender;
import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.BlobSizes;
import io.stowline.benchmarks.side.work.Task;
import io.stowline.testkit.FaultProxy;
import java.net.URI;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The bytes of scans on the wire for each entity, heads included: one scan of each contender through a proxy that counts. It is the same
 * on every machine.
 *
 * @param account where the tables are
 */
record WireBytes(Account account) {

    private static final Set<Scenario> SCANS = EnumSet.of(Scenario.SCAN, Scenario.PROJECTED);

    /** Returns the bytes per entity by contender; none if this is no scan. */
    Map<Contender, Double> of(Scenario scenario) throws Exception {
        Map<Contender, Double> bytes = new EnumMap<>(Contender.class);
        if (!SCANS.contains(scenario)) {
            return bytes;
        }
        try (FaultProxy proxy = FaultProxy.builder()
                        .inFrontOf(URI.create(account.endpoint()))
                        .recordedExchanges(1)
                        .start();
                Workloads counted = new Workloads(
                        new Account(proxy.endpoint().toString(), account.name(), account.key()),
                        null,
                        0,
                        BlobSizes.QUICK)) {
            for (Map.Entry<Contender, Task> task : counted.of(scenario).entrySet()) {
                bytes.put(task.getKey(), perEntity(task.getValue(), proxy));
            }
        }
        return bytes;
    }

    private static double perEntity(Task scan, FaultProxy proxy) throws Exception {
        proxy.clear();
        Task.Done done = scan.run(0);
        return (double) proxy.traffic().bytesOut() / done.items();
    }
}
