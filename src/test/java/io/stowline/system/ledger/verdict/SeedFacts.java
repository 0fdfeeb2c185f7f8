package io.stowline.system.ledger.verdict;

import io.stowline.system.ledger.script.Case;
import io.stowline.system.ledger.script.Change;
import io.stowline.system.ledger.script.Key;
import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.Op;
import io.stowline.system.ledger.script.Sending;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The facts of a seed, each request put down to the operation that it was sent for. */
final class SeedFacts {

    private final Facts sourceVersion;
    private final Map<Case, List<Sending>> sendings = new LinkedHashMap<>();
    private final List<Sending> strays = new ArrayList<>();
    private final List<Sending> rivals = new ArrayList<>();
    private final Map<Key, History> histories = new HashMap<>();
    private final Set<Key> unexplained = new TreeSet<>(Comparator.comparing(Key::toString));
    private int undecided;

    SeedFacts(Facts sourceVersion) {
        this.sourceVersion = sourceVersion;
        sourceVersion.cases().forEach(one -> sendings.put(one, new ArrayList<>()));
        Map<String, Origin> byRequest = byRequest();
        sourceVersion.writes().forEach(write -> put(write, byRequest.get(write.requestId())));
        keys().forEach(this::explain);
    }

    /** The step of a worker in which a request came first. */
    private record Origin(int worker, int step) {

        boolean isOf(Case one) {
            return one.worker() == worker && one.step() == step;
        }

        boolean isAfter(Case one) {
            return one.worker() == worker && one.step() < step;
        }
    }

    private Map<String, Origin> byRequest() {
        Map<String, Origin> byRequest = new HashMap<>();
        sourceVersion
                .arrivals()
                .forEach((worker, arrivals) -> arrivals.forEach(
                        arrival -> byRequest.put(arrival.requestId(), new Origin(worker, arrival.step()))));
        return byRequest;
    }

    private void put(Sending write, @Nullable Origin origin) {
        if (origin == null) {
            rivals.add(write);
            return;
        }
        List<Case> wanted = wanted(write, origin);
        wanted.forEach(
                one -> sendings.computeIfAbsent(one, late -> new ArrayList<>()).add(write));
        boolean references = !write.changes().isEmpty()
                && write.changes().stream().allMatch(change -> IndexRows.isReference(change.key()));
        if (wanted.isEmpty() && write.applied() && !references) {
            strays.add(write);
        }
    }

    /** Returns the operations for which a write was sent. */
    private List<Case> wanted(Sending write, Origin origin) {
        List<Case> fit = sourceVersion.cases().stream()
                .filter(one -> origin.isOf(one) && isFor(write, one.op()))
                .toList();
        return !fit.isEmpty()
                ? fit
                : sourceVersion.cases().stream()
                        .filter(one -> origin.isAfter(one) && isFor(write, one.op()))
                        .max(Comparator.comparingInt(Case::step))
                        .map(List::of)
                        .orElse(List.of());
    }

    private static boolean isFor(Sending write, Op op) {
        return op.changes().isEmpty()
                ? write.changes().isEmpty() && isAbout(write, op)
                : write.changes().stream().anyMatch(change -> op.changes().stream()
                        .anyMatch(requested -> isFor(change, requested, op.kind())));
    }

    /** A message that is sent has no name yet. */
    private static boolean isAbout(Sending write, Op op) {
        return write.line().contains(op.kind() == Kind.SEND ? " POST " : "/" + op.target());
    }

    /** The form of a write with index rows depends on the present entity. */
    private static boolean isFor(Change change, Change requested, Kind kind) {
        return kind == Kind.INDEXED
                ? change.key().equals(requested.key())
                        && change.verb().isDelete() == requested.verb().isDelete()
                        && change.value().equals(requested.value())
                : change.sameAs(requested);
    }

    private Set<Key> keys() {
        Set<Key> keys = new HashSet<>(sourceVersion.end().rows().keySet());
        sourceVersion.writes().forEach(write -> write.changes().forEach(change -> keys.add(change.key())));
        keys.removeIf(IndexRows::isReference);
        return keys;
    }

    private void explain(Key key) {
        History history = History.of(events(key), sourceVersion.end().rows().get(key));
        if (history == null) {
            unexplained.add(key);
        } else if (history == History.UNDECIDED) {
            undecided++;
        } else {
            histories.put(key, history);
        }
    }

    private List<History.Event> events(Key key) {
        List<History.Event> events = new ArrayList<>();
        for (Sending write : sourceVersion.writes()) {
            for (int i = 0; write.applied() && i < write.changes().size(); i++) {
                Change change = write.changes().get(i);
                if (change.key().equals(key)) {
                    String etag = change.verb().isDelete() ? "" : write.etags().get(i);
                    events.add(new History.Event(change, etag, write.begin(), write.end()));
                }
            }
        }
        return events;
    }

    Facts facts() {
        return sourceVersion;
    }

    /** Counts the entities of which neither an order of their writes was found nor a proof that there is none. */
    int undecided() {
        return undecided;
    }

    /** Returns the requests that were sent for an operation. */
    List<Sending> sent(Case one) {
        return sendings.getOrDefault(one, List.of());
    }

    /** Returns the number of times that the service carried an operation out. */
    long applied(Case one) {
        return sent(one).stream().filter(Sending::applied).count();
    }

    /** Returns whether a later one of the same burst went out in its place: both get the same result. */
    @SuppressWarnings("ReferenceEquality") // this very case, and not one like it
    boolean coalesced(Case one) {
        return one.op().kind() == Kind.COALESCED
                && sourceVersion.cases().stream()
                        .filter(other -> other.worker() == one.worker() && other.step() == one.step())
                        .dropWhile(other -> other != one)
                        .skip(1)
                        .anyMatch(other -> other.op()
                                        .change()
                                        .key()
                                        .equals(one.op().change().key())
                                && other.reported().sort() == one.reported().sort()
                                && applied(other) > 0);
    }

    /**
     * Returns whether a blob was certainly present all the time: made before, and deleted neither since then nor in it.
     */
    boolean stood(String blob, long start, long end) {
        List<Sending> made = ofBlob(Kind.CREATE_BLOB, blob);
        List<Sending> deleted = ofBlob(Kind.DELETE_BLOB, blob);
        return made.stream().filter(creation -> creation.end() < start).anyMatch(creation -> deleted.stream()
                .noneMatch(deletion -> deletion.end() >= creation.begin() && deletion.begin() <= end));
    }

    /** Returns the applied operations of a kind on a blob. */
    List<Sending> ofBlob(Kind kind, String blob) {
        return sourceVersion.cases().stream()
                .filter(one -> one.op().kind() == kind && one.op().target().equals(blob))
                .flatMap(one -> sent(one).stream())
                .filter(Sending::applied)
                .toList();
    }

    /** Returns whether the service carried one of its requests out later than any client could promise. */
    boolean isBeyond(Case one) {
        return sent(one).stream().anyMatch(write -> sourceVersion.beyond().contains(write.requestId()));
    }

    /** Returns the states of a key; {@code null} if no order explains them, which is reported separately. */
    @Nullable
    History history(Key key) {
        return histories.get(key);
    }

    Set<Key> unexplained() {
        return unexplained;
    }

    /** Returns the applied writes that no operation requested. */
    List<Sending> strays() {
        return strays;
    }

    /** Returns the applied writes to an entity, of any client. */
    List<Sending> applied(Key key) {
        return sourceVersion.writes().stream()
                .filter(Sending::applied)
                .filter(write ->
                        write.changes().stream().anyMatch(change -> change.key().equals(key)))
                .toList();
    }

    /** Returns the whole story of an operation. */
    String story(Case one) {
        StringBuilder story = new StringBuilder(one.toString());
        sourceVersion.arrivals().getOrDefault(one.worker(), List.of()).stream()
                .filter(arrival -> arrival.step() == one.step())
                .forEach(arrival -> story.append("\n    came  ").append(arrival.line()));
        sent(one).forEach(write -> story.append("\n    truth ").append(write));
        one.op().changes().forEach(change -> applied(change.key()).stream()
                .filter(write -> write.end() >= one.start() && write.begin() <= one.end())
                .filter(write -> !sent(one).contains(write))
                .forEach(write -> story.append("\n    other ").append(write)));
        return story.toString();
    }
}
