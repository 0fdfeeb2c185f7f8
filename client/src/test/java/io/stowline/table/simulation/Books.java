package io.stowline.table.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.stowline.table.internal.request.EntityVerb;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** All operations of ours, and which of them a request carries. */
final class Books {

    private final Trace trace;
    private final List<SimulatedOperation> ops = new ArrayList<>();
    private final Map<SimulatedKey, SimulatedOperation> deletions = new LinkedHashMap<>();
    private final Map<SimulatedKey, List<SimulatedAttempt>> attempts = new LinkedHashMap<>();

    Books(Trace trace) {
        this.trace = trace;
    }

    SimulatedOperation open(SimulatedOperation.Wish wish, SimulatedOperation.Way way, Object owner) {
        SimulatedOperation op = new SimulatedOperation(ops.size() + 1, wish, way, owner);
        ops.add(op);
        if (wish.verb() == EntityVerb.DELETE) {
            deletions.put(wish.key(), op);
        }
        return op;
    }

    /**
     * Returns whether a deletion may begin: a request does not show which of two deletions of one entity it carries.
     */
    boolean mayDelete(SimulatedKey key) {
        SimulatedOperation open = deletions.get(key);
        return open == null
                || open.refused
                || (open.results == 1 && !open.detached && open.neverFrom < 0 && ResultCheck.isOver(open));
    }

    List<SimulatedOperation> ops() {
        return ops;
    }

    @Nullable
    SimulatedOperation op(int id) {
        return id > 0 && id <= ops.size() ? ops.get(id - 1) : null;
    }

    /** The changes with the operations that they stem from. */
    List<StoreChange> attributed(List<StoreChange> changes) {
        return changes.stream().map(this::attributed).toList();
    }

    private StoreChange attributed(StoreChange change) {
        SimulatedOperation op = change.verb() == EntityVerb.DELETE ? deletions.get(change.key()) : op(change.op());
        if (op == null) {
            trace.violate("a request for " + change + ", which nobody has asked for");
            return change;
        }
        SimulatedOperation.Wish wish = op.wish;
        boolean same = wish.verb() == change.verb()
                && wish.key().equals(change.key())
                && Objects.equals(wish.ifMatch(), change.ifMatch())
                && (wish.verb() == EntityVerb.DELETE || content(wish, change.properties()));
        trace.expect(same, () -> "a request for " + change + ", where " + op + " was asked for");
        return change.of(op.id);
    }

    private static boolean content(SimulatedOperation.Wish wish, Map<String, JsonNode> properties) {
        JsonNode text = properties.get("text");
        int large = (int)
                properties.keySet().stream().filter(name -> name.length() == 1).count();
        return text != null && text.asText().equals(wish.text()) && large == wish.large();
    }

    /** Notes that a request was written, and checks it against those before. */
    void sent(SimulatedAttempt attempt, long now) {
        ReservationCheck check = new ReservationCheck(trace, now);
        for (StoreChange change : attempt.changes) {
            List<SimulatedAttempt> before = attempts.computeIfAbsent(change.key(), key -> new ArrayList<>());
            before.forEach(earlier -> check.of(earlier, attempt, change));
            before.removeIf(earlier -> !earlier.open && !(earlier.lost && earlier.horizon > now));
            before.add(attempt);
            SimulatedOperation op = op(change.op());
            if (op != null) {
                op.attempts.add(attempt);
                trace.expect(!op.refused, () -> op + " was refused, and sent");
                trace.expect(op.neverFrom < 0, () -> op + " was cancelled as never to be sent, and sent");
            }
        }
        checkTransaction(attempt);
    }

    private void checkTransaction(SimulatedAttempt attempt) {
        for (StoreChange change : attempt.changes) {
            SimulatedOperation op = op(change.op());
            if (op != null && op.way == SimulatedOperation.Way.IN_TRANSACTION) {
                List<Integer> ids =
                        attempt.changes.stream().map(StoreChange::op).toList();
                boolean complete =
                        ids.equals(op.together.stream().map(each -> each.id).toList());
                trace.expect(complete, () -> "the transaction of " + op + " travels as " + ids);
                return;
            }
        }
    }

    /** A replay may come before the horizon of an attempt of the process before: what counts is the order of what is carried out. */
    void restarted() {
        attempts.values().forEach(all -> all.forEach(attempt -> attempt.lost = false));
    }

    void applied(Event event) {
        SimulatedOperation op = op(event.change().op());
        if (op != null) {
            op.applied.add(event);
            trace.expect(!op.refused && op.neverFrom < 0, () -> op + " was given back, and carried out");
        }
    }

    void refused(StoreChange change, Refusal why) {
        SimulatedOperation op = op(change.op());
        if (op != null) {
            op.refusals.add(why);
        }
    }
}
