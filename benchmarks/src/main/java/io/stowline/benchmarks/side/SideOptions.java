package io.stowline.benchmarks.side;

import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.work.BlobSizes;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options of the command line.
 *
 * @param pace how often and how long
 * @param latency of the distant server in milliseconds
 * @param only the workloads
 * @param flags what is on
 * @param recording where to write a flight recording of a measured process, or {@code null} for none
 * @param out where to write table and charts, or {@code null} for standard output alone
 */
record SideOptions(
        Pace pace,
        int latency,
        Set<Scenario> only,
        Set<Flag> flags,
        @Nullable Path recording,
        @Nullable Path out) {

    private static final int EMULATOR_ROUNDS = 3;

    SideOptions {
        Pace.check("--latency", latency, 1);
        only = Set.copyOf(only);
        flags = Set.copyOf(flags);
    }

    /** An option that is off unless it is named. */
    enum Flag {
        /** Measures against the emulator in place of the stub. */
        AZURITE,
        /** Makes a missed gate an error. */
        GATE,
        /** Measures although other processes use the machine. */
        BUSY,
        /** Writes every round as JSON, too. */
        JSON,
        /** Moves little in each transfer. */
        QUICK;

        String argument() {
            return "--" + name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException naming what is not understood
     */
    static SideOptions of(String... args) {
        BenchmarkArguments left = new BenchmarkArguments(args);
        Set<Flag> flags = EnumSet.noneOf(Flag.class);
        Arrays.stream(Flag.values()).filter(flag -> left.flag(flag.argument())).forEach(flags::add);
        boolean azurite = flags.contains(Flag.AZURITE);
        SideOptions options = new SideOptions(
                left.pace(azurite ? EMULATOR_ROUNDS : 5, 2.5),
                left.value("--latency", 5, Integer::parseInt),
                left.value("--only", all(azurite), SideOptions::scenarios),
                flags,
                left.path("--recording"),
                left.path("--out"));
        left.end();
        return options;
    }

    /** The emulator has no latency to compare with, and other addresses for queues and blobs. */
    private static Set<Scenario> all(boolean azurite) {
        return Arrays.stream(Scenario.values())
                .filter(scenario -> !azurite
                        || (scenario.isOfTables() && !scenario.isOfWholeTables() && scenario != Scenario.DISTANT))
                .collect(Collectors.toSet());
    }

    private static Set<Scenario> scenarios(String names) {
        Set<Scenario> scenarios = EnumSet.noneOf(Scenario.class);
        Arrays.stream(names.split(",")).map(Scenario::named).forEach(scenarios::add);
        return scenarios;
    }

    /** Returns the sizes of the workloads of transfers. */
    BlobSizes sizes() {
        return has(Flag.QUICK) ? BlobSizes.QUICK : BlobSizes.FULL;
    }

    boolean has(Flag flag) {
        return flags.contains(flag);
    }

    /**
     * Returns the file of one workload. Among several, each has its name before the file's ending: {@code a.jfr}
     * becomes {@code a-upsert.jfr}.
     */
    @Nullable
    Path recording(Scenario scenario) {
        if (recording == null || only.size() == 1) {
            return recording;
        }
        String name = String.valueOf(recording.getFileName());
        int dot = name.lastIndexOf('.');
        int end = dot < 0 ? name.length() : dot;
        return recording.resolveSibling(name.substring(0, end) + "-" + scenario.id() + name.substring(end));
    }
}
