package io.stowline.ring.internal.table;

import io.stowline.outcome.WriteResult;
import io.stowline.ring.RingWriter;
import io.stowline.ring.internal.place.AccountVerbs;
import io.stowline.ring.internal.place.AccountWork;
import io.stowline.ring.internal.place.PartitionRoutes;
import io.stowline.ring.internal.place.RingMember;
import io.stowline.ring.internal.place.RoutedTable;
import io.stowline.table.FlushReport;
import io.stowline.table.Submission;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import io.stowline.table.UncollectedFailuresException;
import io.stowline.table.WriterSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;

/** {@link RingWriter} over the writers of all accounts. */
final class DefaultRingWriter<T> extends RingVerbs<T, Submission<WriteResult>> implements RingWriter<T> {

    private final RoutedTable<T> table;
    private final PartitionRoutes<T> routes;
    private final RoutedLanes<T> lanes;
    private final Map<RingMember, TableWriter<T>> writers = new LinkedHashMap<>();
    private final Map<RingMember, AccountVerbs<T, Submission<WriteResult>>> targets = new LinkedHashMap<>();

    DefaultRingWriter(RoutedTable<T> table, PartitionRoutes<T> routes, UnaryOperator<WriterSettings.Builder> settings) {
        this.table = table;
        this.routes = routes;
        this.lanes = new RoutedLanes<>(
                routes, settings.apply(WriterSettings.builder()).build());
        try {
            for (RingMember member : table.ofRegion()) {
                TableWriter<T> writer = table.unchecked(member).writer(settings);
                writers.put(member, writer);
                targets.put(member, AccountVerbs.of(writer));
            }
            table.members().work().opened(this);
        } catch (RuntimeException e) {
            writers.values().forEach(TableWriter::close);
            throw e;
        }
    }

    @Override
    Submission<WriteResult> take(String partitionKey, TableOperation<T, ?> operation) {
        Optional<RingMember> home = routes.settled(partitionKey);
        if (home.isEmpty()) {
            return lanes.submit(partitionKey, operation);
        }
        RingMember member = table.members().checked(home.get());
        return member.call(() -> Objects.requireNonNull(targets.get(member)).take(operation));
    }

    @Override
    public FlushReport flush() {
        List<FlushReport> reports =
                new ArrayList<>(onEach(writer -> writer.reactive().flush()));
        reports.add(lanes.flush());
        return new FlushReport(sum(reports, FlushReport::completed), sum(reports, FlushReport::failed));
    }

    @Override
    public TableWriter.Stats stats() {
        List<TableWriter.Stats> all = Stream.concat(
                        writers.values().stream().map(TableWriter::stats), Stream.of(lanes.stats()))
                .toList();
        return new TableWriter.Stats(
                sum(all, TableWriter.Stats::operations),
                sum(all, TableWriter.Stats::requests),
                sum(all, TableWriter.Stats::retries),
                sum(all, TableWriter.Stats::throttles));
    }

    @Override
    public TableWriter.WriteProgress progress() {
        List<TableWriter.WriteProgress> all = Stream.concat(
                        writers.values().stream().map(TableWriter::progress), Stream.of(lanes.progress()))
                .toList();
        return new TableWriter.WriteProgress(
                sum(all, TableWriter.WriteProgress::accepted),
                sum(all, TableWriter.WriteProgress::succeeded),
                sum(all, TableWriter.WriteProgress::failed),
                sum(all, TableWriter.WriteProgress::buffered),
                sum(all, TableWriter.WriteProgress::bufferedBytes));
    }

    private static <R> long sum(List<R> figures, ToLongFunction<R> figure) {
        return figures.stream().mapToLong(figure).sum();
    }

    @Override
    public List<UncollectedFailuresException> takeFailures() {
        return Stream.concat(
                        writers.entrySet().stream()
                                .flatMap(entry -> entry.getValue().takeFailures().map(entry.getKey()::named).stream()),
                        lanes.takeFailures().stream())
                .toList();
    }

    @Override
    public void close() {
        // All begin to close; only the blocking call knows a callback, where it does not wait.
        writers.values()
                .forEach(writer -> writer.reactive().close().onErrorComplete().subscribe());
        lanes.refuse();
        try {
            closeAll();
        } finally {
            table.members().work().ended(this);
        }
    }

    private void closeAll() {
        try {
            AccountWork.inTurn(writers.keySet(), member -> Objects.requireNonNull(writers.get(member))
                    .close());
        } catch (RuntimeException e) {
            try {
                lanes.close();
            } catch (RuntimeException another) {
                e.addSuppressed(another);
            }
            throw e;
        }
        lanes.close();
    }

    private <R> List<R> onEach(Function<TableWriter<T>, Mono<R>> work) {
        return AccountWork.onEach(writers.keySet(), member -> work.apply(Objects.requireNonNull(writers.get(member))));
    }

    @Override
    public String toString() {
        return "RingWriter[" + table.name() + "]";
    }
}
