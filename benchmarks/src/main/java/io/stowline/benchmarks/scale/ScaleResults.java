package io.stowline.benchmarks.scale;

import io.stowline.benchmarks.scale.ScaleResult.ResultPart;
import io.stowline.benchmarks.scale.model.ComparedPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The results of the simulator as text files, from which tables and pictures are made.
 *
 * @param figures the figures of each policy in each scenario
 * @param series the requests over time in outages
 * @param growth the steps of the growth
 * @param refusals the goodput by the cost of a refusal
 * @param clients the figures at 150 % of the target by the number of clients
 */
record ScaleResults(
        List<ScaleResult> figures,
        List<RequestSeries> series,
        List<GrowthStep> growth,
        List<RefusalCost> refusals,
        List<ClientCount> clients) {

    private static final String FIGURES = "figures.csv";
    private static final String SERIES = "series.csv";
    private static final String GROWTH = "growth.csv";
    private static final String REFUSALS = "refusals.csv";
    private static final String CLIENTS = "clients.csv";

    /**
     * The figures of one policy with another cost of refusals.
     *
     * @param share the cost, as a share of a request's work
     * @param goodput the goodput at 150 % of the target, as a share of the target
     * @param afterOutage the goodput of the first two minutes after an outage with 500, as a share of that before it
     */
    record RefusalCost(ComparedPolicy policy, double share, double goodput, double afterOutage) {}

    /**
     * The figures of one policy at 150 % of the target with a number of clients, which share the load.
     *
     * @param goodput the goodput as a share of the target
     * @param throttledShare the refused requests as a share of those sent
     */
    record ClientCount(ComparedPolicy policy, int clients, double goodput, double throttledShare) {}

    static ScaleResults read(Path folder) throws IOException {
        return new ScaleResults(
                rows(folder, FIGURES).map(ScaleResults::figure).toList(),
                rows(folder, SERIES).map(ScaleResults::series).toList(),
                rows(folder, GROWTH).map(ScaleResults::growth).toList(),
                rows(folder, REFUSALS).map(ScaleResults::refusal).toList(),
                rows(folder, CLIENTS).map(ScaleResults::clients).toList());
    }

    private static Stream<String[]> rows(Path folder, String name) throws IOException {
        return Files.readAllLines(folder.resolve(name)).stream().skip(1).map(line -> line.split(",", -1));
    }

    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(
                folder.resolve(FIGURES),
                text(
                        "scenario,policy,part,goodput,throttled,amplification,failed,fairness,p50ms,p99ms,"
                                + "recoverySeconds,peakDuring,peakAfter,servers",
                        figures.stream().map(ScaleResults::line)));
        Files.writeString(
                folder.resolve(SERIES),
                text("scenario,policy,interval,sent,done", series.stream().map(ScaleResults::line)));
        Files.writeString(
                folder.resolve(GROWTH),
                text(
                        "accounts,tenants,moved,ideal,fullest,goodput,throttled,p99ms",
                        growth.stream().map(ScaleResults::line)));
        Files.writeString(
                folder.resolve(REFUSALS),
                text("policy,share,goodput,afterOutage", refusals.stream().map(ScaleResults::line)));
        Files.writeString(
                folder.resolve(CLIENTS),
                text("policy,clients,goodput,throttled", clients.stream().map(ScaleResults::line)));
    }

    /** Returns all files as one text. */
    String digestible() {
        return Stream.of(
                        figures.stream().map(ScaleResults::line),
                        series.stream().map(ScaleResults::line),
                        growth.stream().map(ScaleResults::line),
                        refusals.stream().map(ScaleResults::line),
                        clients.stream().map(ScaleResults::line))
                .flatMap(lines -> lines)
                .collect(Collectors.joining("\n"));
    }

    /** Returns the figures of one part of a scenario. */
    Optional<ScaleResult> find(ScaleScenario scenario, ComparedPolicy policy, ResultPart part) {
        return figures.stream()
                .filter(each -> each.scenario() == scenario && each.policy() == policy && each.part() == part)
                .findFirst();
    }

    private static String text(String head, Stream<String> lines) {
        return Stream.concat(Stream.of(head), lines).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String line(Object... values) {
        return Arrays.stream(values)
                .map(value -> value instanceof Double number
                        ? String.format(Locale.ROOT, "%.5f", number)
                        : String.valueOf(value))
                .collect(Collectors.joining(","));
    }

    private static String line(ScaleResult it) {
        return line(
                it.scenario(),
                it.policy(),
                it.part(),
                it.goodput(),
                it.throttledShare(),
                it.amplification(),
                it.failedShare(),
                it.fairness(),
                it.medianMillis(),
                it.tailMillis(),
                it.recoverySeconds(),
                it.peakDuring(),
                it.peakAfter(),
                it.servers());
    }

    private static ScaleResult figure(String[] cells) {
        double[] numbers = Arrays.stream(cells, 3, cells.length)
                .mapToDouble(Double::parseDouble)
                .toArray();
        return new ScaleResult(
                ScaleScenario.valueOf(cells[0]),
                ComparedPolicy.valueOf(cells[1]),
                ResultPart.valueOf(cells[2]),
                numbers[0],
                numbers[1],
                numbers[2],
                numbers[3],
                numbers[4],
                numbers[5],
                numbers[6],
                (int) numbers[7],
                numbers[8],
                numbers[9],
                numbers[10]);
    }

    private static String line(RequestSeries it) {
        return line(it.scenario(), it.policy(), it.interval(), joined(it.sent()), joined(it.done()));
    }

    private static String joined(List<Long> counts) {
        return counts.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    private static RequestSeries series(String[] cells) {
        return new RequestSeries(
                ScaleScenario.valueOf(cells[0]),
                ComparedPolicy.valueOf(cells[1]),
                Integer.parseInt(cells[2]),
                counts(cells[3]),
                counts(cells[4]));
    }

    private static List<Long> counts(String joined) {
        return Stream.of(joined.split(" ", -1)).map(Long::valueOf).toList();
    }

    private static String line(GrowthStep it) {
        return line(
                it.accounts(),
                it.tenants(),
                it.movedShare(),
                it.idealShare(),
                it.fullest(),
                it.goodput(),
                it.throttledShare(),
                it.tailMillis());
    }

    private static GrowthStep growth(String[] cells) {
        double[] numbers = Arrays.stream(cells, 2, cells.length)
                .mapToDouble(Double::parseDouble)
                .toArray();
        return new GrowthStep(
                Integer.parseInt(cells[0]),
                Integer.parseInt(cells[1]),
                numbers[0],
                numbers[1],
                numbers[2],
                numbers[3],
                numbers[4],
                numbers[5]);
    }

    private static String line(RefusalCost it) {
        return line(it.policy(), it.share(), it.goodput(), it.afterOutage());
    }

    private static RefusalCost refusal(String[] cells) {
        return new RefusalCost(
                ComparedPolicy.valueOf(cells[0]),
                Double.parseDouble(cells[1]),
                Double.parseDouble(cells[2]),
                Double.parseDouble(cells[3]));
    }

    private static String line(ClientCount it) {
        return line(it.policy(), it.clients(), it.goodput(), it.throttledShare());
    }

    private static ClientCount clients(String[] cells) {
        return new ClientCount(
                ComparedPolicy.valueOf(cells[0]),
                Integer.parseInt(cells[1]),
                Double.parseDouble(cells[2]),
                Double.parseDouble(cells[3]));
    }
}
