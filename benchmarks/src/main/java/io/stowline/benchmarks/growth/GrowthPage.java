package io.stowline.benchmarks.growth;

import io.stowline.benchmarks.side.report.Series;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of the growth charts in Markdown: the pictures, what they show and all figures. */
final class GrowthPage {

    private static final String INTRODUCTION = """
        # Growth

        What an item costs Stowline while an application grows: processor time, allocation and time for each partition, request in flight, \
        KiB of an entity, listed blob and consumed queue.

            benchmarks/run --growth

        It builds the benchmark, measures, and writes this page, its pictures and every round to `benchmarks/growth/rounds.csv`; it refuses a \
        machine that is not quiet. `--only partitions-in-turn,reads` measures some curves and keeps the others, `--rounds 5`, `--warm-ups 8` and \
        `--seconds 1` set the rounds, `--busy` measures all the same. The [conditions](PERFORMANCE.md#conditions) are those of the comparison: \
        a stub server on a core, the client on another one with 1 GB of heap, garbage collected between rounds. Each curve has a fresh \
        process and a fresh server. Its sizes take turns there until the compiler is quiet, and then for the rounds that count.

        In the pictures a stroke goes from the least to the most of the rounds, and sizes grow by factors. A figure begins at zero, unless its \
        ends are more than 12 times apart: then it grows by factors, too. In the tables stand medians, with the least and the most in parentheses.
        The present figures are of short rounds, 3 to 5 of 0.2 to 0.8 s, measured with `--busy` while no other work was started.
        """;

    private final GrowthResults results;

    private GrowthPage(GrowthResults results) {
        this.results = results;
    }

    static String of(GrowthResults results) {
        GrowthPage page = new GrowthPage(results);
        return Stream.concat(
                        Stream.of(INTRODUCTION), Arrays.stream(Growth.values()).map(page::section))
                .collect(Collectors.joining("\n"));
    }

    private String section(Growth growth) {
        String tables = GrowthCurve.of(growth).stream()
                .filter(curve -> !results.of(curve).isEmpty())
                .map(this::table)
                .collect(Collectors.joining("\n"));
        return String.join(
                "\n",
                "## " + growth.title(),
                "",
                "![" + growth.title() + ": lines over the number of " + growth.axis()
                        + "; the table below has the figures](charts/" + growth.picture() + ")",
                "",
                text(growth),
                "",
                tables);
    }

    private String table(GrowthCurve curve) {
        List<GrowthFigure> figures = GrowthFigure.of(curve.growth());
        StringBuilder table = new StringBuilder("| " + curve.growth().axis() + ", " + curve.title() + " |");
        figures.forEach(
                figure -> table.append(' ').append(figure.title(curve.growth())).append(" |"));
        table.append("\n|---:").append("|---:".repeat(figures.size())).append("|\n");
        for (Map.Entry<Integer, Series> row : results.of(curve).entrySet()) {
            table.append(String.format(Locale.ROOT, "| %,d |", row.getKey()));
            figures.forEach(figure ->
                    table.append(' ').append(cell(figure, row.getValue())).append(" |"));
            table.append('\n');
        }
        return table.toString();
    }

    private static String cell(GrowthFigure figure, Series series) {
        return String.format(
                Locale.ROOT,
                "%s (%s–%s)",
                number(figure.median(series)),
                number(figure.least(series)),
                number(figure.max(series)));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%,.0f", value);
    }

    private static String text(Growth growth) {
        return switch (growth) {
            case PARTITIONS -> """
                One thread hands entities of 1 KB to a `TableWriter` with default settings, 8 transactions in flight. With 100 entities in a row \
                of each partition the number of partitions costs nothing.

                With each entity of another partition than the one before, the figures stay flat up to 128 partitions and rise beyond. The reason is the \
                size of a transaction, which has entities of one partition: 10,000 entities wait at most, so that each of 1,000 partitions has 10 of them on \
                average, and the partition that has waited longest has 19. A request of 20 µs for 19 entities in place of 100 is the difference. A larger \
                `bufferItems` with a `linger` fills the transactions again, for memory: 100 entities for each of 1,000 partitions are 100 MB.\
                """;
            case IN_FLIGHT -> """
                `find` by a reactive table. More requests in flight share the wake-ups of the event loop and its system calls, so that each costs less. From \
                16 on little is left to share, and nothing grows.\
                """;
            case ENTITY_SIZE -> """
                Entities of texts of up to 64 KiB, 8 in flight, sizes by the service's count of two bytes for a character: its limit is 1 MiB. All figures \
                are for one of these KiB, which are 512 bytes on the wire. A request costs about 16 µs and 7 KB whatever its size, so that a KiB costs less and \
                less. What remains is a copy of 512 bytes for each KiB of a request, and the response and its texts for each of a read.\
                """;
            case LISTING -> """
                `container.stream(prefix)`, read to its end. A page has 5,000 blobs: below, the request is shared by fewer. From 100 to 1,000,000 blobs the memory \
                grows by 6 MiB, the pages that are read and fetched ahead.\
                """;
            case BUSY_QUEUES -> """
                12,800 messages in so many queues, each with its own consumer of 16 handlers that return at once; one client, 64 requests in flight. \
                A message costs the same in 200 queues as in one: its share of a receive, its handler and its delete.\
                """;
            case IDLE_QUEUES -> """
                Empty queues, each with its own consumer that polls every 40 to 50 ms, two hundred times as often as by default. There is no thread for a \
                queue. A poll that comes alone wakes the event loop for its own timer and its own response, from cold caches, and the JVM's own work \
                between two polls counts as theirs; of many queues a wake-up serves several polls. The memory is that of classes and the client; a \
                consumer adds about 3 KiB. The processor time of a process has steps of 10 ms, which are 556 µs for each poll of one queue.\
                """;
        };
    }
}
