package io.stowline.table.internal.transfer;

import io.stowline.table.Entity;
import io.stowline.table.internal.format.OrderedRows;
import io.stowline.table.internal.range.TransferScope;
import io.stowline.table.internal.writer.TableService;
import io.stowline.table.transfer.EntityDifference;
import io.stowline.table.transfer.EntityDifference.Kind;
import io.stowline.table.transfer.EntitySource;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A comparison of two sides, both read in the order of their keys: what one lacks and what differs, as it is found. It closes its sides when it
 * ends or fails, whether or not its stream is closed. For one thread, but closing, which ends the reading of another thread with an error.
 */
final class TableComparison implements Iterator<EntityDifference> {

    private static final int REPORTED = 100;
    private static final String CLOSED = "the comparison was closed or has failed before its end";

    private final ComparedSide first;
    private final ComparedSide second;
    private final TransferMeter meter;
    private final Sinks.One<Long> closing;
    private @Nullable EntityDifference next;
    private int unreported;
    private boolean ended;
    private volatile boolean closed;

    private TableComparison(ComparedSide first, ComparedSide second, TransferMeter meter, Sinks.One<Long> closing) {
        this.first = first;
        this.second = second;
        this.meter = meter;
        this.closing = closing;
    }

    /** Begins to read both sides. */
    static Stream<EntityDifference> of(
            EntitySource first, EntitySource second, TransferScope scope, TableService service) {
        TransferMeter meter = new TransferMeter(scope.settings().progress(), service.timer());
        Sinks.One<Long> closing = Sinks.one();
        Function<Duration, Mono<Long>> pause = time -> Mono.firstWithSignal(service.pause(time), closing.asMono());
        ComparedSide one = ComparedSide.open(first, scope, service.timer(), pause);
        TableComparison comparison;
        try {
            ComparedSide other = ComparedSide.open(second, scope, service.timer(), pause);
            comparison = new TableComparison(one, other, meter, closing);
        } catch (RuntimeException e) {
            one.close();
            throw e;
        }
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(
                                comparison, Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT),
                        false)
                .onClose(comparison::close);
    }

    private void close() {
        closed = true;
        closing.tryEmitError(new IllegalStateException(CLOSED));
        try {
            first.close();
        } finally {
            second.close();
        }
    }

    @Override
    public boolean hasNext() {
        if (!ended && !closed) {
            find();
        }
        if (!ended && closed) {
            throw new IllegalStateException(CLOSED);
        }
        return next != null;
    }

    private void find() {
        try {
            while (next == null && (first.head() != null || second.head() != null)) {
                next = difference();
                report(1);
            }
            if (next == null && !closed) {
                report(0);
                meter.ended();
                ended = true;
                close();
            }
        } catch (RuntimeException | Error e) {
            if (closed && !ended) {
                throw new IllegalStateException(CLOSED, e);
            }
            try {
                close();
            } catch (UncheckedIOException also) {
                e.addSuppressed(also);
            }
            throw e;
        }
    }

    /** Counts entities that were compared; the table's counts are not known, so that each side has its share. */
    private void report(int compared) {
        unreported += compared;
        if (compared == 0 || unreported == REPORTED) {
            meter.done(unreported, (first.fraction() + second.fraction()) / 2);
            unreported = 0;
        }
    }

    @Override
    public EntityDifference next() {
        if (!hasNext()) {
            throw new NoSuchElementException("all differences have been read");
        }
        EntityDifference found = Objects.requireNonNull(next, "the difference");
        next = null;
        return found;
    }

    /** Takes the lesser entity, or both if they have the same keys. */
    private @Nullable EntityDifference difference() {
        Entity one = first.head();
        Entity other = second.head();
        int order = one == null ? 1 : other == null ? -1 : compare(one, other);
        if (order <= 0) {
            first.advance();
        }
        if (order >= 0) {
            second.advance();
        }
        if (order != 0 || one == null || other == null) {
            Entity only = Objects.requireNonNull(order < 0 ? one : other, "the entity");
            return new EntityDifference(
                    order < 0 ? Kind.ONLY_IN_FIRST : Kind.ONLY_IN_SECOND,
                    only.partitionKey(),
                    only.rowKey(),
                    List.of(),
                    order < 0 ? Optional.of(only) : Optional.empty(),
                    order < 0 ? Optional.empty() : Optional.of(only));
        }
        return one.equals(other)
                ? null
                : new EntityDifference(
                        Kind.DIFFERENT,
                        one.partitionKey(),
                        one.rowKey(),
                        names(one, other),
                        Optional.of(one),
                        Optional.of(other));
    }

    private static List<String> names(Entity one, Entity other) {
        TreeSet<String> names = new TreeSet<>(one.properties().keySet());
        names.addAll(other.properties().keySet());
        names.removeIf(name -> Objects.deepEquals(one.get(name), other.get(name)));
        return List.copyOf(names);
    }

    private static int compare(Entity one, Entity other) {
        return OrderedRows.compare(OrderedRows.keyOf(one), OrderedRows.keyOf(other));
    }
}
