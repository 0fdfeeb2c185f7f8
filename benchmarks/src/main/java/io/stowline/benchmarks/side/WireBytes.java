package io.stowline.benchmarks.side;

import io.stowline.benchmarks.side.report.Contender;
import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Task;
import io.stowline.testkit.FaultProxy;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What scans bring over the wire for each entity, heads included: one scan of each contender through a proxy that counts. It is the same
 * on every machine.
 *
 * @param account where the tables are
 */
record WireBytes(Account account) {

    private static final List<Scenario> SCANS = List.of(Scenario.SCAN, Scenario.PROJECTED);

    /** A table in Markdown; empty if none of these is a scan. */
    String of(Set<Scenario> scenarios) throws Exception {
        if (SCANS.stream().noneMatch(scenarios::contains)) {
            return "";
        }
        StringBuilder out = new StringBuilder(
                "\n| bytes on the wire per entity | the SDK | Stowline | Stowline : the SDK |\n|---|---:|---:|---:|\n");
        try (FaultProxy proxy = FaultProxy.builder()
                        .inFrontOf(URI.create(account.endpoint()))
                        .recordedExchanges(1)
                        .start();
                Workloads counted = new Workloads(
                        new Account(proxy.endpoint().toString(), account.name(), account.key()), null, 0)) {
            for (Scenario scenario : SCANS) {
                if (scenarios.contains(scenario)) {
                    out.append(row(scenario, counted.of(scenario), proxy));
                }
            }
        }
        return out.toString();
    }

    private static String row(Scenario scenario, Map<Contender, Task> tasks, FaultProxy proxy) throws Exception {
        double peer = perEntity(task(tasks, Contender.PEER), proxy);
        double stowline = perEntity(task(tasks, Contender.STOWLINE), proxy);
        return String.format(
                Locale.ROOT, "| %s | %,.0f | %,.0f | %.3f |%n", scenario.title(), peer, stowline, stowline / peer);
    }

    private static Task task(Map<Contender, Task> tasks, Contender contender) {
        return Objects.requireNonNull(tasks.get(contender), contender.title());
    }

    private static double perEntity(Task scan, FaultProxy proxy) throws Exception {
        proxy.clear();
        Task.Done done = scan.run(0);
        return (double) proxy.traffic().bytesOut() / done.items();
    }
}
