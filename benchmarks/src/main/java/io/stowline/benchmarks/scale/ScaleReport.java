package io.stowline.benchmarks.scale;

import io.stowline.benchmarks.scale.ScaleResults.ClientCount;
import io.stowline.benchmarks.scale.ScaleResults.RefusalCost;
import io.stowline.benchmarks.scale.ScaleScenario.RunSize;
import io.stowline.benchmarks.scale.model.AccountRun;
import io.stowline.benchmarks.scale.model.AccountWorkload;
import io.stowline.benchmarks.scale.model.ComparedPolicy;
import io.stowline.benchmarks.scale.model.RunFigures;
import io.stowline.benchmarks.scale.model.ServiceCapacity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The program of the simulator. {@code run} simulates all scenarios, some minutes on two cores, and writes the results; {@code draw} makes
 * the tables and the pictures from them. Both take the root folder of the project.
 */
public final class ScaleReport {

    private static final Path RESULTS = Path.of("benchmarks", "scale");
    private static final Path PAGE = Path.of("benchmarks", "SCALE.md");
    private static final Path IMAGES = Path.of("docs", "images");
    private static final double[] REFUSAL_SHARES = {0, 0.01, 0.05};
    private static final int ACCOUNTS_OF_A_VARIANT = 1;
    private static final int AFTER_OUTAGE = 120;
    private static final int[] CLIENTS = {5, 10, 20, 40, 80, 160};
    private static final int[] GROWTH = {1, 2, 5, 10, 25, 50, 100};
    private static final Set<ComparedPolicy> OF_VARIANTS = EnumSet.of(
            ComparedPolicy.FIXED,
            ComparedPolicy.EXPONENTIAL_JITTER,
            ComparedPolicy.SDK_TABLES,
            ComparedPolicy.STOWLINE,
            ComparedPolicy.STOWLINE_RATED);

    private static final Set<ComparedPolicy> OF_CLIENTS =
            EnumSet.of(ComparedPolicy.SDK_TABLES, ComparedPolicy.STOWLINE, ComparedPolicy.STOWLINE_RATED);

    private ScaleReport() {}

    /**
     * Runs the program.
     *
     * @param args {@code run} or {@code draw}, and the root folder
     * @throws IOException if a file cannot be read or written
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 2 || !(args[0].equals("run") || args[0].equals("draw"))) {
            throw new IllegalArgumentException("usage: ScaleReport run|draw FOLDER, but was " + List.of(args));
        }
        Path root = Path.of(args[1]);
        if (args[0].equals("run")) {
            results(RunSize.FULL).write(root.resolve(RESULTS));
        }
        draw(root);
    }

    private static void draw(Path root) throws IOException {
        ScaleResults results = ScaleResults.read(root.resolve(RESULTS));
        Files.writeString(root.resolve(PAGE), ScaleTables.page(results));
        for (ScaleScenario scenario : List.of(ScaleScenario.FAILING_OUTAGE, ScaleScenario.SILENT_OUTAGE)) {
            Files.writeString(root.resolve(picture(scenario)), StormChart.of(scenario, results));
        }
    }

    /** Returns the place of an outage's picture in the project. */
    static Path picture(ScaleScenario scenario) {
        return IMAGES.resolve(scenario == ScaleScenario.FAILING_OUTAGE ? "storm-failing.svg" : "storm-silent.svg");
    }

    /** Simulates everything that belongs to this size. */
    static ScaleResults results(RunSize size) {
        ScaleResults results = new ScaleResults(
                new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        ServiceCapacity capacity = ServiceCapacity.standard();
        for (ScaleScenario scenario : ScaleScenario.of(size)) {
            for (ComparedPolicy policy : scenario.policies()) {
                PolicyRun run = PolicyRun.of(scenario, policy, size, capacity);
                results.figures().addAll(run.results());
                results.series().addAll(run.series());
                System.err.println(scenario + " " + policy);
            }
        }
        results.growth().addAll(GrowthStep.of(capacity, size == RunSize.FULL ? GROWTH : new int[] {1, 2}));
        if (size == RunSize.FULL) {
            addVariants(results);
        }
        return results;
    }

    private static void addVariants(ScaleResults results) {
        for (ComparedPolicy policy : OF_VARIANTS) {
            for (double share : REFUSAL_SHARES) {
                results.refusals().add(withRefusals(policy, share));
            }
        }
        for (ComparedPolicy policy : OF_CLIENTS) {
            for (int clients : CLIENTS) {
                results.clients().add(overload(policy, ServiceCapacity.standard(), clients));
            }
        }
    }

    private static RefusalCost withRefusals(ComparedPolicy policy, double share) {
        ServiceCapacity capacity = ServiceCapacity.standard().withRefusalShare(share);
        ScaleScenario scenario = ScaleScenario.FAILING_OUTAGE;
        return new RefusalCost(
                policy,
                share,
                overload(policy, capacity, ScaleScenario.CLIENTS).goodput(),
                figures(policy, capacity, scenario.work(RunSize.FULL, capacity))
                        .goodputAfter(scenario.outage(RunSize.FULL), AFTER_OUTAGE));
    }

    private static ClientCount overload(ComparedPolicy policy, ServiceCapacity capacity, int clients) {
        AccountWorkload work = ScaleScenario.OVERLOAD.work(RunSize.FULL, capacity, clients);
        RunFigures figures = figures(policy, capacity, work);
        double target = (double) ACCOUNTS_OF_A_VARIANT * capacity.account() / work.entities();
        return new ClientCount(policy, clients, figures.goodput() / target, figures.throttledShare());
    }

    private static RunFigures figures(ComparedPolicy policy, ServiceCapacity capacity, AccountWorkload work) {
        return AccountGroup.run(capacity, policy, work, ACCOUNTS_OF_A_VARIANT).figures(AccountRun::figures);
    }
}
