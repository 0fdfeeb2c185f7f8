package io.stowline.benchmarks.start;

import io.stowline.benchmarks.side.StubProcess;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.start.StartContender.LoadedClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * A program that prints what the first insert of a fresh process costs: by Stowline, by the Azure SDK, and a bare JVM that inserts nothing. The
 * processes start one after the other, in alternation, against a stub server. {@code -Drounds=15} sets how often, {@code -Dflags} gives all of them
 * flags, {@code -Darchive=true} measures both clients with an archive of classes, too, and {@code -Dpackages=true} lists the loaded classes by package.
 */
public final class StartCost {

    private static final int ROUNDS = Integer.getInteger("rounds", 15);
    /** Files of libraries come into the cache of the system, and the stub server's code gets compiled. */
    private static final int WARM_UPS = 2;

    private StartCost() {}

    /**
     * Measures.
     *
     * @param args further class paths of Stowline, each as {@code title=path}: such as the one of an earlier version
     * @throws Exception if a process does not start, or cannot insert
     */
    public static void main(String[] args) throws Exception {
        Path archives = Files.createTempDirectory("stowline-archives");
        try (StubProcess stub = StubProcess.start(0, 0)) {
            Account account = stub.account();
            Map<StartContender, List<StartFigures>> figures = new LinkedHashMap<>();
            for (StartContender contender : contenders(args, account, archives)) {
                figures.put(contender, new ArrayList<>());
            }
            for (int round = -WARM_UPS; round < ROUNDS; round++) {
                for (Map.Entry<StartContender, List<StartFigures>> each : figures.entrySet()) {
                    StartFigures figure = each.getKey().start(account);
                    if (round >= 0) {
                        each.getValue().add(figure);
                    }
                }
            }
            print(figures, account);
        } finally {
            try (var files = Files.walk(archives)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private static List<StartContender> contenders(String[] args, Account account, Path archives)
            throws IOException, InterruptedException {
        String flags = System.getProperty("flags", "");
        String[] words = flags.isEmpty() ? new String[0] : flags.split(" ");
        StartContender sdk = StartContender.of("the SDK", FirstInsert.SDK, words);
        StartContender stowline = StartContender.of("Stowline", FirstInsert.STOWLINE, words);
        List<StartContender> contenders = new ArrayList<>(List.of(sdk, stowline));
        for (String arg : args) {
            int sign = arg.indexOf('=');
            if (sign < 1) {
                throw new IllegalArgumentException("a class path is given as TITLE=PATH, and not as " + arg);
            }
            contenders.add(new StartContender(
                    arg.substring(0, sign),
                    FirstInsert.STOWLINE,
                    List.of(words),
                    StartContender.asApplicationsHaveIt(arg.substring(sign + 1))));
        }
        if (Boolean.getBoolean("archive")) {
            contenders.add(sdk.archived(account, archives.resolve("sdk.jsa")));
            contenders.add(stowline.archived(account, archives.resolve("stowline.jsa")));
        }
        contenders.add(StartContender.of("a bare JVM", FirstInsert.BARE, words));
        return contenders;
    }

    private static void print(Map<StartContender, List<StartFigures>> figures, Account account)
            throws IOException, InterruptedException {
        double sdk = median(figures.values().iterator().next(), StartFigures::cpuMillis);
        System.out.println(
                "| first insert | CPU ms | : the SDK | wall ms | peak MiB | classes | not in an archive | generated |");
        System.out.println("|---|---:|---:|---:|---:|---:|---:|---:|");
        for (Map.Entry<StartContender, List<StartFigures>> each : figures.entrySet()) {
            List<StartFigures> rounds = each.getValue();
            List<LoadedClass> classes = each.getKey().classes(account);
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %.2f | %s | %s | %,d | %,d | %,d |%n",
                    each.getKey().title(),
                    column(rounds, StartFigures::cpuMillis),
                    median(rounds, StartFigures::cpuMillis) / sdk,
                    column(rounds, StartFigures::wallMillis),
                    column(rounds, figure -> figure.peakKilobytes() / 1024),
                    classes.size(),
                    classes.stream().filter(loaded -> !loaded.isShared()).count(),
                    classes.stream().filter(LoadedClass::isGenerated).count());
            if (Boolean.getBoolean("packages")) {
                printPackages(classes);
            }
        }
    }

    private static void printPackages(List<LoadedClass> classes) {
        Map<String, Long> counts = classes.stream()
                .filter(loaded -> !loaded.isShared())
                .collect(Collectors.groupingBy(
                        loaded -> loaded.name()
                                .substring(0, Math.max(0, loaded.name().lastIndexOf('.'))),
                        Collectors.counting()));
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(60)
                .forEach(each -> System.err.printf("%6d %s%n", each.getValue(), each.getKey()));
    }

    private static String column(List<StartFigures> rounds, ToDoubleFunction<StartFigures> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
        return String.format(
                Locale.ROOT, "%.0f (%.0f–%.0f)", median(rounds, figure), sorted[0], sorted[sorted.length - 1]);
    }

    /** Returns the median; of an even number the mean of the middle two. */
    static double median(List<StartFigures> rounds, ToDoubleFunction<StartFigures> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
